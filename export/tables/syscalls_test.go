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
	"github.com/tracec/tracec/runtime/lttng"
)

// calls returns a line for each row of a made recording: thread, name, begin-end, and what else it
// has.
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
		for _, c := range []string{"ret", "errno", "restarts", "abi"} {
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

// TestSyscalls: docs/spec/tables.md section 4.
func TestSyscalls(t *testing.T) {
	for _, c := range []struct{ name, events, want string }{
		{"results", `
			100 7 sys_enter 0 3
			110 7 sys_exit 0 10
			120 7 sys_enter 2
			130 7 sys_exit 2 -2
			140 7 sys_enter 9
			150 7 sys_exit 9 -4096
			160 7 sys_enter 9999
			170 7 sys_exit 9999 -38
			180 7 sys_enter 5
			190 7 sys_exit 5 -600`, `
			7 read 100-110 ret 10
			7 open 120-130 ret -2 errno ENOENT
			7 mmap 140-150 ret -4096
			7 9999 160-170 ret -38 errno ENOSYS
			7 fstat 180-190 ret -600`},
		{"threads", `
			100 7@0 sys_enter 0
			110 8@1 sys_enter 1
			120 7@1 sys_exit 0 1
			130 8@0 sys_exit 1 2`, `
			7 read 100-120 ret 1
			8 write 110-130 ret 2`},
		{"a begin before the recording", `
			100 7 sys_exit 0 5
			110 7 sys_exit 1 5`, `
			7 read open_begin-100 ret 5
			7 write not_recorded-110 ret 5`},
		{"a new thread", `
			100 7 sys_enter 56
			110 8 sys_exit 56 0
			120 7 sys_exit 56 8
			130 9 sys_exit 56 10
			140 10 sys_exit 435 0
			150 10 sys_exit 56 0`, `
			8 clone clone_child-110 ret 0
			7 clone 100-120 ret 8
			9 clone open_begin-130 ret 10
			10 clone3 clone_child-140 ret 0
			10 clone not_recorded-150 ret 0`},
		{"the number of a thread is used again", `
			100 7 sys_enter 0
			110 7 sys_exit 57 0
			120 7 sys_enter 60
			130 7 sys_exit 58 0
			140 7 sys_enter 1
			150 8 sched_process_fork 8 7
			160 7 sys_exit 57 0`, `
			7 read 100-unpaired
			7 fork clone_child-110 ret 0
			7 exit 120-unpaired
			7 vfork clone_child-130 ret 0
			7 write 140-unpaired
			7 fork clone_child-160 ret 0`},
		{"no end", `
			100 7 sys_enter 231
			110 8 sys_enter 0
			120 9 sys_enter 202
			130 9 sched_process_exit 9
			140 10 sys_enter 60
			150 10 sched_process_exit 10
			160 11 sys_enter 1
			170 0 sched_process_free 11`, `
			9 futex 120-unpaired
			10 exit 140-unpaired
			11 write 160-unpaired
			7 exit_group 100-unpaired
			8 read 110-open_end`},
		{"sigreturn", `
			100 7 sys_enter 15
			110 7 sys_exit -1 -4
			120 8 sys_exit -1 -4
			130 7 sys_enter 15
			140 7 sys_exit 200 3`, `
			7 rt_sigreturn 100-110
			8 -1 open_begin-120
			7 rt_sigreturn 130-140`},
		{"made again after a handler", `
			100 7 sys_enter 0 3
			110 7 sys_exit 0 -512
			120 7 sys_enter 1
			130 7 sys_exit 1 1
			140 7 sys_enter 15
			150 7 sys_exit -1 0
			160 7 sys_enter 0 3
			170 7 sys_exit 0 1`, `
			7 read 100-110 ret -512 errno ERESTARTSYS interrupted
			7 write 120-130 ret 1
			7 rt_sigreturn 140-150
			7 read 160-170 ret 1 restarts 110`},
		{"not made again", `
			100 7 sys_enter 0 3
			110 7 sys_exit 0 -512
			140 7 sys_enter 15
			150 7 sys_exit -1 -4
			160 7 sys_enter 0 3
			170 7 sys_exit 0 1`, `
			7 read 100-110 ret -512 errno ERESTARTSYS interrupted
			7 rt_sigreturn 140-150
			7 read 160-170 ret 1`},
		{"another call after the handler", `
			100 7 sys_enter 0 3
			110 7 sys_exit 0 -512
			120 7 sys_enter 15
			130 7 sys_exit -1 0
			140 7 sys_enter 1
			150 7 sys_exit 1 1
			160 7 sys_enter 0 3
			170 7 sys_exit 0 1`, `
			7 read 100-110 ret -512 errno ERESTARTSYS interrupted
			7 rt_sigreturn 120-130
			7 write 140-150 ret 1
			7 read 160-170 ret 1`},
		{"the same call in a handler", `
			100 7 sys_enter 61 1
			110 7 sys_exit 61 -512
			120 7 sys_enter 61 2
			130 7 sys_exit 61 9
			140 7 sys_enter 15
			150 7 sys_exit -1 61
			160 7 sys_enter 61 1
			170 7 sys_exit 61 1`, `
			7 wait4 100-110 ret -512 errno ERESTARTSYS interrupted
			7 wait4 120-130 ret 9
			7 rt_sigreturn 140-150
			7 wait4 160-170 ret 1 restarts 110`},
		{"made again at once", `
			100 7 sys_enter 61 1
			110 7 sys_exit 61 -513
			120 7 sys_enter 61 1
			130 7 sys_exit 61 -514
			140 7 sys_enter 35
			150 7 sys_exit 35 -516
			160 7 sys_enter 219
			170 7 sys_exit 219 0`, `
			7 wait4 100-110 ret -513 errno ERESTARTNOINTR interrupted
			7 wait4 120-130 ret -514 errno ERESTARTNOHAND restarts 110 interrupted
			7 nanosleep 140-150 ret -516 errno ERESTART_RESTARTBLOCK interrupted
			7 restart_syscall 160-170 ret 0 restarts 150`},
		{"exec", `
			100 7 sys_enter 202
			110 8 sys_enter 59
			120 7 sched_process_exec 7 8
			130 7 sys_exit 59 0
			140 9 sys_enter 59
			150 9 sched_process_exec 9 9
			160 9 sys_exit 59 0
			170 7 sys_enter 0
			180 7 sys_exit 0 1`, `
			7 futex 100-unpaired
			7 execve 110-130 ret 0
			9 execve 140-160 ret 0
			7 read 170-180 ret 1`},
		{"exec by another thread, without its event", `
			100 7 sys_enter 202
			110 8 sys_enter 59
			130 7 sys_exit 59 0`, `
			7 futex 100-unpaired
			7 execve not_recorded-130 ret 0
			8 execve 110-open_end`},
		{"begins twice", `
			100 7 sys_enter 0
			110 7 sys_enter 0
			120 7 sys_exit 0 1`, `
			7 read 100-replaced
			7 read 110-120 ret 1`},
		{"ends as another one", `
			100 7 sys_enter 203
			120 7 sys_exit 16 0`, `
			7 sched_setaffinity 100-not_recorded
			7 ioctl not_recorded-120 ret 0`},
		{"names of the recorded kernel", `
			100 7 sys_enter_newfstat 5 3 0x7000
			110 7 sys_exit_newfstat 5 0
			120 7 sys_enter_semget 64 5
			130 7 sys_enter_read 0 3 0 1
			140 7 sys_exit_read 0 -9`, `
			7 newfstat 100-110 ret 0
			7 semget 120-not_recorded
			7 read 130-140 ret -9 errno EBADF`},
		{"sigreturn by name", `
			100 7 sys_enter_rt_sigreturn 15
			110 7 sys_enter_read 0
			120 7 sys_exit_read 0 1
			130 7 sys_enter_rt_sigreturn 15`, `
			7 rt_sigreturn 100-not_recorded
			7 read 110-120 ret 1
			7 rt_sigreturn 130-not_recorded`},
		{"both events", `
			100 7 sys_enter 5 3
			101 7 sys_enter_newfstat 5 3
			110 7 sys_exit 5 0
			111 7 sys_exit_newfstat 5 0
			120 7 sys_enter_newfstat 5 3
			121 7 sys_enter 5 3
			130 7 sys_exit_newfstat 5 0
			131 7 sys_exit 5 0
			140 7 sys_exit 0 1
			141 7 sys_exit_read 0 1`, `
			7 newfstat 100-110 ret 0
			7 newfstat 120-130 ret 0
			7 read not_recorded-140 ret 1`},
		{"32 bits", `
			100 7 sys_enter 0
			110 7 sys_exit 0 0
			120 7 sys_enter 0
			121 7 sys_enter_read 0
			130 7 sys_exit 0 0
			131 7 sys_exit_read 0 0
			140 7 sys_enter 0
			150 7 sys_exit 0 0
			160 7 sys_enter 1
			170 7 sys_exit 1 0`, `
			7 read 100-110 ret 0
			7 read 120-130 ret 0
			7 NULL 140-150 ret 0 abi compat?
			7 write 160-170 ret 0`},
		{"losses", `
			100 7@0 sys_enter 0
			101 8@0 sys_enter 1
			102 9@0 sys_enter 2
			103 10@0 sys_enter 3
			104 11@0 sys_enter 231
			110 7@1 !sys_exit 0 1
			120 8@0 sys_enter 1
			130 9@0 sys_exit 3 0
			140 12@0 sys_exit 0 0
			150 8@0 sys_exit 1 1
			160 8@0 sys_exit 1 1`, `
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
			90 9@1 !sys_exit 0 0
			100 7@0 sys_enter 83
			110 7@1 sys_exit 0 -512
			120 8@0 !sys_enter 1`, `
			9 read lost-90 ret 0
			7 mkdir 100-lost
			7 read lost-110 ret -512 errno ERESTARTSYS interrupted
			8 write 120-open_end`},
		{"nothing is made again after a loss", `
			100 7 sys_enter 0 3
			110 7 sys_exit 0 -512
			120 7 !sys_enter 0 3
			130 7 sys_exit 0 1
			140 7 sys_enter 15
			150 7 !sys_exit -1 0`, `
			7 read 100-110 ret -512 errno ERESTARTSYS interrupted
			7 read 120-130 ret 1
			7 rt_sigreturn 140-150 gap_inside`},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := strings.TrimPrefix(strings.ReplaceAll(c.want+"\n", "\t", ""), "\n")
			if got := calls(t, made(t, c.events)); got != want {
				t.Errorf("got:\n%swant:\n%s", got, want)
			}
		})
	}
}

