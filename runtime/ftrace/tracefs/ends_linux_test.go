package tracefs_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/ftrace/tracefs"
	"github.com/tracec/tracec/runtime/record"
)

var getppid = []tracefs.Event{{Pattern: "syscalls:sys_enter_getppid"}}

// traced starts a workload and records everything of it.
func traced(t *testing.T, in *tracefs.Instance, what string) *process {
	t.Helper()
	p := start(t, in, "traced", what)
	p.trace(t, in)
	return p
}

// trace records everything of a workload.
func (p *process) trace(t *testing.T, in *tracefs.Instance) {
	t.Helper()
	if err := errors.Join(in.Trace(p.Process.Pid), in.Start()); err != nil {
		t.Fatal(err)
	}
}

// The end of the context of Open ends the recording, not the walk: all data recorded until then are
// read.
func TestContextOfRecording(t *testing.T) {
	in := create(t, tracefs.Config{Events: getppid})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	rec := open(t, ctx, in)
	p := traced(t, in, "getppid=3000 marker=1 wait")
	go func() {
		p.begin()
		p.end(t)
		cancel()
	}()
	n := 0
	err := rec.Merge(ftrace.StreamOptions{}).Run(func(*record.Record, *record.None) error {
		n++
		return nil
	})
	if err != nil || n != 3001 {
		t.Errorf("%d events, want 3001, error %v", n, err)
	}
	if on, _ := os.ReadFile(in.Dir() + "/tracing_on"); string(on) != "0\n" {
		t.Errorf("tracing_on is %q", on)
	}
}

// The end of the context of a walk ends the walk soon. Another walk continues after it.
func TestContextOfWalk(t *testing.T) {
	in := create(t, tracefs.Config{Events: getppid})
	rec := open(t, t.Context(), in)
	p := traced(t, in, "marker=1 wait marker=1 wait")
	ctx, cancel := context.WithCancel(t.Context())
	p.begin()
	count := func(ctx context.Context, until int, then func()) (n int, err error) {
		o := ftrace.StreamOptions{Options: record.Options{Context: ctx}}
		return n, rec.Merge(o).Run(func(*record.Record, *record.None) error {
			if n++; n == until {
				then()
			}
			return nil
		})
	}
	if n, err := count(ctx, 1, cancel); !errors.Is(err, context.Canceled) {
		t.Errorf("%d events, error %v", n, err)
	}
	p.begin()
	if _, err := count(t.Context(), 1, func() { in.Stop() }); err != nil {
		t.Error(err)
	}
}

// Close ends a walk in progress.
func TestCloseEndsWalk(t *testing.T) {
	in := create(t, tracefs.Config{Events: getppid})
	rec := open(t, t.Context(), in)
	traced(t, in, "marker=1 wait").begin()
	walks := false
	err := rec.Merge(ftrace.StreamOptions{}).EachRun(func([]record.Record, []record.None) error {
		if !walks {
			walks = true
			go in.Close() // while the walk waits for more
		}
		return nil
	})
	if err != nil || !walks {
		t.Error(walks, err)
	}
	if _, err := in.Open(t.Context()); !errors.Is(err, os.ErrClosed) {
		t.Errorf("Open after Close: %v", err)
	}
}

