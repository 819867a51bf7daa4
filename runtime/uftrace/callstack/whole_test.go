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

// TestWhole: a step for a whole call equals the two steps without Whole.
func TestWhole(t *testing.T) {
	recordings, whole := uftracetest.All(t), 0
	rapid.Check(t, func(t *rapid.T) {
		files := uftracetest.Random(t)
		if rapid.Bool().Draw(t, "saved") {
			files = uftracetest.Damaged(t, recordings, 4, rapid.Bool().Draw(t, "cut"))
		}
		opts := anyOptions(t)
		want, _ := halves(t, files, opts)
		opts.Steps = callstack.Whole
		got, n := halves(t, files, opts)
		if d := cmp.Diff(want, got); d != "" {
			t.Fatalf("%+v (-two steps +one):\n%s", opts, d)
		}
		whole += n
	})
	if whole == 0 {
		t.Error("no call was one step")
	}
}

// halves returns all steps of a recording, with whole calls as two steps, and the number of whole
// calls.
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
		text := fmt.Sprint(*s.Record, s.Entry.Addr, s.Entry.Kind, s.Entry.Depth, s.Task.TID, s.Depth, s.Total, s.Open,
			s.Inverted, s.Color, p.First(), s.Task.Last, s.Task.Before)
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
