package timeline_test

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/timeline"
	"github.com/tracec/tracec/internal/testkit/exporttest"
	"github.com/tracec/tracec/runtime/record"
)

// spans returns a line for each span in the order of their ends: track, depth, name, begin, end,
// child, marks.
func spans(t *testing.T, rec record.Recording) string {
	t.Helper()
	var b bytes.Buffer
	tl, _ := newTimeline(t, rec)
	var n nesting
	for it := range tl.All() {
		n.check(t, it)
		if it.Kind != timeline.End || it.Track.Kind == timeline.CPU {
			continue
		}
		s := it.Span
		fmt.Fprintf(&b, "%v %d: %d %s %d-%d", it.Track.Kind, it.Track.ID, len(it.Track.Open), it.Name.Text, s.Begin,
			s.End)
		if s.Child > 0 {
			fmt.Fprintf(&b, " child %d", s.Child)
		}
		if s.Unseen {
			b.WriteString(" unseen")
		}
		if s.Cut {
			b.WriteString(" cut")
		}
		b.WriteString("\n")
	}
	if err := tl.Err(); err != nil {
		t.Error(err)
	}
	return b.String()
}

// TestSpans: calls with only a recorded end nest, a thread's spans end with it, and spans that
// cannot nest do not.
func TestSpans(t *testing.T) {
	call := func(time uint64, name string, fn, depth uint64, times ...uint64) exporttest.Event {
		return exporttest.Event{Time: time, Task: 7, Name: "funcgraph_" + name,
			Values: append([]uint64{fn, depth}, times...)}
	}
	lost := func(e exporttest.Event) exporttest.Event { e.Lost = true; return e }
	of := func(time uint64, task int32, name string, values ...uint64) exporttest.Event {
		return exporttest.Event{Time: time, Task: task, Name: name, Values: values}
	}
	in := func(flags byte, e exporttest.Event) exporttest.Event { e.Flags = flags; return e }
	const softirq = 16
	for _, c := range []struct {
		name   string
		events []exporttest.Event
		want   string
	}{
		{"ends alone", exporttest.EndsAlone(), `
			functions 7: 2 c 30-100 unseen
			functions 7: 2 d 110-115
			functions 7: 1 b 15-120 child 75 unseen
			functions 7: 0 a 10-125 child 105 unseen`},
		{"nobody names them", []exporttest.Event{
			call(100, "entry", 0xc0, 2), call(110, "exit", 0xc0, 2, 100, 110),
			call(300, "entry", 0xa0, 0), of(400, 8, "sys_exit", 1),
		}, `
			functions 7: 2 c 100-110
			functions 7: 1 [unknown] 100-110 child 10 unseen cut
			functions 7: 0 [unknown] 100-110 child 10 unseen cut
			functions 7: 0 a 300-400 cut`},
		{"after a loss", []exporttest.Event{
			call(100, "entry", 0xa0, 0), call(110, "exit", 0xa0, 0, 100, 110),
			lost(call(200, "entry", 0xc0, 1)), call(210, "exit", 0xc0, 1, 200, 210),
			call(220, "exit", 0xb0, 0, 150, 220),
		}, `
			functions 7: 0 a 100-110
			functions 7: 1 c 200-210
			functions 7: 0 b 150-220 child 10 unseen`},
		{"another tracer's", []exporttest.Event{
			call(100, "entry", 0xa0, 0), call(110, "entry", 0xc0, 2),
			call(120, "exit", 0xc0, 2, 110, 120), call(130, "exit", 0xa0, 0, 100, 130),
		}, `
			functions 7: 1 c 110-120
			functions 7: 0 a 100-130 child 10`},
		{"the last switch", []exporttest.Event{
			of(100, 7, "sys_enter", 231), of(150, 7, "sched_switch", 7, 0x10, 8),
			of(900, 8, "sys_enter", 61), of(1000, 8, "sys_exit", 61),
		}, `
			thread 7: 0 exit_group 100-150 cut
			thread 8: 0 wait4 900-1000`},
		{"asleep", []exporttest.Event{
			of(100, 7, "sys_enter", 61), of(150, 7, "sched_switch", 7, 1, 8), of(900, 8, "sys_enter", 4000),
		}, `
			thread 7: 0 wait4 100-900 cut
			thread 8: 0 system call 4000 900-900 cut`},
		{"exits", []exporttest.Event{
			of(100, 7, "sys_enter", 202), of(140, 7, "sched_process_exit", 7), of(900, 8, "sys_exit", 0),
		}, `
			thread 7: 0 futex 100-140 cut`},
		{"exits and comes again", []exporttest.Event{
			of(100, 7, "sys_enter", 202), of(140, 7, "sched_process_exit", 7), of(200, 8, "sched_process_fork", 7),
			of(300, 7, "sys_enter", 0), of(310, 7, "sys_exit", 0),
		}, `
			thread 7: 0 futex 100-140 cut
			thread 7: 0 read 300-310`},
		{"soft interrupts", []exporttest.Event{
			in(softirq, of(100, 7, "softirq_entry", 1)), in(softirq, of(200, 7, "softirq_entry", 9)),
			in(softirq, of(300, 7, "softirq_entry", 1)),
			in(softirq, of(310, 7, "softirq_exit", 1)),
		}, `
			interrupt 0: 0 softirq 1 100-200 cut
			interrupt 0: 0 softirq 9 200-300 cut
			interrupt 0: 0 softirq 1 300-310`},
		{"exits that say they began before what is around them", []exporttest.Event{
			call(100, "entry", 0xa0, 0), lost(call(200, "exit", 0xc0, 2, 50, 200)),
			call(210, "exit", 0xb0, 1, 150, 210), call(220, "exit", 0xa0, 0, 100, 220),
		}, `
			functions 7: 2 c 100-200 unseen
			functions 7: 1 b 100-210 child 100 unseen
			functions 7: 0 a 100-220 child 110`},
		{"in flight", []exporttest.Event{
			of(100, 7, "block_io_start", 1), of(110, 7, "block_io_start", 2), of(120, 7, "block_io_done", 1),
		}, ""},
		{"interrupted", []exporttest.Event{
			of(100, 7, "contention_begin", 1), of(110, 7, "contention_begin", 2),
			in(softirq, of(120, 7, "contention_begin", 3)),
			in(softirq, of(130, 7, "contention_end", 3)), of(140, 7, "contention_end", 2),
		}, `
			thread 7: 0 contention 100-110 cut
			thread 7: 1 contention 120-130
			thread 7: 0 contention 110-140 child 10`},
		{"recursion", []exporttest.Event{
			of(100, 7, "f_entry", 1), of(110, 7, "f_entry", 1), of(120, 7, "f_exit", 1), of(130, 7, "f_exit", 1),
		}, `
			thread 7: 1 f 110-120
			thread 7: 0 f 100-130 child 10`},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := strings.TrimPrefix(strings.ReplaceAll(c.want+"\n", "\t", ""), "\n")
			if got := spans(t, exporttest.Made(t, c.events)); got != want {
				t.Errorf("got:\n%swant:\n%s", got, want)
			}
		})
	}
}