// Events that did not fit in a buffer are missing where they were lost, and counted.
func TestLosses(t *testing.T) {
	in := create(t, tracefs.Config{Events: getppid, BufferSize: 64 << 10, Ahead: 1})
	rec := open(t, t.Context(), in)
	const calls = 200000
	p := traced(t, in, fmt.Sprintf("getppid=%d wait", calls))
	go func() {
		p.begin()
		p.end(t)
		in.Stop()
	}()
	got, lost, unknown, gaps := int64(0), int64(0), 0, 0
	err := rec.Merge(ftrace.StreamOptions{}).EachRun(func(run []record.Record, _ []record.None) error {
		for i := range run {
			got++
			switch n := run[i].Lost; {
			case n == record.LostUnknown:
				unknown++
				gaps++
			case n > 0:
				lost += n
				gaps++
			}
		}
		time.Sleep(time.Millisecond) // slower than they come
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	counted := int64(0)
	for _, s := range in.Stats() {
		counted += s.Lost
	}
	if got+counted != calls {
		t.Errorf("%d came and the kernel dropped %d: not %d in all", got, counted, calls)
	}
	if gaps == 0 || lost > counted || unknown == 0 && lost != counted {
		t.Errorf("%d are missing in %d gaps, %d of unknown length; the kernel dropped %d", lost, gaps, unknown, counted)
	}
}

// A setting that the kernel does not support is an error with the name of the setting. No instance
// is left.
func TestConfigErrors(t *testing.T) {
	create(t, tracefs.Config{})
	for _, c := range []struct {
		config tracefs.Config
		want   string
	}{
		{tracefs.Config{Clock: "sundial"}, `clock sundial: this kernel has`},
		{tracefs.Config{Tracer: "crayon"}, `tracer crayon: this kernel has`},
		{tracefs.Config{Events: []tracefs.Event{{Pattern: "sched:sched_nothing"}}}, `events "sched:sched_nothing"`},
		{tracefs.Config{Events: []tracefs.Event{{Pattern: "sched_nothing"}}}, `events "sched_nothing"`},
		{tracefs.Config{Events: []tracefs.Event{{Pattern: "sched:sched_switch", Filter: "no_field == 1"}}}, "no_field"},
		{tracefs.Config{Events: []tracefs.Event{{Pattern: "sched:sched_switch", Triggers: []string{"juggle"}}}},
			`trigger "juggle"`},
		{tracefs.Config{CPUs: []int{1 << 20}}, "CPU 1048576"},
		{tracefs.Config{Options: []string{"no-such-option"}}, "option no-such-option"},
	} {
		c.config.Name = "tracec-test"
		in, err := tracefs.Create(c.config)
		if err == nil {
			in.Close()
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.config, err, c.want)
		}
	}
	var refused *tracefs.FilterError
	_, err := tracefs.Create(tracefs.Config{Name: "tracec-test",
		Events: []tracefs.Event{{Pattern: "sched_switch", Filter: "prev_pid +"}}})
	if !errors.As(err, &refused) || refused.Event != "sched/sched_switch" {
		t.Errorf("a filter that makes no sense: %v", err)
	}
	root, _ := tracefs.Mount()
	left, err := os.ReadDir(filepath.Join(root, "instances"))
	n := 0
	for _, l := range left {
		if strings.HasPrefix(l.Name(), fmt.Sprintf("tracec-test-%d-", os.Getpid())) {
			n++
		}
	}
	if n != 1 || err != nil { // the directory of Create, which must be removed at the end
		t.Errorf("%d instances are left, error %v", n, err)
	}
}

// Filters, triggers, sizes and clocks are set as configured.
func TestConfig(t *testing.T) {
	p := startWith(t, "getppid=3000 wait")
	stacks2 := fmt.Sprintf("stacktrace:2 if common_pid == %d", p.Process.Pid) // other processes would exhaust it
	in := create(t, tracefs.Config{
		Clock: "mono", SubBufferSize: 16 << 10, BufferSize: 512 << 10, Options: []string{"record-tgid"},
		Events: []tracefs.Event{{Pattern: "syscalls:sys_enter_getppi*", Triggers: []string{stacks2},
			Filter: "common_pid != 1"}},
	})
	if in.PageSize() != 16<<10 {
		needs.Skip(t, "need a kernel with sub-buffers of other sizes",
			fmt.Sprintf("sub-buffers of %d bytes", in.PageSize()))
	}
	rec := open(t, t.Context(), in)
	p.trace(t, in)
	go func() {
		p.begin()
		p.end(t)
		in.Stop()
	}()
	call, stack := id(t, rec, "syscalls", "sys_enter_getppid"), id(t, rec, "ftrace", "kernel_stack")
	var calls, stacks int
	var first uint64
	m := rec.Merge(ftrace.StreamOptions{})
	for r := range m.All() {
		if first == 0 {
			first = r.Time
		}
		switch r.ID {
		case call:
			calls++
		case stack:
			stacks++
		}
	}
	if calls != 3000 || stacks != 2 || m.Err() != nil {
		t.Errorf("%d calls, %d stacks, error %v; want 3000 and 2", calls, stacks, m.Err())
	}
	if rec.Info().PageSize != 16<<10 || rec.Buffers()[0].Clock != "mono" {
		t.Errorf("sub-buffers of %d bytes, clock %q", rec.Info().PageSize, rec.Buffers()[0].Clock)
	}
	if tgid, ok := rec.TGID(int32(p.Process.Pid)); ok && tgid != p.Process.Pid {
		t.Errorf("thread %d belongs to %d", p.Process.Pid, tgid)
	}
}
