package callstack_test

import (
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tracec/tracec/internal/testkit/uftracetest"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// drain plays to the end and checks the invariants of every step.
func drain(t *testing.T, rec *uftrace.Recording, opts callstack.Options) (steps int) {
	t.Helper()
	p, err := callstack.New(rec, opts)
	if err != nil {
		t.Fatal(err)
	}
	ends := false // the previous step was not open
	for failures := 0; ; steps++ {
		s, err := p.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			if failures++; failures > 100 {
				t.Fatal(err)
			}
			continue
		}
		if s.Depth < 0 || s.Task == nil || s.Record == nil || s.Entry == nil {
			t.Fatalf("step %d: %+v", steps, s)
		}
		kind := s.Entry.Kind
		if (kind == uftrace.Enter || kind == uftrace.Leave) && s.Frame == nil {
			t.Fatalf("step %d: no frame", steps)
		}
		if around := s.Callers(); len(around) > 0 && &around[len(around)-1] == s.Frame {
			t.Fatalf("step %d: %s is around itself", steps, s.Frame.Name())
		}
		if ends && kind != uftrace.Leave && s.Record.ID != callstack.SchedIn {
			t.Fatalf("step %d: %d ends nothing", steps, kind)
		}
		ends = !s.Open && (kind == uftrace.Enter || s.Record.ID == callstack.SchedOut ||
			s.Record.ID == callstack.SchedOutPreempt)
	}
	if ends {
		t.Fatal("a step has no end")
	}
	return steps
}

var choices = []callstack.Options{
	{},
	{Raw: true},
	{Steps: callstack.Single},
	{Limits: callstack.Limits{Depth: 2}},
	{Limits: callstack.Limits{Time: 1000}},
	{Limits: callstack.Limits{Size: 40}, Events: callstack.Events{Full: true}},
	{Functions: callstack.Functions{Filters: []string{"main"}, NoTrace: []string{"a"}}},
	{Functions: callstack.Functions{Callers: []string{"c"}, NoLibcall: true}},
	{Functions: callstack.Functions{Triggers: []string{"a@trace_off", "b@trace_on",
		"c@depth=1,backtrace,color=red,time=1us"}}},
	{Scope: callstack.Scope{Range: callstack.Range{From: 2000, FromElapsed: true, To: 900000, ToElapsed: true}}},
	{Functions: callstack.Functions{Disable: true}, Events: callstack.Events{None: true}},
	{Kernel: callstack.Kernel{Only: true}},
}

func TestSteps(t *testing.T) {
	for _, name := range uftracetest.Saved(t) {
		files := uftracetest.Files(t, name)
		for _, opts := range choices {
			drain(t, uftracetest.Open(t, files), opts)
		}
	}
}

// TestDamaged plays recordings with random damage. There is no panic, every walk ends, and steps
// are consistent.
func TestDamaged(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, name := range []string{"forkexec", "longjmp-signal", "events", "lost", "kernel-graph", "estimate-return"} {
		files := uftracetest.Files(t, name)
		for range 60 {
			damaged := fstest.MapFS{}
			for file, f := range files {
				data := append([]byte(nil), f.Data...)
				if strings.HasSuffix(file, ".dat") && len(data) > 0 {
					for range 1 + random.IntN(8) {
						data[random.IntN(len(data))] ^= 1 << random.IntN(8)
					}
					if random.IntN(4) == 0 {
						data = data[:random.IntN(len(data))]
					}
				}
				damaged[file] = &fstest.MapFile{Data: data, ModTime: f.ModTime}
			}
			rec, err := uftrace.OpenFS(damaged, name)
			if err != nil {
				continue
			}
			drain(t, rec, choices[random.IntN(len(choices))])
			rec.Close()
		}
	}
}

// TestDeep has more open calls than recorders write. Memory stays bounded, and exits find their
// calls again.
func TestDeep(t *testing.T) {
	files := uftracetest.Files(t, "longjmp-signal")
	var name string
	for file := range files {
		if strings.HasSuffix(file, ".dat") && file[0] >= '0' && file[0] <= '9' {
			name = file
		}
	}
	first := files[name].Data[:16]
	var data []byte
	for range 200_000 {
		data = append(data, first...)
	}
	files[name] = &fstest.MapFile{Data: data}
	if n := drain(t, uftracetest.Open(t, files), callstack.Options{Events: callstack.Events{None: true}}); n != 200_000 {
		t.Errorf("%d steps", n)
	}
}
