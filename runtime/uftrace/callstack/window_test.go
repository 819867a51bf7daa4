package callstack_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tracec/tracec/internal/testkit/uftracetest"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// TestNarrow: if times do not go back, the output for a range does not depend on whether the whole
// recording is read.
func TestNarrow(t *testing.T) {
	recordings := uftracetest.All(t)
	ranged := 0
	rapid.Check(t, func(t *rapid.T) {
		files := uftracetest.Any(t, recordings)
		first, last, back := timesOf(t, files)
		if back || first == last {
			t.Skip("times go back")
		}
		var opts callstack.Options
		opts.Limits.Depth = rapid.IntRange(0, 3).Draw(t, "depth")
		opts.Events = callstack.Events{None: rapid.Bool().Draw(t, "no events"),
			Full: rapid.Bool().Draw(t, "all events")}
		if rapid.IntRange(0, 4).Draw(t, "single") == 0 {
			opts.Steps = callstack.Single
		}
		anyFilters(t, &opts)
		// these use the whole thread
		opts.Functions.Triggers = slices.DeleteFunc(opts.Functions.Triggers,
			func(s string) bool { return strings.Contains(s, "time=") })
		drawn := func(label string) (time uint64, elapsed bool) {
			time, elapsed = rapid.Uint64Range(0, last-first+1).Draw(t, label), rapid.Bool().Draw(t, "elapsed")
			if !elapsed {
				time += first
			}
			if rapid.IntRange(0, 4).Draw(t, "no "+label) == 0 {
				return 0, false
			}
			return time, elapsed
		}
		opts.Scope.Range.From, opts.Scope.Range.FromElapsed = drawn("from")
		opts.Scope.Range.To, opts.Scope.Range.ToElapsed = drawn("to")
		want, got := inRange(t, files, opts, true), inRange(t, files, opts, false)
		if d := cmp.Diff(want, got); d != "" {
			t.Fatalf("%+v (-whole +range):\n%s", opts.Scope.Range, d)
		}
		if len(want) > 10 {
			ranged++
		}
	})
	if ranged == 0 {
		t.Error("nothing was in a range")
	}
}

// timesOf returns the first and the last time of the records of a recording, and whether times of a
// stream go back.
func timesOf(t *rapid.T, files fstest.MapFS) (first, last uint64, back bool) {
	rec, err := uftrace.OpenFS(files, "x")
	if err != nil {
		t.Skip(err)
	}
	defer rec.Close()
	m := rec.Merge(uftrace.MergeOptions{})
	before := map[int32]uint64{}
	for r, e := range m.All() {
		if e.Kind == uftrace.Lost {
			continue
		}
		if first == 0 {
			first = r.Time
		}
		last, back = max(last, r.Time), back || r.Time < before[r.Stream]
		before[r.Stream] = r.Time
	}
	return first, last, back
}

// inRange returns the steps that are shown, for records that a merge reads for the range or for
// everything.
func inRange(t *rapid.T, files fstest.MapFS, opts callstack.Options, everything bool) (list []string) {
	rec, err := uftrace.OpenFS(files, "x")
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	p, err := callstack.New(rec, opts)
	if everything {
		p, err = callstack.NewSource(rec, opts, rec.Merge(uftrace.MergeOptions{EarlyGaps: true}))
	}
	if err != nil {
		t.Fatal(err)
	}
	ends := callstack.WatchEnds(rec, &opts)
	for s := range p.All(t.Context()) {
		list = append(list, fmt.Sprint(*s.Record, s.Entry.Addr, s.Entry.Kind, s.Task.TID, s.Depth, s.Total, s.Open,
			s.Inverted, s.Task.Comm, p.First(), s.Task.Last, s.Task.Before))
	}
	for _, t := range p.Tasks() {
		list = append(list, fmt.Sprint(t.TID, len(t.Stack), t.Depth, t.Last, ends.Of(t.Index)))
	}
	return append(list, fmt.Sprint(p.Err(), p.Any(), p.First()))
}
