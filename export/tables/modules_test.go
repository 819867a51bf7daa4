package tables_test

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/tables"
	"github.com/tracec/tracec/internal/testkit/ctftest"
)

// babeltraceSwitch matches a switch in the text of babeltrace2.
var babeltraceSwitch = regexp.MustCompile(`\[(\d+):(\d+):(\d+)\.(\d+)\].* sched_switch: \{ cpu_id = (\d+) \}.* prev_tid = (\d+),.* next_tid = (\d+),`)

// TestRunningOfModules compares the time that each thread ran on each processor with the text of
// babeltrace2 for a recording of lttng-modules.
func TestRunningOfModules(t *testing.T) {
	sample := sampleOf(t, "babeltrace", "1-succeed-lttng-tracefile-rotation")
	type run struct{ cpu, tid, begin, end int64 }
	want, last := []run{}, map[int64]run{}
	for line := range strings.Lines(sample.Texts["default.txt"]) {
		m := babeltraceSwitch.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		var n [8]int64
		for i, s := range m[1:] {
			n[i+1], _ = strconv.ParseInt(s, 10, 64)
		}
		at := (n[1]*3600+n[2]*60+n[3])*1e9 + n[4]
		if r, ok := last[n[5]]; ok {
			if r.tid != n[6] {
				t.Fatalf("%d runs where %d is left: %s", r.tid, n[6], line)
			}
			r.end = at
			want = append(want, r)
		}
		last[n[5]] = run{cpu: n[5], tid: n[7], begin: at}
	}
	w, got := tables.NewWalk(openFS(t, sample.Dir)), []run{}
	const day = 24 * 3600 * 1e9
	err := tables.ThreadState.Collect(w, func(s *tables.State) bool {
		if _, ok := s.Dur(); ok && s.State == "Running" {
			got = append(got, run{int64(s.CPU), int64(s.Thread.TID), int64(s.Begin % day), int64(s.End % day)})
		}
		return true
	})
	if err := errors.Join(err, w.Run(t.Context())); err != nil {
		t.Fatal(err)
	}
	order := func(a, b run) int { return cmp.Or(cmp.Compare(a.begin, b.begin), cmp.Compare(a.cpu, b.cpu)) }
	slices.SortFunc(want, order)
	slices.SortFunc(got, order)
	if len(want) < 4000 || !slices.Equal(want, got) {
		t.Errorf("%d runs, babeltrace2 has %d", len(got), len(want))
	}
}

func openFS(t *testing.T, dir fs.FS) *tracec.Recording {
	rec, err := tracec.OpenFS(t.Context(), dir, ".")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rec.Close() })
	return rec
}

func sampleOf(t *testing.T, group, name string) *ctftest.Sample {
	for _, s := range ctftest.Samples(t, group) {
		if s.Name == name {
			return s
		}
	}
	t.Fatal("no sample ", name)
	return nil
}

// TestTablesOfModules: events with other names in lttng-modules than in ftrace make the same rows.
// The names are in docs/spec/ctf.md 6.6.
func TestTablesOfModules(t *testing.T) {
	dir := ctftest.Modules(t, `
		0 100 sched_switch prev_comm="swapper" prev_tid=0 prev_state=0 next_comm="sh" next_tid=5
		0 200 syscall_entry_openat dfd=-100
		0 300 irq_handler_entry irq=9 name="acpi"
		0 350 irq_handler_exit irq=9 ret=1
		0 360 irq_softirq_raise vec=3
		0 400 irq_softirq_entry vec=3
		0 450 irq_softirq_exit vec=3
		0 500 timer_hrtimer_expire_entry hrtimer=7 now=500 function=8
		0 510 timer_hrtimer_expire_exit hrtimer=7
		0 600 x86_exceptions_page_fault_user address=4096 ip=8192 error_code=4
		0 700 block_rq_issue dev=8388608 sector=64 nr_sector=8 bytes=4096 rwbs=33 tid=5
		0 800 syscall_exit_openat ret=-2
		0 900 block_rq_complete dev=8388608 sector=64 nr_sector=8 error=0 rwbs=33
		0 1000 sched_switch prev_comm="sh" prev_tid=5 prev_state=4096 next_comm="swapper" next_tid=0
		1 1100 sched_waking comm="cat" tid=6 prio=20 target_cpu=1
		1 1200 sched_switch prev_comm="swapper" prev_tid=0 prev_state=0 next_comm="cat" next_tid=6
		1 1300 sched_process_exit comm="cat" tid=6 prio=20
		1 1400 sched_switch prev_comm="cat" prev_tid=6 prev_state=64 next_comm="swapper" next_tid=0`)
	w, out := tables.NewWalk(openFS(t, dir)), new(bytes.Buffer)
	add := func(format string, args ...any) bool { fmt.Fprintf(out, format+"\n", args...); return true }
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Error(err)
		}
	}
	must(tables.Syscalls.Collect(w, func(s *tables.Syscall) bool {
		return add("%s of %s: %d..%d = %d", s.Name, s.Thread.Name, s.Begin, s.End, s.Ret)
	}))
	must(tables.Interrupts.Collect(w, func(i *tables.Interrupt) bool {
		return add("%s %d %s: %d..%d in %s, after %d", i.Kind, i.Key, i.Name, i.Begin, i.End, i.Thread.Name, i.Delay)
	}))
	must(tables.PageFaults.Collect(w, func(f *tables.Fault) bool {
		return add("fault %s at %d, user %t", f.Letters(), f.Begin, f.User)
	}))
	must(tables.BlockIO.Collect(w, func(r *tables.Request) bool { return add("%s %d..%d", r.Op, r.Begin, r.End) }))
	must(tables.SchedLatency.Collect(w, func(l *tables.State) bool {
		return l.NoBegin != tables.Known || add("%s waits %d..%d %s %t", l.Thread.Name, l.Begin, l.End, l.Wait,
			l.NoEnd == tables.OpenEnd)
	}))
	must(w.Run(t.Context()))
	want := `irq 9 acpi: 300..350 in sh, after 0
softirq 3 : 400..450 in sh, after 40
hrtimer 7 : 500..510 in sh, after 0
fault U at 600, user true
openat of sh: 200..800 = -2
WS 700..900
cat waits 1100..1200 woken false
sh waits 1000..1000 preempted true
`
	if diff := gocmp.Diff(want, out.String()); diff != "" {
		t.Error(diff, w.Notes())
	}
}
