package tracefs_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tracec/tracec/internal/testkit/livetest"
	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/ftrace/tracefs"
)

// init runs the workload instead of the tests if the environment requires it.
func init() { livetest.Workload() }

func TestMain(m *testing.M) { needs.Main(m) }

// process is a workload that waits to begin.
type process struct {
	*exec.Cmd
	gate io.WriteCloser // lets it begin, and end
}

// start starts a workload whose markers go to an instance.
func start(t *testing.T, in *tracefs.Instance, who, what string) *process {
	t.Helper()
	return startWith(t, what, livetest.WhoVariable+"="+who,
		livetest.MarkerVariable+"="+filepath.Join(in.Dir(), "trace_marker"))
}

// startWith starts a workload with an environment.
func startWith(t *testing.T, what string, env ...string) *process {
	t.Helper()
	needs.Live(t)
	p := &process{Cmd: exec.Command(os.Args[0])}
	p.Env = append(append(os.Environ(), livetest.WorkloadVariable+"=wait "+what), env...)
	p.Stderr = os.Stderr
	stdin, err := p.StdinPipe()
	if err == nil {
		err = p.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	p.gate = stdin
	t.Cleanup(func() {
		stdin.Close()
		p.Process.Kill()
		p.Wait()
	})
	return p
}

func (p *process) begin() { p.gate.Write([]byte{'\n'}) }

// end waits until the workload is done.
func (p *process) end(t *testing.T) {
	t.Helper()
	p.gate.Close()
	if err := p.Wait(); err != nil {
		t.Error(err)
	}
}

// create makes an instance for a test, which is skipped unless tests may record.
func create(t *testing.T, c tracefs.Config) *tracefs.Instance {
	t.Helper()
	needs.Live(t)
	c.Name = "tracec-test"
	in, err := tracefs.Create(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := in.Close(); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(in.Dir()); err == nil {
			t.Errorf("%s is left", in.Dir())
		}
	})
	return in
}

func open(t *testing.T, ctx context.Context, in *tracefs.Instance) *ftrace.Recording {
	t.Helper()
	rec, err := in.Open(ctx)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, d := range rec.Damage() {
			t.Error(d)
		}
		rec.Close()
	})
	return rec
}

func id(t *testing.T, rec *ftrace.Recording, system, name string) uint32 {
	t.Helper()
	for _, f := range rec.Formats() {
		if f.System == system && f.Name == name {
			return uint32(f.ID)
		}
	}
	t.Fatalf("there is no %s:%s", system, name)
	return 0
}

// Every event of a traced process arrives once, in the order of time and of the process's actions.
// Events of other processes do not arrive.
func TestKnownWorkload(t *testing.T) {
	const calls, markers, sleeps = 20000, 500, 50
	in := create(t, tracefs.Config{Events: []tracefs.Event{{Pattern: "syscalls:sys_enter_getppid"},
		{Pattern: "sched:sched_switch"}}})
	rec := open(t, t.Context(), in)
	what := fmt.Sprintf("getppid=%d marker=%d switch=%d wait", calls, markers, sleeps)
	traced, other := start(t, in, "traced", what),
		start(t, in, "other", fmt.Sprintf("getppid=%d switch=%d wait", calls, sleeps))
	if err := in.Trace(traced.Process.Pid); err != nil {
		t.Fatal(err)
	}
	if err := in.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		traced.begin()
		other.begin()
		traced.end(t)
		other.end(t)
		in.Stop()
	}()
	call, swtch, print := id(t, rec, "syscalls", "sys_enter_getppid"), id(t, rec, "sched", "sched_switch"),
		id(t, rec, "ftrace", "print")
	var last uint64
	var got [3]int
	m := rec.Merge(ftrace.StreamOptions{})
	for r := range m.All() {
		if r.Time < last {
			t.Fatalf("time goes back from %d to %d", last, r.Time)
		}
		last = r.Time
		if r.Lost != 0 {
			t.Errorf("%d are lost", r.Lost)
		}
		if r.Task == int32(other.Process.Pid) && r.ID != swtch {
			t.Fatalf("event %d of a process that is not traced", r.ID)
		}
		switch r.ID {
		case call:
			got[0]++
		case print:
			if want := fmt.Sprintf("%d of traced", got[1]); !strings.HasPrefix(string(r.Data[16:]), want+"\n") &&
				!strings.HasPrefix(string(r.Data[16:]), want+"\x00") {
				t.Fatalf("marker %q, want %q", r.Data[16:], want)
			}
			got[1]++
		case swtch:
			if r.Task == int32(traced.Process.Pid) {
				got[2]++
			}
		default:
			t.Fatalf("an event %d that nobody asked for", r.ID)
		}
	}
	if err := m.Err(); err != nil {
		t.Error(err)
	}
	if got[0] != calls || got[1] != markers || got[2] < sleeps {
		t.Errorf("%d calls, %d markers, %d switches; want %d, %d and %d or more", got[0], got[1], got[2], calls,
			markers, sleeps)
	}
	if late := rec.Live().Late(); late != 0 {
		t.Errorf("%d are late", late)
	}
}
