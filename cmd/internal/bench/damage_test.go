package main

import (
	"bytes"
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

// decodings are the ways to decode and count all records of a recording.
type decodings map[string]func() (int, error)

// TestDamageIsAnError checks that every decoding of a damaged recording ends with an error and
// yields all intact records. A loop that ends early has no error.
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
			if !errors.As(err, &e) || e.Count == 0 || e.First == nil || e.DamageStats != rec.DamageStats() ||
				e.Name != rec.Name() {
				t.Errorf("%s, %s: %v, of %+v", name, way, err, rec.DamageStats())
			}
			if n == 0 {
				t.Errorf("%s, %s: nothing of what is intact", name, way)
			}
		}
		rec.Close()
	}
}

// scribble overwrites the part of a file that begins at an offset with bytes that are not a record
// of any system.
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

// waysOf returns the decodings of a generated package whose Decoder d yields all records.
func waysOf[E any](t *testing.T, d *bind.Decoder[E], err error) decodings {
	if err != nil {
		t.Fatal(err)
	}
	loop := func(stop bool) func() (int, error) {
		return func() (n int, err error) {
			for range d.Events(t.Context(), record.Options{}) {
				if n++; stop {
					break
				}
			}
			return n, d.Err()
		}
	}
	parallel := func(streams bool) func() (int, error) {
		return func() (n int, err error) {
			each := func(_ *bind.Decoder[E], events iter.Seq2[*record.Record, any]) (n int, err error) {
				for range events {
					n++
				}
				return n, nil
			}
			err = bind.Parallel(t.Context(), d, bind.Slicing{Streams: streams}, each,
				func(some int) error { n += some; return nil })
			return n, err
		}
	}
	return decodings{
		"Events": loop(false), "broken off": loop(true), "Parallel": parallel(false),
		"Parallel, streams": parallel(true),
	}
}

func damagedFtrace(t *testing.T) (record.Recording, decodings) {
	name := filepath.Join(t.TempDir(), "trace.dat")
	scribble(t, "../../../testdata/ftrace/amd64-extract.dat", name, 0x33040) // damages records of CPU 1
	rec, err := ftrace.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	d, err := decoders.Bind(rec, bind.Optional(), bind.All())
	return rec, waysOf(t, d, err)
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
	d, err := templates.Bind(rec, bind.Optional(), bind.All())
	return rec, waysOf(t, d, err)
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
	d, err := calls.Bind(rec, bind.Optional(), bind.All())
	return rec, waysOf(t, d, err)
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
	d, err := markers.Bind(rec, bind.Optional(), bind.All())
	return rec, waysOf(t, d, err)
}
