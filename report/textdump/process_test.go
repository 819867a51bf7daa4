package textdump_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/report/textdump"
	"github.com/tracec/tracec/runtime/lttng"
)

// scene writes events. A marker is described before its first event.
type scene struct {
	t     *testing.T
	dir   string
	w     *lttng.Writer
	marks map[string]*lttng.Mark
	now   uint64
}

func newScene(t *testing.T, d lttng.Dialect, cpus int) *scene {
	t.Helper()
	s := &scene{t: t, dir: t.TempDir(), marks: map[string]*lttng.Mark{}, now: 1e9}
	var err error
	s.w, err = lttng.NewWriter(lttng.CreateIn(s.dir),
		lttng.Layout{Dialect: d, WordSize: 4, BlockSize: 4096, CPUs: cpus, Freq: 1e9, StartTSC: s.now})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// event writes an event of a marker such as "kernel.process_free pid %d", a nanosecond after the
// previous one. Up to 2.2 the channel is the channel of the files.
func (s *scene) event(cpu int, marker string, values ...any) {
	s.t.Helper()
	m := s.marks[marker]
	if m == nil {
		name, format, _ := strings.Cut(marker, " ")
		channel, name, _ := strings.Cut(name, ".")
		var err error
		if m, err = s.w.Marker(channel, name, format); err != nil {
			s.t.Fatal(err)
		}
		s.marks[marker] = m
	}
	s.now++
	if err := s.w.Event(cpu, m, s.now, values...); err != nil {
		s.t.Fatal(err)
	}
}

// columns prints the trace: event, cpu and the columns of every event, except events that describe
// markers.
func (s *scene) columns() (lines []string) {
	s.t.Helper()
	if err := s.w.Close(); err != nil {
		s.t.Fatal(err)
	}
	rec, err := lttng.Open(s.dir)
	if err != nil {
		s.t.Fatal(err)
	}
	defer rec.Close()
	var out bytes.Buffer
	if err := textdump.Run(context.Background(), rec, textdump.Options{Name: "t"}, &out); err != nil {
		s.t.Fatal(err)
	}
	for line := range strings.Lines(out.String()) {
		name, rest, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok || strings.Contains(name, "core_") {
			continue
		}
		rest = rest[strings.Index(rest, "), ")-1:] // after `(t/kernel_`
		columns, fields, _ := strings.Cut(rest, " {")
		if strings.Contains(fields, "[") { // the names after numbers
			columns += " {" + fields
		}
		lines = append(lines, name+" "+columns)
	}
	return lines
}

func (s *scene) check(want ...string) {
	s.t.Helper()
	if d := cmp.Diff(want, s.columns()); d != "" {
		s.t.Errorf("(-want +got)\n%s", d)
	}
}

const (
	schedule = "kernel.sched_schedule prev_pid %d next_pid %d prev_state %ld"
	process  = "task_state.process_state pid %d parent_pid %d name %s type %d mode %d submode %d status %d tgid %d"
	forked   = "kernel.process_fork parent_pid %d child_pid %d child_tgid %d"
)

func TestFunctionsAndBrand(t *testing.T) {
	s := newScene(t, lttng.V26, 1)
	s.event(0, schedule, 0, 7, 0)
	s.event(0, "userspace.thread_brand name %s", "worker")
	s.event(0, "userspace.function_entry this_fn %p call_site %p", 0xABCD, 1)
	s.event(0, "userspace.function_entry this_fn %p call_site %p", 0xEF, 1)
	s.event(0, "userspace.function_exit this_fn %p call_site %p", 0xEF, 1)
	s.event(0, "userspace.function_exit this_fn %p call_site %p", 0xABCD, 1)
	s.event(0, "userspace.function_exit this_fn %p call_site %p", 0, 1) // without an entry
	s.event(0, "fs.exec filename %s", "/bin/ls")
	s.check(
		"kernel.sched_schedule 0), 7, 0, , , 0, 0x0, MODE_UNKNOWN",
		"userspace.thread_brand 0), 7, 0, , worker, 0, 0x0, MODE_UNKNOWN",
		"userspace.function_entry 0), 7, 0, , worker, 0, 0xabcd, MODE_UNKNOWN",
		"userspace.function_entry 0), 7, 0, , worker, 0, 0xef, MODE_UNKNOWN",
		"userspace.function_exit 0), 7, 0, , worker, 0, 0xabcd, MODE_UNKNOWN",
		"userspace.function_exit 0), 7, 0, , worker, 0, 0x0, MODE_UNKNOWN",
		"userspace.function_exit 0), 7, 0, , worker, 0, 0x0, MODE_UNKNOWN",
		"fs.exec 0), 7, 0, /bin/ls, worker, 0, 0x0, MODE_UNKNOWN",
	)
}

// TestProcesses: forks inherit names, freed processes are forgotten unless they run on a processor,
// and the dump of the state names processes that started before the trace.
func TestProcesses(t *testing.T) {
	s := newScene(t, lttng.V26, 2)
	s.event(0, schedule, 0, 7, 0)
	s.event(0, process, 7, 1, "shell", 0, 5, 1, 5, 7)
	s.event(0, process, 8, 2, "kthread", 1, 5, 1, 5, 8)
	s.event(0, "global_state.statedump_end")
	s.event(0, "kernel.syscall_entry ip 0x%lX syscall_id %d", 1, 2)
	s.event(0, forked, 7, 9, 9)
	s.event(0, "kernel.syscall_exit ret %ld", 0)
	s.event(0, schedule, 7, 9, 0)
	s.event(1, "kernel.process_free pid %d", 9) // runs on processor 0
	s.event(0, schedule, 9, 8, 0)
	s.event(1, "kernel.process_free pid %d", 9)
	s.event(0, schedule, 8, 9, 0) // another process with that number
	s.check(
		"kernel.sched_schedule 0), 7, 0, , , 0, 0x0, MODE_UNKNOWN",
		"task_state.process_state 0), 7, 7, shell, , 1, 0x0, MODE_UNKNOWN",
		"task_state.process_state 0), 7, 7, shell, , 1, 0x0, MODE_UNKNOWN",
		"global_state.statedump_end 0), 7, 7, shell, , 1, 0x0, SYSCALL",
		"kernel.syscall_entry 0), 7, 7, shell, , 1, 0x0, SYSCALL { ip = 0x1, syscall_id = 2 [syscall 2] }",
		"kernel.process_fork 0), 7, 7, shell, , 1, 0x0, SYSCALL",
		"kernel.syscall_exit 0), 7, 7, shell, , 1, 0x0, SYSCALL",
		"kernel.sched_schedule 0), 9, 9, shell, , 7, 0x0, SYSCALL",
		// the assumed state of the idle process after the end of the dump
		"kernel.process_free 1), 0, 0, , , 0, 0x0, SYSCALL",
		"kernel.sched_schedule 0), 8, 8, kthread, , 2, 0x0, SYSCALL",
		// the assumed state of the idle process after the end of the dump
		"kernel.process_free 1), 0, 0, , , 0, 0x0, SYSCALL",
		"kernel.sched_schedule 0), 9, 0, , , 0, 0x0, MODE_UNKNOWN",
	)
}

// TestModes: modes nest, exits without their entry have no effect, and the size of stacks is
// bounded.
func TestModes(t *testing.T) {
	s := newScene(t, lttng.V26, 1)
	irq, soft, trap := "kernel.irq_entry irq_id %u kernel_mode %u", "kernel.softirq_entry softirq_id #1u%lu",
		"kernel.page_fault_entry ip %p"
	s.event(0, schedule, 0, 7, 0)
	s.event(0, "kernel.softirq_exit softirq_id #1u%lu", 1)
	s.event(0, trap, 1)
	s.event(0, irq, 1, 1)
	s.event(0, soft, 3)
	s.event(0, "kernel.irq_exit handled %u", 1) // not the top of the stack
	s.event(0, "kernel.softirq_exit softirq_id #1u%lu", 3)
	s.event(0, "kernel.irq_exit handled %u", 1)
	s.event(0, "kernel.page_fault_exit res %d", 0)
	s.check(
		"kernel.sched_schedule 0), 7, 0, , , 0, 0x0, MODE_UNKNOWN",
		"kernel.softirq_exit 0), 7, 0, , , 0, 0x0, MODE_UNKNOWN { softirq_id = 1 [softirq 1] }",
		"kernel.page_fault_entry 0), 7, 0, , , 0, 0x0, TRAP",
		"kernel.irq_entry 0), 7, 0, , , 0, 0x0, IRQ",
		"kernel.softirq_entry 0), 7, 0, , , 0, 0x0, SOFTIRQ { softirq_id = 3 [softirq 3] }",
		"kernel.irq_exit 0), 7, 0, , , 0, 0x0, SOFTIRQ",
		"kernel.softirq_exit 0), 7, 0, , , 0, 0x0, IRQ { softirq_id = 3 [softirq 3] }",
		"kernel.irq_exit 0), 7, 0, , , 0, 0x0, TRAP",
		"kernel.page_fault_exit 0), 7, 0, , , 0, 0x0, MODE_UNKNOWN",
	)
	s = newScene(t, lttng.V26, 1)
	for range 5000 {
		s.event(0, irq, 1, 1)
		s.event(0, "userspace.function_entry this_fn %p call_site %p", 5, 1)
	}
	if lines := s.columns(); len(lines) != 10000 || !strings.HasSuffix(lines[9999], "0x5, IRQ") {
		t.Errorf("%d lines, the last is %q", len(lines), lines[len(lines)-1])
	}
}

// TestNames: names from the dump of the state appear after numbers.
func TestNames(t *testing.T) {
	s := newScene(t, lttng.V26, 1)
	s.event(0, "syscall_state.sys_call_table id %d address %p symbol %s", 2, 1, "sys_fork")
	s.event(0, "softirq_state.softirq_vec id %d address %p symbol %s", 1, 1, "run_timer_softirq")
	s.event(0, "kprobe_state.kprobe_table ip 0x%lX symbol %s", 0xC0, "vfs_read")
	s.event(0, "kernel.syscall_entry ip 0x%lX syscall_id %u", 1, 2)
	s.event(0, "kernel.softirq_raise softirq_id #1u%lu", 1)
	s.event(0, "probes.kprobe ip 0x%lX", 0xC0)
	s.event(0, "syscall_state.sys_call_table id %d address %p symbol %s", -1, 1, "nothing")
	got := s.columns()
	want := []string{
		"kernel.syscall_entry 0), 0, 0, , , 0, 0x0, MODE_UNKNOWN { ip = 0x1, syscall_id = 2 [sys_fork] }",
		"kernel.softirq_raise 0), 0, 0, , , 0, 0x0, MODE_UNKNOWN { softirq_id = 1 [run_timer_softirq] }",
		"probes.kprobe 0), 0, 0, , , 0, 0x0, MODE_UNKNOWN { ip = 0xC0 [vfs_read] }",
	}
	if len(got) != 7 {
		t.Fatalf("%d lines", len(got))
	}
	if d := cmp.Diff(want, got[3:6]); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

// TestOldNames: 1.0 joined facility and event, and its readers printed the function in upper case.
func TestOldNames(t *testing.T) {
	s := newScene(t, lttng.V10, 1)
	s.event(0, "cpu.kernel_sched_schedule prev_pid %d next_pid %d prev_state %ld", 0, 7, 0)
	s.event(0, "cpu.kernel_arch_syscall_entry ip %p syscall_id %u", 1, 2)
	s.event(0, "cpu.user_generic_function_entry this_fn %p call_site %p", 0xABC, 1)
	s.event(0, "cpu.kernel_arch_syscall_exit")
	s.check(
		"kernel_sched_schedule 0), 7, 0, , , 0, 0x0, MODE_UNKNOWN",
		"kernel_arch_syscall_entry 0), 7, 0, , , 0, 0x0, SYSCALL",
		"user_generic_function_entry 0), 7, 0, , , 0, 0xABC, SYSCALL",
		"kernel_arch_syscall_exit 0), 7, 0, , , 0, 0xABC, MODE_UNKNOWN",
	)
}
