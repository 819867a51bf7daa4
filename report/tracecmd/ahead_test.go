package tracecmd

import (
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/runtime/record"
)

// batches is a stream that overwrites its batches and their data with the next ones, as real
// streams do.
type batches struct {
	sizes []int
	times []uint64
	cpu   int32
	err   error
	buf   []record.Record
	data  []byte
}

func (b *batches) Next() (record.Batch[record.None], error) {
	for i := range b.buf {
		b.buf[i] = record.Record{}
	}
	for i := range b.data {
		b.data[i] = '?'
	}
	if len(b.sizes) == 0 {
		if b.err != nil {
			return record.Batch[record.None]{}, b.err
		}
		return record.Batch[record.None]{}, io.EOF
	}
	n := b.sizes[0]
	b.sizes = b.sizes[1:]
	b.buf, b.data = b.buf[:0], b.data[:0]
	for range n {
		at := len(b.data)
		b.data = fmt.Appendf(b.data, "%d/%d", b.cpu, b.times[0])
		b.buf = append(b.buf, record.Record{Time: b.times[0], CPU: b.cpu, Data: b.data[at:len(b.data):len(b.data)]})
		b.times = b.times[1:]
	}
	return record.Plain(b.buf), nil
}

func TestAhead(t *testing.T) {
	var damage []error
	broken := errors.New("broken")
	a := &ahead{
		merger: record.Merge([]record.Stream[record.None]{
			&batches{sizes: []int{1, 3, 1}, times: []uint64{1, 4, 5, 6, 9}, cpu: 0},
			&batches{sizes: []int{2, 2}, times: []uint64{2, 3, 7, 8}, cpu: 1},
			&batches{cpu: 2, err: broken},
		}, nil),
		damage: func(err error) { damage = append(damage, err) },
	}
	want := []string{"0/1", "1/2", "1/3", "0/4", "0/5", "0/6", "1/7", "1/8", "0/9"}
	var got, next []string
	outer := record.Merge([]record.Stream[record.None]{a}, nil)
	for r := range outer.All() {
		if a.take() {
			continue
		}
		got = append(got, string(r.Data))
		if n := a.peek(); n != nil {
			next = append(next, string(n.Data))
		}
		if string(r.Data) != got[len(got)-1] {
			t.Errorf("peeking changed the record from %s to %s", got[len(got)-1], r.Data)
		}
	}
	if err := outer.Err(); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error("records", d)
	}
	if d := cmp.Diff(want[1:], next); d != "" {
		t.Error("peeked", d)
	}
	if len(damage) != 1 || !errors.Is(damage[0], broken) {
		t.Errorf("damage %v", damage)
	}
}

func TestAheadConsume(t *testing.T) {
	a := &ahead{merger: record.Merge([]record.Stream[record.None]{&batches{sizes: []int{2, 2, 1},
		times: []uint64{1, 2, 3, 4, 5}}}, nil)}
	var got []string
	m := record.Merge([]record.Stream[record.None]{a}, nil)
	for r := range m.All() {
		if a.take() {
			continue
		}
		got = append(got, string(r.Data))
		if n := a.peek(); n != nil && n.Time%2 == 0 {
			a.consumed = true
		}
	}
	if err := m.Err(); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"0/1", "0/3", "0/5"}, got); d != "" {
		t.Error(d)
	}
}

func TestAheadLost(t *testing.T) {
	a := &ahead{batch: []record.Record{{Time: 1}, {Time: 2, Lost: 3}}}
	a.take()
	if a.peek() != nil {
		t.Error("peeked over lost events")
	}
}
