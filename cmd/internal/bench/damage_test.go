package main

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"os"
	"path/filepath"
	"testing"

	"github.com/tracec/tracec/cmd/internal/bench/calls"
	"github.com/tracec/tracec/cmd/internal/bench/decoders"
	"github.com/tracec/tracec/cmd/internal/bench/markers"
	"github.com/tracec/tracec/cmd/internal/bench/templates"
	"github.com/tracec/tracec/runtime/aix"
	"github.com/tracec/tracec/runtime/bind"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/lttng"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// decodings are the ways to decode all records of a recording, which count them.
type decodings map[string]func() (int, error)

// TestDamageIsAnError: whatever decodes a recording of which parts are damaged says so at its end, with all that is
// intact delivered. A loop that is broken off does not.
func TestDamageIsAnError(t *testing.T) {
	for name, open := range map[string]func(*testing.T) (record.Recording, decodings){
		"ftrace": damagedFtrace, "AIX": damagedAIX, "uftrace": damagedUftrace, "LTTng": damagedLTTng,
	} {
		rec, ways := open(t)
		for way, decode := range ways {
			n, err := decode()
			if way == "broken off" {
				if err != nil {
					t.Errorf("%s, %s: %v", name, way, err)
				}
				continue
			}
			var e *record.DamageError
			if !errors.As(err, &e) || e.Count == 0 || e.First == nil || e.DamageStats != rec.DamageStats() || e.Name != rec.Name() {
				t.Errorf("%s, %s: %v, of %+v", name, way, err, rec.DamageStats())
			}
			if n == 0 {
				t.Errorf("%s, %s: nothing of what is intact", name, way)
			}
		}
		rec.Close()
	}
}

// scribble overwrites a part of a file that begins at an offset, with what is no record of any system.
func scribble(t *testing.T, from, to string, at int) {
	t.Helper()
	data, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	copy(data[at:], bytes.Repeat([]byte{0xfb, 0xf7, 0xf3}, 1<<12))
	if err := os.WriteFile(to, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// runner is what a generated Decoder is to a recording.
type runner[R any] interface {
	Run(context.Context, R) error
	RunStreams(context.Context, R) error
}

// waysOf returns the ways of a generated package: count has a Decoder count the records that it receives,
// parallel and events are the functions of these names.
func waysOf[R record.Recording, D any, P interface {
	*D
	runner[R]
}, E, U, K any](t *testing.T, rec R, count func(P, *int),
	parallel func(context.Context, R, bind.Parallel, func(P) *int, func(*int) error) error,
	events func(R, *bind.Walk[E], ...K) iter.Seq2[*record.Record, *U]) decodings {
	counted := func(run func(P) error) func() (int, error) {
		return func() (n int, err error) {
			d := P(new(D))
			count(d, &n)
			err = run(d)
			return n, err
		}
	}
	loop := func(stop bool) func() (int, error) {
		return func() (n int, err error) {
			w := bind.Walk[E]{Optional: true}
			for range events(rec, &w) {
				if n++; stop {
					break
				}
			}
			return n, w.Err()
		}
	}
	return decodings{
		"Run":        counted(func(d P) error { return d.Run(t.Context(), rec) }),
		"RunStreams": counted(func(d P) error { return d.RunStreams(t.Context(), rec) }),
		"Parallel": func() (n int, err error) {
			begin := func(d P) *int {
				some := new(int)
				count(d, some)
				return some
			}
			err = parallel(t.Context(), rec, bind.Parallel{}, begin, func(some *int) error { n += *some; return nil })
			return n, err
		},
		"loop":       loop(false),
		"broken off": loop(true),
	}
}

func damagedFtrace(t *testing.T) (record.Recording, decodings) {
	name := filepath.Join(t.TempDir(), "trace.dat")
	scribble(t, "../../../testdata/ftrace/amd64-extract.dat", name, 0x33040) // what CPU 1 recorded
	rec, err := ftrace.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	count := func(d *decoders.Decoder, n *int) {
		d.Other = func(*record.Record) error { *n++; return nil }
	}
	return rec, waysOf(t, rec, count, decoders.Parallel[*int], decoders.Events)
}

func damagedAIX(t *testing.T) (record.Recording, decodings) {
	name := filepath.Join(t.TempDir(), "trace.raw")
	if err := writeAIX(name, 1e5, false); err != nil {
		t.Fatal(err)
	}
	scribble(t, name, name, 1<<15)
	rec, err := aix.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	count := func(d *templates.Decoder, n *int) {
		d.Other = func(*record.Record, *aix.Entry) error { *n++; return nil }
	}
	return rec, waysOf(t, rec, count, templates.Parallel[*int], templates.Events)
}

func damagedUftrace(t *testing.T) (record.Recording, decodings) {
	name := filepath.Join(t.TempDir(), "bench.data")
	if err := os.CopyFS(name, os.DirFS("calls/bench.data")); err != nil {
		t.Fatal(err)
	}
	scribble(t, "calls/bench.data/3930.dat", filepath.Join(name, "3930.dat"), 128)
	rec, err := uftrace.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	count := func(d *calls.Decoder, n *int) {
		d.Other = func(*record.Record, *uftrace.Entry) error { *n++; return nil }
	}
	return rec, waysOf(t, rec, count, calls.Parallel[*int], calls.Events)
}

func damagedLTTng(t *testing.T) (record.Recording, decodings) {
	name := filepath.Join(t.TempDir(), "bench.trace")
	if err := os.CopyFS(name, os.DirFS("markers/bench.trace")); err != nil {
		t.Fatal(err)
	}
	scribble(t, "markers/bench.trace/fs_0", filepath.Join(name, "fs_0"), 128)
	rec, err := lttng.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	count := func(d *markers.Decoder, n *int) {
		d.Other = func(*record.Record, *lttng.Entry) error { *n++; return nil }
	}
	return rec, waysOf(t, rec, count, markers.Parallel[*int], markers.Events)
}