// TestArguments: arguments by the names of their fields, or six numbers.
func TestArguments(t *testing.T) {
	rec := made(t, `
		100 7 sys_enter 0 3 0x7fff0000 10
		110 7 sys_exit 0 10
		120 7 sys_enter 64 1
		121 7 sys_enter_semget 64 5
		130 7 sys_exit 64 10
		140 7 sys_enter_read 0 3 0x7fff0000 10
		150 7 sys_exit 1 10`)
	var got []string
	for _, r := range rows(t, tables.Syscalls, rec) {
		got = append(got, r["name"]+"("+r["args"]+")")
	}
	want := "[read(0x3, 0x7fff0000, 0xa, 0x0, 0x0, 0x0) semget(id=5) read(fd=3, buf=0x7fff0000, count=10) write(NULL)]"
	if fmt.Sprint(got) != want {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

// TestRandomSyscalls: whatever is recorded, a row ends after its begin, each event is in one row at
// most, and a thread has one open call at most.
func TestRandomSyscalls(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	numbers := []int64{0, 1, 5, 15, 56, 59, 60, 64, 202, 219, -1, 1 << 40, -1 << 63}
	results := []int64{0, 0, 1, -2, -4, -512, -516, 1 << 62}
	pick := func(from []int64) int64 { return from[r.IntN(len(from))] }
	for range 40 {
		var b strings.Builder
		const events, threads = 2000, 5
		for i := range events {
			lost := ""
			if r.IntN(40) == 0 {
				lost = "!"
			}
			fmt.Fprintf(&b, "%d %d@%d %s", 100+r.IntN(2)+2*i, r.IntN(threads), r.IntN(2), lost)
			switch k := kinds[r.IntN(len(kinds))]; {
			case k.system == "sched":
				fmt.Fprintf(&b, "%s %d %d\n", k.name, r.IntN(threads), r.IntN(threads))
			default:
				fmt.Fprintf(&b, "%s %d %d\n", k.name, pick(numbers), pick(results))
			}
		}
		rec := made(t, b.String())
		open, halves := 0, 0
		for row, err := range tables.Syscalls.Rows(context.Background(), rec) {
			if err != nil {
				t.Fatal(err)
			}
			if row.NoBegin == tables.Known {
				halves++
			}
			if row.NoEnd == tables.Known {
				halves++
			}
			if row.NoEnd == tables.OpenEnd {
				open++
			}
			if row.NoBegin == tables.Known && row.NoEnd == tables.Known && row.Begin > row.End || row.NoBegin != tables.Known && row.NoEnd != tables.Known {
				t.Errorf("%+v", *row)
			}
			row.AppendArgs(nil)
		}
		if open > threads+1 || halves > events { // thread 0 is one for each processor
			t.Errorf("%d open rows, %d begins and ends, of\n%s", open, halves, b.String())
		}
	}
}

// TestMarkers: the markers of LTTng have no number at the end of a call, and no machine.
func TestMarkers(t *testing.T) {
	dir := t.TempDir()
	w, err := lttng.NewWriter(lttng.CreateIn(dir), lttng.Layout{Dialect: lttng.V26, WordSize: 8, Alignment: 8, BlockSize: 4096, CPUs: 1, Freq: 1_000_000_000})
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
	want := "7 NULL open_begin-1010 ret 0\n7 3 1020-1030 ret -9 errno EBADF\n8 5 1060-replaced\n7 4 1040-open_end\n8 6 1070-open_end\n"
	if got := calls(t, rec); got != want {
		t.Errorf("got:\n%swant:\n%s", got, want)
	}
}
