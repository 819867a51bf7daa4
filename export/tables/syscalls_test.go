package tables_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/tables"
	"github.com/tracec/tracec/internal/testkit/lttngtest"
	"github.com/tracec/tracec/internal/testkit/scripted"
	"github.com/tracec/tracec/runtime/lttng"
)

// callEvents are the events of system calls, and some of the scheduler.
var callEvents = append([]scripted.Event{
	{System: "raw_syscalls", Name: "sys_enter", Fields: "long id, unsigned long args[6]"},
	{System: "raw_syscalls", Name: "sys_exit", Fields: "long id, long ret"},
	{System: "syscalls", Name: "sys_enter_read", Fields: "int __syscall_nr, unsigned long fd, void * buf, size_t count"},
	{System: "syscalls", Name: "sys_exit_read", Fields: "int __syscall_nr, long ret"},
	{System: "syscalls", Name: "sys_enter_newfstat", Fields: "int __syscall_nr, unsigned long fd, void * statbuf"},
	{System: "syscalls", Name: "sys_exit_newfstat", Fields: "int __syscall_nr, long ret"},
	{System: "syscalls", Name: "sys_enter_rt_sigreturn", Fields: "int __syscall_nr"},
	{System: "syscalls", Name: "sys_exit_rt_sigreturn", Fields: "int __syscall_nr, long ret"},
	{System: "syscalls", Name: "sys_enter_semget", Fields: "int nr, long id"},
}, scripted.Sched...)

