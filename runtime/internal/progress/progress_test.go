package progress

import "testing"

func TestCounter(t *testing.T) {
	var c Counter
	want := func(done, total int64) {
		t.Helper()
		if d, n := c.Position(); d != done || n != total {
			t.Errorf("%d of %d, want %d of %d", d, n, done, total)
		}
	}
	a, b := c.Share(100), c.Share(50)
	want(0, 150)
	a.Reach(40)
	a.Reach(30) // read again
	b.Read(20)
	want(60, 150)
	a.Reach(1000)
	want(120, 150)
	b.End()
	b.End()
	want(150, 150)
	pipe := c.Share(-1)
	pipe.Read(7)
	pipe.End()
	want(157, 0)
	new(Share).Read(1) // of a stream that is not counted
}
