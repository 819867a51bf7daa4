package callstack_test

import (
	"context"
	"fmt"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tracec/tracec/internal/testkit/uftracetest"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// TestSkipped: streams that skip the records below hidden calls do not change the output, even in
// damaged recordings. With Deltas, no records are skipped.
func TestSkipped(t *testing.T) {
	ctx, recordings, skipped := t.Context(), uftracetest.All(t), 0
	check := func(t rapid.TB, files fstest.MapFS, opts callstack.Options) {
		got, n := shown(ctx, files, opts)
		opts.Deltas = true
		want, all := shown(ctx, files, opts)
		if d := cmp.Diff(want, got); d != "" {
			t.Fatalf("%+v (-all +skipped):\n%s", opts, d)
		}
		skipped += all - n
	}
	for _, files := range recordings { // few of the drawn options let records be skipped
		check(t, files, callstack.Options{Limits: callstack.Limits{Depth: 1}})
	}
	rapid.Check(t, func(t *rapid.T) {
		files := uftracetest.Random(t)
		if rapid.Bool().Draw(t, "saved") {
			files = uftracetest.Damaged(t, recordings, 4, rapid.Bool().Draw(t, "cut"))
		}
		opts := anyOptions(t)
		opts.Steps = rapid.SampledFrom([]callstack.Steps{callstack.LookAhead, callstack.Whole, callstack.Unmerged,
			callstack.Single}).Draw(t, "steps")
		check(t, files, opts)
	})
	if skipped == 0 {
		t.Error("nothing was skipped")
	}
}

// shown returns all steps of a recording, the calls that are open at its end, and their assumed
// end. It also returns the number of records that the player has read.
func shown(ctx context.Context, files fstest.MapFS, opts callstack.Options) (list []string, records int) {
	rec, err := uftrace.OpenFS(files, "x")
	if err != nil {
		return nil, 0
	}
	defer rec.Close()
	steps := opts.Steps
	ends := callstack.WatchEnds(rec, &opts)
	watch := opts.Hooks.Watch
	opts.Hooks.Watch = func(task int, recs []record.Record, ents []uftrace.Entry) {
		watch(task, recs, ents)
		records += len(recs)
	}
	opts.Steps = steps
	p, err := callstack.New(rec, opts)
	if err != nil {
		return []string{err.Error()}, 0
	}
	for s := range p.All(ctx) {
		text := fmt.Sprint(*s.Record, s.Entry.Addr, s.Entry.Kind, s.Task.TID, s.Depth, s.Total, s.Open, s.Inverted,
			s.End != nil, s.Color, p.First(), s.Task.Last, s.Task.Comm, s.Task.Depth)
		if steps >= callstack.Unmerged { // otherwise hidden calls that were read ahead are open
			text += fmt.Sprint(" ", len(s.Task.Stack))
		}
		if f := s.Frame; f != nil {
			text += fmt.Sprint(f.Addr, f.Start, f.Total, f.Child, f.Hidden, s.Task.Recursive(f))
		}
		for _, f := range s.Callers() {
			text += fmt.Sprint(" ", f.Addr)
		}
		list = append(list, text)
	}
	for _, t := range p.Tasks() {
		list = append(list, fmt.Sprint(t.TID, len(t.Stack), t.Depth, ends.Of(t.Index)))
		for len(t.Stack) > 0 {
			if f := t.Close(ends.Of(t.Index)); f != nil {
				list = append(list, fmt.Sprint("closed ", f.Addr, f.Start, f.Total, f.Child, f.Hidden, t.Recursive(f)))
			}
		}
	}
	return append(list, fmt.Sprint(p.Err(), p.Any())), records
}
