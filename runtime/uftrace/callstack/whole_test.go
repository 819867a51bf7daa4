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

// TestWhole: a step that is all of a call stands for the two that it is otherwise.
func TestWhole(t *testing.T) {
	recordings := uftracetest.All(t)
	rapid.Check(t, func(t *rapid.T) {
		files := uftracetest.Random(t)
		if rapid.Bool().Draw(t, "saved") {
			files = uftracetest.Damaged(t, recordings, 4, rapid.Bool().Draw(t, "cut"))
		}
		opts := callstack.Options{
			Depth: rapid.IntRange(0, 4).Draw(t, "depth"), Time: uint64(rapid.SampledFrom([]int{0, 0, 20}).Draw(t, "time")),
			NoEvent: rapid.Bool().Draw(t, "no events"), Unmerged: rapid.IntRange(0, 4).Draw(t, "unmerged") == 0,
		}
		anyFilters(t, &opts)
		want, _ := halves(t, files, opts)
		opts.Whole = true
		got, whole := halves(t, files, opts)
		if d := cmp.Diff(want, got); d != "" {
			t.Fatalf("%+v (-two steps +one):\n%s", opts, d)
		}
		if whole > 0 && opts.Unmerged {
			t.Errorf("%d calls in one step, of steps that are not merged", whole)
		}
	})
}

// halves are all steps of a recording, as two where a step is a whole call, and how many of these there are.
func halves(t *rapid.T, files fstest.MapFS, opts callstack.Options) (list []string, whole int) {
	rec, err := uftrace.OpenFS(files, "x")
	if err != nil {
		return nil, 0
	}
	defer rec.Close()
	p, err := callstack.New(rec, opts)
	if err != nil {
		return []string{err.Error()}, 0
	}
	add := func(s *callstack.Step) {
		text := fmt.Sprint(*s.Record, s.Entry.Addr, s.Entry.Kind, s.Entry.Depth, s.Task.TID, s.Depth, s.Total, s.Open, s.Inverted, s.Color, p.First(), s.Task.Last, s.Task.Before)
		if s.Entry.Kind != uftrace.Enter && s.Frame != nil {
			text += fmt.Sprint(s.Frame.Addr, s.Frame.Start, s.Frame.Total, s.Frame.Child, s.Frame.Hidden)
		}
		list = append(list, text)
	}
	for s := range p.All(t.Context()) {
		if s.End == nil {
			add(s)
			continue
		}
		whole++
		begin, end := *s, *s
		begin.Total = 0
		end.Record, end.Entry, end.Open, end.Inverted = s.End, s.EndEntry, false, false
		add(&begin)
		add(&end)
	}
	for _, t := range p.Tasks() {
		list = append(list, fmt.Sprint(t.TID, len(t.Stack), t.Depth, t.Last))
	}
	return append(list, fmt.Sprint(p.Err(), p.Any())), whole
}
