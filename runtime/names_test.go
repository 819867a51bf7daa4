package runtime_test

import (
	"fmt"
	"testing"

	"github.com/tracec/tracec/runtime/aix"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/lttng"
	"github.com/tracec/tracec/runtime/lttng/process"
	"github.com/tracec/tracec/runtime/pair"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// threads returns the names that a recording has for its threads, as a set.
func threads[E any](m *record.Merger[E], names record.Names[E], also func(*record.Record, *E)) map[string]bool {
	seen := map[string]bool{}
	for r, x := range m.All() {
		names.Follow(r, x)
		t := names.Thread(r, x)
		seen[fmt.Sprintf("%d %d %q", r.Task, t.Process, t.Comm)] = true
		also(r, x)
	}
	return seen
}

// TestNamesOfUftrace: names come from task.txt. The symbol of a called address is the symbol of the
// entry. An address outside of all programs has no symbol.
func TestNamesOfUftrace(t *testing.T) {
	calls := 0
	for _, name := range glob(t, "../testdata/uftrace/*/data.tar.gz") {
		rec := openUftrace(t, name)
		names := rec.Names()
		for who := range threads(rec.Merge(uftrace.MergeOptions{}), names, func(r *record.Record, x *uftrace.Entry) {
			if x.Kind != uftrace.Enter || x.Sym == nil || x.Source != uftrace.User {
				return
			}
			calls++
			got, _, ok := names.Symbol(r, x.Addr)
			if !ok || got != x.Sym.Simple {
				t.Fatalf("%s: %#x is %q, want %q", name, x.Addr, got, x.Sym.Simple)
			}
			if got, _, ok := names.Symbol(r, 1<<60); ok {
				t.Fatalf("%s: address 1<<60 is %s", name, got)
			}
		}) {
			var task, pid int32
			var comm string
			fmt.Sscanf(who, "%d %d %q", &task, &pid, &comm)
			if k := rec.Task(task); k == nil && (pid != -1 || comm != "") || k != nil && pid != k.PID {
				t.Errorf("%s: thread %s, %+v", name, who, k)
			}
		}
	}
	if calls < 1000 {
		t.Error(calls, "calls")
	}
}

// TestNamesOfAIX: without layouts, a trace has no names and no processes, and the reader does not
// make any up.
func TestNamesOfAIX(t *testing.T) {
	for _, name := range glob(t, "../testdata/aix/*.trc") {
		rec, err := aix.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		names := rec.Names(nil)
		for who := range threads(rec.Merge(record.Options{}), names, func(r *record.Record, _ *aix.Entry) {
			if got, _, ok := names.Symbol(r, 0); ok {
				t.Fatal(got)
			}
		}) {
			var task, pid int32
			var comm string
			if fmt.Sscanf(who, "%d %d %q", &task, &pid, &comm); comm != "" {
				t.Errorf("%s: %s", name, who)
			}
		}
		rec.Close()
	}
}

// TestNamesOfLTTng: the names of processes come from the scheduler. Without its events, no thread
// is known.
func TestNamesOfLTTng(t *testing.T) {
	for _, switches := range []bool{true, false} {
		rec := lttngTrace(t, switches)
		known := false
		for who := range threads(rec.MergeTasks(record.Options{}), process.Of(rec),
			func(*record.Record, *lttng.Entry) {}) {
			var task, pid int32
			var comm string
			fmt.Sscanf(who, "%d %d %q", &task, &pid, &comm)
			if task < 0 && (pid != -1 || comm != "") {
				t.Error(who)
			}
			known = known || task >= 0
		}
		if known != switches {
			t.Errorf("with switches %v threads are known: %v", switches, known)
		}
	}
}

// TestWakeups: times from wakeups to switches equal the times of trace-cmd report -w (3.1.6). These
// are in microseconds with three digits; further digits are cut off.
func TestWakeups(t *testing.T) {
	rec, err := ftrace.Open("../testdata/ftrace/amd64-extract.dat")
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	field := map[string]func([]byte) int32{}
	ids := map[uint32]string{}
	for _, f := range rec.Formats() {
		for _, x := range f.Fields {
			if x.Name == "pid" && (f.Name == "sched_wakeup" || f.Name == "sched_wakeup_new") ||
				x.Name == "next_pid" && f.Name == "sched_switch" {
				ids[uint32(f.ID)] = f.Name
				at := x.Offset
				field[f.Name] = func(b []byte) int32 {
					return int32(uint32(b[at]) | uint32(b[at+1])<<8 | uint32(b[at+2])<<16 | uint32(b[at+3])<<24)
				}
			}
		}
	}
	woken := pair.Table[int32, struct{}]{AcrossLost: true}
	var n, sum, most, least uint64
	for r := range rec.Merge(ftrace.StreamOptions{}).All() {
		name := ids[r.ID]
		if name == "" {
			continue
		}
		pid := field[name](r.Data)
		if name != "sched_switch" {
			woken.Begin(pid, r, struct{}{})
			continue
		}
		if b, ok := woken.End(pid, r); ok {
			d := r.Time - b.Time
			n, sum, most = n+1, sum+d, max(most, d)
			if least == 0 || d < least {
				least = d
			}
		}
	}
	if n == 0 || sum/n != 206_120 || most != 4_284_881 || least != 7_451 {
		t.Errorf("%d times, on average %d ns, %d at most, %d at least", n, sum/max(n, 1), most, least)
	}
}
