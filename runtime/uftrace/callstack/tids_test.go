package callstack_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/internal/testkit/uftracetest"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// TestTIDs: a selected thread is played in the same way whether the container leaves out the other
// threads, or the player does so after reading every record.
func TestTIDs(t *testing.T) {
	below := 0
	for _, name := range uftracetest.Saved(t) {
		t.Run(name, func(t *testing.T) {
			files := uftracetest.Files(t, name)
			tasks := uftracetest.Open(t, files).Tasks()
			for i := range min(len(tasks), 4) {
				opts := callstack.Options{Scope: callstack.Scope{TIDs: []int32{tasks[i].TID}}}
				rec := uftracetest.Open(t, files)
				if rec.OnlyThreads() && len(tasks) > 1 {
					below++
				}
				p, err := callstack.New(rec, opts)
				if err != nil {
					t.Fatal(err)
				}
				whole := uftracetest.Open(t, files)
				if whole.Info().Features&uftrace.FeatEstimateReturn != 0 {
					continue // New estimates returns
				}
				q, err := callstack.NewSource(whole, opts, whole.Merge(uftrace.MergeOptions{EarlyGaps: true}))
				if err != nil {
					t.Fatal(err)
				}
				if d := cmp.Diff(stepsOf(t, q), stepsOf(t, p)); d != "" {
					t.Errorf("thread %d (-all files +its file)\n%.2000s", tasks[i].TID, d)
				}
			}
		})
	}
	if below == 0 {
		t.Error("no thread was left out by the container")
	}
}

func stepsOf(t *testing.T, p *callstack.Player) (list []string) {
	t.Helper()
	for s := range p.All(context.Background()) {
		name := ""
		if s.Entry.Sym != nil {
			name = s.Entry.Sym.Name
		}
		list = append(list, fmt.Sprint(s.Record.Time, s.Entry.Kind, s.Depth, name, s.Record.Task, s.Record.Lost))
	}
	if err := p.Err(); err != nil {
		t.Fatal(err)
	}
	return append(list, fmt.Sprint(p.First(), p.Any()))
}

// TestTIDsAndTime: -t hides the times off the processor of the selected thread.
func TestTIDsAndTime(t *testing.T) {
	const name = "threads"
	files := uftracetest.Files(t, name)
	schedules := func(opts callstack.Options) map[int32][]uint64 {
		opts.Limits.Time = 50_000
		p, err := callstack.New(uftracetest.Open(t, files), opts)
		if err != nil {
			t.Fatal(err)
		}
		found := map[int32][]uint64{}
		for s := range p.All(context.Background()) {
			if s.Record.ID == callstack.SchedOut || s.Record.ID == callstack.SchedIn {
				found[s.Task.TID] = append(found[s.Task.TID], s.Record.Time)
			}
		}
		return found
	}
	all := schedules(callstack.Options{})
	if len(all) < 2 {
		t.Fatalf("schedules of %d threads", len(all))
	}
	for tid, want := range all {
		if d := cmp.Diff(want, schedules(callstack.Options{Scope: callstack.Scope{TIDs: []int32{tid}}})[tid]); d != "" {
			t.Errorf("thread %d (-of all +alone)\n%s", tid, d)
		}
	}
}
