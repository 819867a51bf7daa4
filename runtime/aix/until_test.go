package aix_test

import (
	"bytes"
	"io"
	"testing"

	"github.com/tracec/tracec/runtime/aix"
	"github.com/tracec/tracec/runtime/record"
)

// counting counts the bytes that are read.
type counting struct {
	io.ReaderAt
	bytes int64
}

func (c *counting) ReadAt(p []byte, off int64) (int, error) {
	n, err := c.ReaderAt.ReadAt(p, off)
	c.bytes += int64(n)
	return n, err
}

// TestUntilEnds: records long after a window of time are not read. Records between which a wrong
// time occurs are read.
func TestUntilEnds(t *testing.T) {
	const events, until, wrong = 200_000, 20_000, 1000 // in microseconds
	var out bytes.Buffer
	w := aix.NewWriter(&out, aix.WriterOptions{Kernel64: true})
	w.Clock(aix.Clock{Mul: 1, Div: 1, Type: aix.ClockTimeBase})
	for i := range uint64(events) {
		w.TID, w.Now = 1, 1000*(i+1)
		if i >= until/2 && i < until/2+wrong {
			w.Now += 1000 * until
		}
		w.TRCHKL1T(0x50000000, i)
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	read := func(o record.Options) (inside, bytesRead int64) {
		c := &counting{ReaderAt: bytes.NewReader(out.Bytes())}
		rec, err := aix.OpenReaderAt(c, int64(out.Len()), "x")
		if err != nil {
			t.Fatal(err)
		}
		defer rec.Close()
		c.bytes = 0
		m := rec.Merge(o)
		for r := range m.All() {
			if r.Time < 1000*until {
				inside++
			}
		}
		if err := m.Err(); err != nil {
			t.Fatal(err)
		}
		return inside, c.bytes
	}
	want, whole := read(record.Options{})
	got, bytesRead := read(record.Options{Until: 1000 * until})
	if got != want || got < until-2*wrong || bytesRead > whole/4 {
		t.Errorf("%d events of %d bytes, want %d of at most a quarter of %d", got, bytesRead, want, whole)
	}
}
