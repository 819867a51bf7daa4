package callstack_test

import (
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tracec/tracec/internal/testkit/uftracetest"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// pieces is a Reader that returns a few records at a time, in the same memory. Earlier records are
// overwritten, as a Reader may do.
type pieces struct {
	uftrace.Reader
	size int
	left record.Batch[uftrace.Entry]
	err  error

	recs []record.Record
	ents []uftrace.Entry
	data []byte
}

// Next implements record.Stream.
func (p *pieces) Next() (record.Batch[uftrace.Entry], error) {
	if len(p.left.Records) == 0 && p.err == nil {
		p.left, p.err = p.Reader.Next()
	}
	n := min(p.size, len(p.left.Records))
	if n == 0 {
		err := p.err
		p.err = nil
		return record.Batch[uftrace.Entry]{}, err
	}
	for i := range p.data {
		p.data[i] = 0xee
	}
	p.recs, p.ents, p.data = append(p.recs[:0], p.left.Records[:n]...), append(p.ents[:0], p.left.Entries[:n]...),
		p.data[:0]
	for i := range p.recs {
		p.data = append(p.data, p.recs[i].Data...)
	}
	at := 0
	for i := range p.recs {
		size := len(p.recs[i].Data)
		if p.recs[i].Data != nil {
			p.recs[i].Data = p.data[at : at+size : at+size]
		}
		at += size
	}
	p.left.Records, p.left.Entries = p.left.Records[n:], p.left.Entries[n:]
	return record.Batch[uftrace.Entry]{Records: p.recs, Entries: p.ents}, nil
}

// source is the source of a player that knows it.
type source struct{ callstack.Source }

// played returns the steps of a recording whose streams return size records at a time; 0 leaves
// their number unchanged.
func played(t *rapid.T, rec *uftrace.Recording, o callstack.Options, size int) (out []string) {
	var src source
	p, err := callstack.NewSource(rec, o, &src)
	if err != nil {
		t.Fatal(err)
	}
	m := rec.Merge(uftrace.MergeOptions{EarlyGaps: true,
		Wrap: func(task *uftrace.Task, r uftrace.Reader) uftrace.Reader {
			if size > 0 {
				r = &pieces{Reader: r, size: size}
			}
			return p.Wrap(task, r)
		}})
	defer m.Close()
	for src.Source = m; ; {
		s, err := p.Next()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			out = append(out, err.Error())
			continue
		}
		out = append(out, fmt.Sprint(*s.Record, s.Entry.Addr, s.Entry.Kind, s.Task.TID, s.Depth, s.Total, s.Open,
			s.Inverted))
	}
}

// TestWaiting: some filters hold records back until the end of their call. The same records pass,
// whatever number of records is read at a time.
func TestWaiting(t *testing.T) {
	recordings := uftracetest.All(t)
	rapid.Check(t, func(t *rapid.T) {
		files := uftracetest.Random(t)
		if rapid.IntRange(0, 3).Draw(t, "saved") == 0 {
			files = uftracetest.Damaged(t, recordings, 1, false)
		}
		rec, err := uftrace.OpenFS(files, "x")
		if err != nil {
			t.Skip()
		}
		defer rec.Close()
		o := callstack.Options{Limits: callstack.Limits{Time: uint64(rapid.IntRange(1, 90).Draw(t, "time"))}}
		switch rapid.IntRange(0, 5).Draw(t, "filter") {
		case 0:
			o.Limits.Size = uint64(rapid.IntRange(0, 40).Draw(t, "size"))
		case 1:
			o.Limits.Time, o.Functions.Callers = 0, []string{"c"}
		case 2:
			o.Functions.Locs, o.Functions.Match = []string{"*"}, callstack.Glob
		case 3:
			o.Functions.Triggers = []string{"b@time=30ns"}
		case 4:
			o.Functions.Hide = []string{"d"}
		}
		want := played(t, rec, o, 0)
		if d := cmp.Diff(want, played(t, rec, o, rapid.IntRange(1, 9).Draw(t, "piece"))); d != "" {
			t.Fatalf("%+v (-as they are +in pieces):\n%s", o, d)
		}
	})
}
