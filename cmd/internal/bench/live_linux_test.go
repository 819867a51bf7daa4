package main

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"iter"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/tracec/tracec/cmd/internal/bench/decoders"
	"github.com/tracec/tracec/internal/testkit/livetest"
	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/runtime/bind"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/ftrace/tracefs"
	"github.com/tracec/tracec/runtime/record"
)

func TestMain(m *testing.M) {
	livetest.Workload()
	needs.Main(m)
}

// TestLiveDecoder checks a Decoder that was generated from another kernel. It decodes events of the
// running kernel through the API for files, and reports events that this kernel lacks.
func TestLiveDecoder(t *testing.T) {
	needs.Live(t)
	for name, events := range map[string]func(*decoders.Decoder, *ftrace.Recording) iter.Seq2[*record.Record, any]{
		"Events": func(d *decoders.Decoder, _ *ftrace.Recording) iter.Seq2[*record.Record, any] {
			return d.Events(context.Background(), record.Options{})
		},
		"Decode": func(d *decoders.Decoder, rec *ftrace.Recording) iter.Seq2[*record.Record, any] {
			return func(yield func(*record.Record, any) bool) {
				m := rec.Merge(ftrace.StreamOptions{Options: d.Select(record.Options{})})
				for r := range m.All() {
					if !yield(r, d.Decode(r, nil)) {
						return
					}
				}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			in, err := tracefs.Create(tracefs.Config{Name: "tracec-test",
				Events: []tracefs.Event{{Pattern: "sched:sched_switch"}, {Pattern: "sched_wakeup"}}})
			if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, fs.ErrPermission) ||
				errors.Is(err, fs.ErrNotExist) {
				needs.Skip(t, "need Linux, tracefs and root", err)
			}
			if err != nil {
				t.Fatal(err)
			}
			defer in.Close()
			rec, err := in.Open(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer rec.Close()
			w := exec.Command(os.Args[0])
			w.Env = append(os.Environ(), livetest.WorkloadVariable+"=wait switch=200")
			gate, to := io.Pipe()
			w.Stdin = gate
			if err := w.Start(); err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(in.Trace(w.Process.Pid), in.Start()); err != nil {
				t.Fatal(err)
			}
			to.Write([]byte{1})
			to.Close()
			go func() {
				w.Wait()
				in.Stop()
			}()
			var missing []string
			d, err := decoders.Bind(rec, decoders.SchedSwitchEvent, decoders.SchedStatRuntimeEvent,
				decoders.HrtimerInitEvent,
				bind.Unfit(func(_ string, err error) { missing = append(missing, err.Error()) }))
			if err != nil {
				t.Fatal(err)
			}
			from, last := 0, uint64(0)
			for r, e := range events(d, rec) {
				sw, ok := e.(*decoders.SchedSwitch)
				if !ok {
					continue
				}
				if r.Time < last {
					t.Errorf("time goes back from %d to %d", last, r.Time)
				}
				last = r.Time
				if sw.PrevPID == int32(w.Process.Pid) {
					if sw.PrevPID != sw.CommonPID {
						t.Errorf("thread %d switches from %d", sw.CommonPID, sw.PrevPID)
					}
					from++
				} else if sw.NextPID != int32(w.Process.Pid) {
					t.Errorf("a switch from %d to %d", sw.PrevPID, sw.NextPID)
				}
			}
			if d.Err() != nil {
				t.Error(d.Err())
			}
			if from < 200 {
				t.Errorf("%d switches, want 200 or more", from)
			}
			// renamed to hrtimer_setup in 6.15
			if f := find(rec, "hrtimer_init"); f == nil &&
				!strings.Contains(strings.Join(missing, "\n"), "hrtimer_init") {
				t.Errorf("what is missing: %q", missing)
			}
			// absent since 6.7
			if f := find(rec, "sched_stat_runtime"); f != nil && f.Field("vruntime") == nil &&
				!strings.Contains(strings.Join(missing, "\n"), "vruntime") {
				t.Errorf("what is missing: %q", missing)
			}
		})
	}
}

func find(rec *ftrace.Recording, name string) *ftrace.Format {
	for _, f := range rec.Formats() {
		if f.Name == name {
			return f
		}
	}
	return nil
}