// calls returns a line for each row of a made recording: thread, name, begin-end, and its other
// values.
func calls(t testing.TB, rec *tracec.Recording) string {
	t.Helper()
	var b strings.Builder
	for _, r := range rows(t, tables.Syscalls, rec) {
		begin, end := r["ts"], r["ts_end"]
		switch reason, more, both := strings.Cut(r["reason"], ","); {
		case both:
			begin, end = reason, more
		case begin == "NULL":
			begin = reason
		case end == "NULL":
			end = reason
		}
		fmt.Fprintf(&b, "%s %s %s-%s", r["tid"], r["name"], begin, end)
		for _, c := range []string{"ret", "error", "restarts", "abi"} {
			if r[c] != "NULL" {
				fmt.Fprintf(&b, " %s %s", c, r[c])
			}
		}
		for _, c := range []string{"interrupted", "gap_inside"} {
			if r[c] != "0" {
				b.WriteString(" " + c)
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// TestSyscalls checks docs/spec/tables.md section 4.
func TestSyscalls(t *testing.T) {
	for _, c := range []struct{ name, events, want string }{
		{"results", `
			0 100 7 sys_enter id=0 args=3
			0 110 7 sys_exit id=0 ret=10
			0 120 7 sys_enter id=2
			0 130 7 sys_exit id=2 ret=-2
			0 140 7 sys_enter id=9
			0 150 7 sys_exit id=9 ret=-4096
			0 160 7 sys_enter id=9999
			0 170 7 sys_exit id=9999 ret=-38
			0 180 7 sys_enter id=5
			0 190 7 sys_exit id=5 ret=-600`, `
			7 read 100-110 ret 10
			7 open 120-130 ret -2 error ENOENT
			7 mmap 140-150 ret -4096
			7 9999 160-170 ret -38 error ENOSYS
			7 fstat 180-190 ret -600 error 600`},
		{"threads", `
			0 100 7 sys_enter id=0
			1 110 8 sys_enter id=1
			1 120 7 sys_exit id=0 ret=1
			0 130 8 sys_exit id=1 ret=2`, `
			7 read 100-120 ret 1
			8 write 110-130 ret 2`},
		{"a begin before the recording", `
			0 100 7 sys_exit id=0 ret=5
			0 110 7 sys_exit id=1 ret=5`, `
			7 read open_begin-100 ret 5
			7 write not_recorded-110 ret 5`},
		{"a new thread", `
			0 100 7 sys_enter id=56
			0 110 8 sys_exit id=56 ret=0
			0 120 7 sys_exit id=56 ret=8
			0 130 9 sys_exit id=56 ret=10
			0 140 10 sys_exit id=435 ret=0
			0 150 10 sys_exit id=56 ret=0`, `
			8 clone clone_child-110 ret 0
			7 clone 100-120 ret 8
			9 clone open_begin-130 ret 10
			10 clone3 clone_child-140 ret 0
			10 clone not_recorded-150 ret 0`},
		{"the number of a thread is used again", `
			0 100 7 sys_enter id=0
			0 110 7 sys_exit id=57 ret=0
			0 120 7 sys_enter id=60
			0 130 7 sys_exit id=58 ret=0
			0 140 7 sys_enter id=1
			0 150 8 sched_process_fork parent_pid=8 child_pid=7
			0 160 7 sys_exit id=57 ret=0`, `
			7 read 100-unpaired
			7 fork clone_child-110 ret 0
			7 exit 120-unpaired
			7 vfork clone_child-130 ret 0
			7 write 140-unpaired
			7 fork clone_child-160 ret 0`},
		{"no end", `
			0 100 7 sys_enter id=231
			0 110 8 sys_enter id=0
			0 120 9 sys_enter id=202
			0 130 9 sched_process_exit pid=9
			0 140 10 sys_enter id=60
			0 150 10 sched_process_exit pid=10
			0 160 11 sys_enter id=1
			0 170 0 sched_process_free pid=11`, `
			9 futex 120-unpaired
			10 exit 140-unpaired
			11 write 160-unpaired
			7 exit_group 100-unpaired
			8 read 110-open_end`},
		{"sigreturn", `
			0 100 7 sys_enter id=15
			0 110 7 sys_exit id=-1 ret=-4
			0 120 8 sys_exit id=-1 ret=-4
			0 130 7 sys_enter id=15
			0 140 7 sys_exit id=200 ret=3`, `
			7 rt_sigreturn 100-110
			8 -1 open_begin-120
			7 rt_sigreturn 130-140`},
		{"made again after a handler", `
			0 100 7 sys_enter id=0 args=3
			0 110 7 sys_exit id=0 ret=-512
			0 120 7 sys_enter id=1
			0 130 7 sys_exit id=1 ret=1
			0 140 7 sys_enter id=15
			0 150 7 sys_exit id=-1 ret=0
			0 160 7 sys_enter id=0 args=3
			0 170 7 sys_exit id=0 ret=1`, `
			7 read 100-110 ret -512 error ERESTARTSYS interrupted
			7 write 120-130 ret 1
			7 rt_sigreturn 140-150
			7 read 160-170 ret 1 restarts 110`},
		{"not made again", `
			0 100 7 sys_enter id=0 args=3
			0 110 7 sys_exit id=0 ret=-512
			0 140 7 sys_enter id=15
			0 150 7 sys_exit id=-1 ret=-4
			0 160 7 sys_enter id=0 args=3
			0 170 7 sys_exit id=0 ret=1`, `
			7 read 100-110 ret -512 error ERESTARTSYS interrupted
			7 rt_sigreturn 140-150
			7 read 160-170 ret 1`},
		{"another call after the handler", `
			0 100 7 sys_enter id=0 args=3
			0 110 7 sys_exit id=0 ret=-512
			0 120 7 sys_enter id=15
			0 130 7 sys_exit id=-1 ret=0
			0 140 7 sys_enter id=1
			0 150 7 sys_exit id=1 ret=1
			0 160 7 sys_enter id=0 args=3
			0 170 7 sys_exit id=0 ret=1`, `
			7 read 100-110 ret -512 error ERESTARTSYS interrupted
			7 rt_sigreturn 120-130
			7 write 140-150 ret 1
			7 read 160-170 ret 1`},
		{"the same call in a handler", `
			0 100 7 sys_enter id=61 args=1
			0 110 7 sys_exit id=61 ret=-512
			0 120 7 sys_enter id=61 args=2
			0 130 7 sys_exit id=61 ret=9
			0 140 7 sys_enter id=15
			0 150 7 sys_exit id=-1 ret=61
			0 160 7 sys_enter id=61 args=1
			0 170 7 sys_exit id=61 ret=1`, `
			7 wait4 100-110 ret -512 error ERESTARTSYS interrupted
			7 wait4 120-130 ret 9
			7 rt_sigreturn 140-150
			7 wait4 160-170 ret 1 restarts 110`},
		{"made again at once", `
			0 100 7 sys_enter id=61 args=1
			0 110 7 sys_exit id=61 ret=-513
			0 120 7 sys_enter id=61 args=1
			0 130 7 sys_exit id=61 ret=-514
			0 140 7 sys_enter id=35
			0 150 7 sys_exit id=35 ret=-516
			0 160 7 sys_enter id=219
			0 170 7 sys_exit id=219 ret=0`, `
			7 wait4 100-110 ret -513 error ERESTARTNOINTR interrupted
			7 wait4 120-130 ret -514 error ERESTARTNOHAND restarts 110 interrupted
			7 nanosleep 140-150 ret -516 error ERESTART_RESTARTBLOCK interrupted
			7 restart_syscall 160-170 ret 0 restarts 150`},
		{"exec", `
			0 100 7 sys_enter id=202
			0 110 8 sys_enter id=59
			0 120 7 sched_process_exec pid=7 old_pid=8
			0 130 7 sys_exit id=59 ret=0
			0 140 9 sys_enter id=59
			0 150 9 sched_process_exec pid=9 old_pid=9
			0 160 9 sys_exit id=59 ret=0
			0 170 7 sys_enter id=0
			0 180 7 sys_exit id=0 ret=1`, `
			7 futex 100-unpaired
			7 execve 110-130 ret 0
			9 execve 140-160 ret 0
			7 read 170-180 ret 1`},
		{"exec by another thread, without its event", `
			0 100 7 sys_enter id=202
			0 110 8 sys_enter id=59
			0 130 7 sys_exit id=59 ret=0`, `
			7 futex 100-unpaired
			7 execve not_recorded-130 ret 0
			8 execve 110-open_end`},
		{"begins twice", `
			0 100 7 sys_enter id=0
			0 110 7 sys_enter id=0
			0 120 7 sys_exit id=0 ret=1`, `
			7 read 100-replaced
			7 read 110-120 ret 1`},
		{"ends as another one", `
			0 100 7 sys_enter id=203
			0 120 7 sys_exit id=16 ret=0`, `
			7 sched_setaffinity 100-not_recorded
			7 ioctl not_recorded-120 ret 0`},
		{"names of the recorded kernel", `
			0 100 7 sys_enter_newfstat __syscall_nr=5 fd=3 statbuf=0x7000
			0 110 7 sys_exit_newfstat __syscall_nr=5 ret=0
			0 120 7 sys_enter_semget nr=64 id=5
			0 130 7 sys_enter_read __syscall_nr=0 fd=3 buf=0 count=1
			0 140 7 sys_exit_read __syscall_nr=0 ret=-9`, `
			7 newfstat 100-110 ret 0
			7 semget 120-not_recorded
			7 read 130-140 ret -9 error EBADF`},
		{"sigreturn by name", `
			0 100 7 sys_enter_rt_sigreturn __syscall_nr=15
			0 110 7 sys_enter_read __syscall_nr=0
			0 120 7 sys_exit_read __syscall_nr=0 ret=1
			0 130 7 sys_enter_rt_sigreturn __syscall_nr=15`, `
			7 rt_sigreturn 100-not_recorded
			7 read 110-120 ret 1
			7 rt_sigreturn 130-not_recorded`},
		{"both events", `
			0 100 7 sys_enter id=5 args=3
			0 101 7 sys_enter_newfstat __syscall_nr=5 fd=3
			0 110 7 sys_exit id=5 ret=0
			0 111 7 sys_exit_newfstat __syscall_nr=5 ret=0
			0 120 7 sys_enter_newfstat __syscall_nr=5 fd=3
			0 121 7 sys_enter id=5 args=3
			0 130 7 sys_exit_newfstat __syscall_nr=5 ret=0
			0 131 7 sys_exit id=5 ret=0
			0 140 7 sys_exit id=0 ret=1
			0 141 7 sys_exit_read __syscall_nr=0 ret=1`, `
			7 newfstat 100-110 ret 0
			7 newfstat 120-130 ret 0
			7 read not_recorded-140 ret 1`},
		{"32 bits", `
			0 100 7 sys_enter id=0
			0 110 7 sys_exit id=0 ret=0
			0 120 7 sys_enter id=0
			0 121 7 sys_enter_read __syscall_nr=0
			0 130 7 sys_exit id=0 ret=0
			0 131 7 sys_exit_read __syscall_nr=0 ret=0
			0 140 7 sys_enter id=0
			0 150 7 sys_exit id=0 ret=0
			0 160 7 sys_enter id=1
			0 170 7 sys_exit id=1 ret=0`, `
			7 read 100-110 ret 0
			7 read 120-130 ret 0
			7 NULL 140-150 ret 0 abi compat?
			7 write 160-170 ret 0`},
		{"losses", `
			0 100 7 sys_enter id=0
			0 101 8 sys_enter id=1
			0 102 9 sys_enter id=2
			0 103 10 sys_enter id=3
			0 104 11 sys_enter id=231
			1 110 7 lost=1 sys_exit id=0 ret=1
			0 120 8 sys_enter id=1
			0 130 9 sys_exit id=3 ret=0
			0 140 12 sys_exit id=0 ret=0
			0 150 8 sys_exit id=1 ret=1
			0 160 8 sys_exit id=1 ret=1`, `
			7 read 100-110 ret 1 gap_inside
			8 write 101-lost
			9 open 102-lost
			9 close lost-130 ret 0
			12 read lost-140 ret 0
			8 write 120-150 ret 1
			8 write not_recorded-160 ret 1
			10 close 103-lost
			11 exit_group 104-unpaired`},
		{"a loss that is reported later", `
			1 90 9 lost=1 sys_exit id=0 ret=0
			0 100 7 sys_enter id=83
			1 110 7 sys_exit id=0 ret=-512
			0 120 8 lost=1 sys_enter id=1`, `
			9 read lost-90 ret 0
			7 mkdir 100-lost
			7 read lost-110 ret -512 error ERESTARTSYS interrupted
			8 write 120-open_end`},
		{"nothing is made again after a loss", `
			0 100 7 sys_enter id=0 args=3
			0 110 7 sys_exit id=0 ret=-512
			0 120 7 lost=1 sys_enter id=0 args=3
			0 130 7 sys_exit id=0 ret=1
			0 140 7 sys_enter id=15
			0 150 7 lost=1 sys_exit id=-1 ret=0`, `
			7 read 100-110 ret -512 error ERESTARTSYS interrupted
			7 read 120-130 ret 1
			7 rt_sigreturn 140-150 gap_inside`},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := strings.TrimPrefix(strings.ReplaceAll(c.want+"\n", "\t", ""), "\n")
			if got := calls(t, scripted.Open(t, callEvents, c.events)); got != want {
				t.Errorf("got:\n%swant:\n%s", got, want)
			}
		})
	}
}

// TestArguments: arguments have the names of their fields, or are six numbers.
func TestArguments(t *testing.T) {
	rec := scripted.Open(t, callEvents, `
		0 100 7 sys_enter id=0 args=3,0x7fff0000,10
		0 110 7 sys_exit id=0 ret=10
		0 120 7 sys_enter id=64 args=1
		0 121 7 sys_enter_semget nr=64 id=5
		0 130 7 sys_exit id=64 ret=10
		0 140 7 sys_enter_read __syscall_nr=0 fd=3 buf=0x7fff0000 count=10
		0 150 7 sys_exit id=1 ret=10`)
	var got []string
	for _, r := range rows(t, tables.Syscalls, rec) {
		got = append(got, r["name"]+"("+r["args"]+")")
	}
	want := "[read(0x3, 0x7fff0000, 0xa, 0x0, 0x0, 0x0) semget(id=5) read(fd=3, buf=0x7fff0000, count=10) write(NULL)]"
	if fmt.Sprint(got) != want {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

// TestRandomSyscalls: for any events, a row ends after its begin, each event is in at most one row,
// and a thread has at most one open call.
func TestRandomSyscalls(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	numbers := []int64{0, 1, 5, 15, 56, 59, 60, 64, 202, 219, -1, 1 << 40, -1 << 63}
	results := []int64{0, 0, 1, -2, -4, -512, -516, 1 << 62}
	const events, threads = 300, 5
	for range 25 {
		var b strings.Builder
		for i := range events {
			at := 1000 + 2*i
			if r.IntN(50) == 0 { // the clock goes back
				at -= r.IntN(500)
			}
			fmt.Fprintf(&b, "%d %d %d", r.IntN(2), at, r.IntN(threads))
			if r.IntN(40) == 0 {
				b.WriteString(" lost=1")
			}
			e := callEvents[r.IntN(len(callEvents))]
			b.WriteString(" " + e.Name)
			for f := range strings.SplitSeq(e.Fields, ", ") {
				from := results
				switch name := f[strings.LastIndexByte(f, ' ')+1:]; {
				case strings.HasSuffix(name, "pid"):
					fmt.Fprintf(&b, " %s=%d", name, r.IntN(threads))
					continue
				case name == "id" || name == "nr" || name == "__syscall_nr":
					from = numbers
				case strings.Contains(name, "["):
					continue
				}
				fmt.Fprintf(&b, " %s=%d", f[strings.LastIndexByte(f, ' ')+1:], from[r.IntN(len(from))])
			}
			b.WriteByte('\n')
		}
		open, halves := 0, 0
		for row, err := range tables.Syscalls.Rows(context.Background(), scripted.Open(t, callEvents, b.String())) {
			if err != nil {
				t.Fatal(err)
			}
			begun, ended := row.NoBegin == tables.Known, row.NoEnd == tables.Known
			if begun {
				halves++
			}
			if ended {
				halves++
			}
			if row.NoEnd == tables.OpenEnd {
				open++
			}
			if !begun && !ended || begun && ended && row.Begin > row.End {
				t.Errorf("%+v", *row)
			}
			row.AppendArgs(nil)
		}
		if open > threads+1 || halves > events { // thread 0 exists once for each processor
			t.Errorf("%d open rows, %d begins and ends, of\n%s", open, halves, b.String())
		}
	}
}

// TestMarkers: the markers of LTTng lack the number at the end of a call and the machine.
func TestMarkers(t *testing.T) {
	dir := t.TempDir()
	w, err := lttng.NewWriter(lttng.CreateIn(dir),
		lttng.Layout{Dialect: lttng.V26, WordSize: 8, Alignment: 8, BlockSize: 4096, CPUs: 1, Freq: 1_000_000_000})
	if err != nil {
		t.Fatal(err)
	}
	schedule := lttngtest.Mark(t, w, "kernel", "sched_schedule", "prev_pid %d next_pid %d prev_state #2d%ld")
	entry := lttngtest.Mark(t, w, "kernel", "syscall_entry", "ip #p%ld syscall_id #2u%u")
	exit := lttngtest.Mark(t, w, "kernel", "syscall_exit", "ret %ld")
	event := func(time uint64, m *lttng.Mark, values ...any) {
		if err := w.Event(0, m, time, values...); err != nil {
			t.Fatal(err)
		}
	}
	event(1000, schedule, int32(0), int32(7), int16(0))
	event(1010, exit, int64(0))
	event(1020, entry, uint64(0x7000), uint16(3))
	event(1030, exit, int64(-9))
	event(1040, entry, uint64(0x7000), uint16(4))
	event(1050, schedule, int32(7), int32(8), int16(0))
	event(1060, entry, uint64(0x7000), uint16(5))
	event(1070, entry, uint64(0x7000), uint16(6))
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	rec, err := tracec.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	want := "7 NULL open_begin-1010 ret 0\n7 3 1020-1030 ret -9 error EBADF\n8 5 1060-replaced\n7 4 1040-open_end\n8 6 1070-open_end\n"
	if got := calls(t, rec); got != want {
		t.Errorf("got:\n%swant:\n%s", got, want)
	}
}
