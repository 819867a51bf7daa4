package callstack_test

import (
	"fmt"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tracec/tracec/internal/testkit/uftracetest"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// TestQuickSteps: quick steps equal the steps of Next, even in damaged recordings.
func TestQuickSteps(t *testing.T) {
	recordings := uftracetest.All(t)
	rapid.Check(t, func(t *rapid.T) {
		files := uftracetest.Random(t)
		if rapid.Bool().Draw(t, "saved") {
			files = uftracetest.Damaged(t, recordings, 4, rapid.Bool().Draw(t, "cut"))
		}
		opts := anyOptions(t)
		opts.Raw = rapid.IntRange(0, 4).Draw(t, "raw") == 0
		opts.Steps = rapid.SampledFrom([]callstack.Steps{callstack.LookAhead, callstack.Unmerged,
			callstack.Single}).Draw(t, "steps")
		slow := steps(t, files, opts, true)
		if d := cmp.Diff(slow, steps(t, files, opts, false)); d != "" {
			t.Fatalf("%+v (-slow +quick):\n%s", opts, d)
		}
	})
}

// anyOptions draws options for which a player uses quick steps for some of the records.
func anyOptions(t *rapid.T) (opts callstack.Options) {
	opts.Limits.Depth = rapid.IntRange(0, 4).Draw(t, "depth")
	opts.Limits.Time = uint64(rapid.SampledFrom([]int{0, 0, 20}).Draw(t, "time"))
	opts.Events.None = rapid.Bool().Draw(t, "no events")
	anyFilters(t, &opts)
	return opts
}

// anyFilters draws filters of functions.
func anyFilters(t *rapid.T, opts *callstack.Options) {
	few := func(label string) (list []string) {
		return rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"main", "a", "b", "c", "d", "fork"}), 0, 2,
			rapid.ID).Draw(t, label)
	}
	if rapid.IntRange(0, 3).Draw(t, "filters") > 0 {
		return
	}
	opts.Functions.Filters, opts.Functions.NoTrace, opts.Functions.Hide = few("filter"), few("notrace"), few("hide")
	for _, name := range few("trigger") {
		opts.Functions.Triggers = append(opts.Functions.Triggers,
			name+"@"+rapid.SampledFrom([]string{"depth=1", "trace_off", "trace_on", "red", "backtrace", "filter",
				"notrace", "time=20ns", "hide"}).Draw(t, "action"))
	}
	if rapid.IntRange(0, 4).Draw(t, "only") == 0 {
		opts.Functions.Only = func(s *uftrace.Symbol) bool { return s.Name == "a" || s.Name == "main" }
	}
}

// steps returns all steps of a recording, and the states of its threads after each step.
func steps(t *rapid.T, files fstest.MapFS, opts callstack.Options, slowly bool) (list []string) {
	rec, err := uftrace.OpenFS(files, "x")
	if err != nil {
		return nil
	}
	defer rec.Close()
	p, err := callstack.New(rec, opts)
	if err != nil {
		return []string{err.Error()}
	}
	if slowly {
		p.Slowly()
	}
	for s := range p.All(t.Context()) {
		text := fmt.Sprint(*s.Record, s.Entry.Addr, s.Entry.Kind, s.Task.TID, s.Depth, s.Total, s.Open, s.Inverted,
			s.Backtrace, s.Color, p.First(), s.Task.Last, s.Task.Before, s.Task.Comm, len(s.Task.Stack), s.Task.Depth)
		if s.Frame != nil {
			text += fmt.Sprint(s.Frame.Addr, s.Frame.Start, s.Frame.Total, s.Frame.Child, s.Frame.Hidden)
		}
		for _, f := range s.Callers() {
			text += fmt.Sprint(" ", f.Addr)
		}
		list = append(list, text)
	}
	for _, t := range p.Tasks() {
		list = append(list, fmt.Sprint(t.TID, len(t.Stack), t.Depth, t.Last))
	}
	return append(list, fmt.Sprint(p.Err(), p.Any()))
}