// TestDeepCalls: the number of calls without a begin is bounded.
func TestDeepCalls(t *testing.T) {
	var events []exporttest.Event
	for i := range 150 { // each thread begins at a great depth
		events = append(events, exporttest.Event{
			Time: uint64(100 + i), Task: int32(100 + i), Name: "funcgraph_entry", Lost: i%70 == 0,
			Values: []uint64{0xa0, uint64(200 + i%2<<40)},
		})
	}
	tl, _ := newTimeline(t, exporttest.Made(t, events))
	items := 0
	for range tl.All() {
		items++
	}
	if most := 2 * (150*201 + 150); items > most || items < 75*200 {
		t.Errorf("%d items of %d events", items, len(events))
	}
}

// TestNegativeDepth: a damaged entry with a depth below 0 is an instant without nested calls.
func TestNegativeDepth(t *testing.T) {
	entry := func(time, depth uint64) exporttest.Event {
		return exporttest.Event{Time: time, Task: 100, Name: "funcgraph_entry", Values: []uint64{0xa0, depth}}
	}
	tl, _ := newTimeline(t, exporttest.Made(t, []exporttest.Event{entry(100, 1<<32-60_000), entry(200, 2)}))
	kinds := map[timeline.Kind]int{}
	for it := range tl.All() {
		kinds[it.Kind]++
	}
	if want := (map[timeline.Kind]int{timeline.Instant: 1, timeline.Begin: 3, timeline.End: 3}); !maps.Equal(kinds,
		want) {
		t.Errorf("items %v, want %v", kinds, want)
	}
}

// TestSyscallNumbers: the events at both ends of a system call have the same number, even if events
// were lost. The end of sigreturn has -1.
func TestSyscallNumbers(t *testing.T) {
	rec, err := tracec.Open(context.Background(), "../../testdata/tables/lost-syscalls/lost-syscalls.dat.zst")
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	r, err := tracec.NewReader(rec, tracec.WithEvents("raw_syscalls:*"))
	if err != nil {
		t.Fatal(err)
	}
	tl, err := timeline.New(r)
	if err != nil {
		t.Fatal(err)
	}
	begun, ended, cut := map[*timeline.Track]int64{}, 0, 0
	for it := range tl.All() {
		switch it.Kind {
		case timeline.Begin:
			v, _ := it.Event.Field("id")
			begun[it.Track] = v.Int()
		case timeline.End:
			if it.Event == nil {
				cut++
				continue
			}
			ended++
			if v, _ := it.Event.Field("id"); v.Int() != begun[it.Track] && v.Int() != -1 {
				t.Errorf("%d ends %d at %d", v.Int(), begun[it.Track], it.Time)
			}
		}
	}
	if ended < 100 || cut == 0 {
		t.Errorf("%d calls with an end, %d without", ended, cut)
	}
}
