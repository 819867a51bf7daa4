package view

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/timeline"
	"github.com/tracec/tracec/internal/testkit/mutate"
	"github.com/tracec/tracec/runtime/record"
)

// recordings returns the names of recordings in testdata.
func recordings(t *testing.T) []string {
	t.Helper()
	var list []string
	for _, pattern := range []string{"ftrace/*.dat", "ftrace/*.tar.zst", "aix/*.trc", "uftrace/*/data.tar.gz",
		"uftrace-options/*/data.tar.gz", "lttng/*/*.tar.xz"} {
		names, err := filepath.Glob("../../testdata/" + pattern)
		if err != nil || len(names) == 0 {
			t.Fatal("nothing like ", pattern, err)
		}
		list = append(list, names...)
	}
	return list
}

// opener returns a function that opens readers of a recording.
func opener(rec record.Recording) Open {
	return func(o record.Options, more ...tracec.Option) (*tracec.Reader, error) {
		return tracec.NewReader(rec, append(more, tracec.WithRecords(o))...)
	}
}

// sum holds the sums of one name in a timeline.
type sum struct {
	spans, instants, cut, unseen uint64
	time, longest                uint64
}

// sumsOf counts a timeline: sums by name, the time in which processors ran threads with events, and
// losses.
func sumsOf(t *testing.T, r *tracec.Reader) (list []sum, ran uint64, lost int) {
	t.Helper()
	tl, err := timeline.New(r)
	if err != nil {
		t.Fatal(err)
	}
	threads := map[int32]bool{}
	for it := range tl.All() {
		if it.Track.Kind == timeline.Thread {
			threads[it.Track.ID] = true
		}
		if it.Kind == timeline.End && it.Track.Kind == timeline.CPU && threads[it.Span.Thread()] {
			ran += it.Span.Total()
		}
		for len(list) <= it.Name.Index {
			list = append(list, sum{})
		}
		s := &list[it.Name.Index]
		switch it.Kind {
		case timeline.Instant:
			s.instants++
		case timeline.End:
			s.spans++
			s.time += it.Span.Total()
			s.longest = max(s.longest, it.Span.Total())
			if it.Span.Cut {
				s.cut++
			}
			if it.Span.Unseen {
				s.unseen++
			}
		}
		if it.Lost != 0 {
			lost++
		}
	}
	return list, ran, lost
}

// indexed reads a recording into an index.
func indexed(t *testing.T, open Open) *index {
	t.Helper()
	return read(t, open).index
}

// read returns a server that has read a recording.
func read(t *testing.T, open Open) *Server {
	t.Helper()
	s := New(open, Options{})
	s.read(context.Background())
	t.Cleanup(func() { s.index.store.close() })
	return s
}

// compareSums compares an index with the timeline: item by item, and the totals of the whole range.
// It returns the server.
func compareSums(t *testing.T, rec record.Recording) *Server {
	t.Helper()
	open := opener(rec)
	r, err := open(record.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want, ran, lost := sumsOf(t, r)
	s := read(t, open)
	x := s.index
	if x.left != 0 || (lost == 0) != (len(x.losses) == 0) || len(x.losses) > lost {
		t.Errorf("%d items left out, %d losses of %d", x.left, len(x.losses), lost)
	}
	got := make([]sum, len(want))
	var buf scratch
	var runs uint64
	for _, tr := range x.tracks {
		for i := range tr.runs.all() {
			runs += tr.runs.at(i).covered
		}
		if len(tr.open) != 0 {
			t.Errorf("%d spans of %s are open", len(tr.open), tr.name)
		}
		for i := range tr.instants.all() {
			for _, it := range tr.instants.decode(x.store, i, &buf) {
				got[it.name].instants++
			}
		}
		for depth := range tr.spans {
			for i := range tr.spans[depth].all() {
				for _, it := range tr.spans[depth].decode(x.store, i, &buf) {
					got[it.name].add(it)
				}
			}
		}
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%s: %+v, want %+v", x.names[i].text, got[i], want[i])
		}
		if n := x.names[i].count; n != want[i].spans+want[i].instants {
			t.Errorf("%s is counted %d times, want %+v", x.names[i].text, n, want[i])
		}
	}
	if runs != ran {
		t.Errorf("threads run for %d, want %d", runs, ran)
	}
	compareFlames(t, x, want)
	return s
}

func (s *sum) add(it item) {
	s.spans++
	s.time += it.end - it.begin
	s.longest = max(s.longest, it.end-it.begin)
	if it.flags&cut != 0 {
		s.cut++
	}
	if it.flags&unseen != 0 {
		s.unseen++
	}
}

// compareFlames compares the totals of the whole range, which count all spans once.
func compareFlames(t *testing.T, x *index, want []sum) {
	t.Helper()
	f := newFlames(context.Background(), x, 0, 1<<63)
	for _, tr := range x.tracks {
		if err := f.track(x, tr); err != nil {
			t.Fatal(err)
		}
	}
	var whole func(*frame) (count, self, top uint64)
	whole = func(f *frame) (count, self, top uint64) {
		for _, c := range f.children {
			n, s, _ := whole(c)
			count, self, top = count+n+c.count, self+s+c.self, top+c.total
		}
		return count, self, top
	}
	var spans, self uint64
	for i, w := range want {
		s := f.spans[i]
		if s.count != w.spans || s.longest != w.longest || s.total > w.time || f.events[i].count != w.instants {
			t.Errorf("%s: %+v and %d instants, want %+v", x.names[i].text, s, f.events[i].count, w)
		}
		spans, self = spans+w.spans, self+s.self
	}
	if count, own, top := whole(&f.root); count != spans || own != self || own > top {
		t.Errorf("the flame graph has %d spans with %d of %d; want %d with %d", count, own, top, spans, self)
	}
}

// TestRecordings: for all recordings, an index has the whole timeline, and lists the events.
func TestRecordings(t *testing.T) {
	for _, name := range recordings(t) {
		t.Run(name, func(t *testing.T) {
			rec, err := tracec.Open(context.Background(), name)
			if err != nil {
				t.Fatal(err)
			}
			defer rec.Close()
			compareList(t, compareSums(t, rec))
		})
	}
}

// TestDamaged does the same with truncated or damaged recordings.
func TestDamaged(t *testing.T) {
	names, err := filepath.Glob("../../testdata/ftrace/*.dat")
	more, err2 := filepath.Glob("../../testdata/aix/*.trc")
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	r := rand.New(rand.NewPCG(9, 10))
	opened := 0
	for _, name := range append(names, more...) {
		whole, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 4 {
			damaged := append([]byte(nil), whole...)
			if i%2 == 0 {
				damaged = damaged[:len(damaged)/2+r.IntN(len(damaged)/2)]
			} else {
				damaged, _, _ = mutate.Blind(r, damaged, whole)
			}
			path := filepath.Join(t.TempDir(), filepath.Base(name))
			if err := os.WriteFile(path, damaged, 0o600); err != nil {
				t.Fatal(err)
			}
			rec, err := tracec.Open(context.Background(), path)
			if err != nil {
				continue
			}
			opened++
			t.Run(fmt.Sprint(filepath.Base(name), i), func(t *testing.T) { compareSums(t, rec) })
			rec.Close()
		}
	}
	if opened < 20 {
		t.Errorf("only %d damaged recordings could be opened", opened)
	}
}
