package timeline_test

import (
	"path/filepath"
	"testing"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/timeline"
	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// recordings returns the paths of recordings of all kinds.
func recordings(t *testing.T) []string {
	t.Helper()
	var list []string
	for _, glob := range []string{
		"ftrace/*.dat", "aix/*.trc", "uftrace/*/data.tar.gz", "lttng/realwriter/*.tar.xz", "lttng/synthetic/*.tar.xz",
		"perf/*.data",
	} {
		found, err := filepath.Glob("../../testdata/" + glob)
		if err != nil || len(found) == 0 {
			t.Fatal("nothing like ", glob, err)
		}
		list = append(list, found...)
	}
	if !needs.LongProofs(t) {
		return list
	}
	for _, glob := range []string{"ftrace/*/*.dat", "uftrace/*/data.tar.gz", "ftrace-public/*.dat"} {
		found, err := filepath.Glob(filepath.Join(needs.SharedData(t), glob))
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, found...)
	}
	return list
}

func open(t *testing.T, path string) record.Recording {
	t.Helper()
	rec, err := tracec.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rec.Close() })
	return rec
}

func newTimeline(t *testing.T, rec record.Recording, opts ...tracec.Option) (*timeline.Timeline, *tracec.Reader) {
	t.Helper()
	r, err := tracec.NewReader(rec, append(opts, tracec.WithThreads())...)
	if err != nil {
		t.Fatal(err)
	}
	tl, err := timeline.New(r)
	if err != nil {
		t.Fatal(err)
	}
	return tl, r
}

// nesting checks that spans of tracks begin and end within each other.
type nesting struct {
	open [][]timeline.Span
}

func (n *nesting) check(t *testing.T, it *timeline.Item) {
	for len(n.open) <= it.Track.Index {
		n.open = append(n.open, nil)
	}
	stack := &n.open[it.Track.Index]
	switch it.Kind {
	case timeline.Begin:
		if *stack = append(*stack, *it.Span); len(*stack) != len(it.Track.Open) || it.Span.Begin != it.Time {
			t.Fatalf("%s begins at %d, in %d spans of %d", it.Name.Text, it.Time, len(it.Track.Open), len(*stack))
		}
	case timeline.End:
		if len(*stack) == 0 {
			t.Fatalf("%s ends at %d without a begin", it.Name.Text, it.Time)
		}
		top := (*stack)[len(*stack)-1]
		*stack = (*stack)[:len(*stack)-1]
		if top.Name != it.Name && !top.Unseen || len(*stack) != len(it.Track.Open) || it.Span.End != it.Time ||
			it.Span.Begin > it.Span.End {
			t.Fatalf("%s ends at %d: %+v, which began as %+v", it.Name.Text, it.Time, it.Span, top)
		}
		if it.Event == nil && !it.Span.Cut {
			t.Fatalf("%s ends at %d without an event", it.Name.Text, it.Time)
		}
	}
}

// TestEvents: every event is in the timeline once, in order. Spans nest and end.
func TestEvents(t *testing.T) {
	for _, path := range recordings(t) {
		t.Run(path, func(t *testing.T) {
			rec := open(t, path)
			tl, _ := newTimeline(t, rec)
			var n nesting
			items, switches := 0, 0
			for it := range tl.All() {
				n.check(t, it)
				if it.Event != nil {
					items++
				}
				if it.Track.Kind == timeline.CPU && it.Kind != timeline.Instant && it.Event != nil {
					switches++
				}
			}
			for i, open := range n.open {
				if len(open) > 0 {
					t.Errorf("track %d has %d spans that never end", i, len(open))
				}
			}
			if _, ok := unwrap(rec).(*uftrace.Recording); ok {
				return // filters of replay omit events
			}
			r, err := tracec.NewReader(rec)
			if err != nil {
				t.Fatal(err)
			}
			events := 0
			for range r.All() {
				events++
			}
			if items-switches != events {
				t.Errorf("%d events in the timeline, %d in the recording", items-switches, events)
			}
		})
	}
}

func unwrap(rec record.Recording) record.Recording {
	return rec.(*tracec.Recording).Unwrap()
}

// TestLostOnce: the loss before an event is reported once, even if the event has several items.
func TestLostOnce(t *testing.T) {
	type losses struct {
		events  int64
		unknown int
	}
	count := func(l *losses, n int64) {
		if n == record.LostUnknown {
			l.unknown++
		} else {
			l.events += n
		}
	}
	all := losses{}
	for _, path := range recordings(t) {
		rec := open(t, path)
		if _, ok := rec.(*uftrace.Recording); ok { // a timeline has the calls of a player
			continue
		}
		tl, _ := newTimeline(t, rec)
		var got, want losses
		for it := range tl.All() {
			count(&got, it.Lost)
		}
		_, r := newTimeline(t, open(t, path))
		for ev := range r.All() {
			count(&want, ev.Lost)
		}
		if got != want {
			t.Errorf("%s: %+v, want %+v", path, got, want)
		}
		all.events, all.unknown = all.events+want.events, all.unknown+want.unknown
	}
	if all.events == 0 {
		t.Error("nothing was lost")
	}
}
