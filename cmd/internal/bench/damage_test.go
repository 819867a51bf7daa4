package main

import (
	"bytes"
	"errors"
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

func damagedFtrace(t *testing.T) (record.Recording, decodings) {
	name := filepath.Join(t.TempDir(), "trace.dat")
	scribble(t, "../../../testdata/ftrace/amd64-extract.dat", name, 0x33040) // what CPU 1 recorded
	rec, err := ftrace.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	counting := func(n *int) func(*record.Record) error {
		return func(*record.Record) error { *n++; return nil }
	}
	begin := func(d *decoders.Decoder) *int {
		n := new(int)
		d.Other = counting(n)
		return n
	}
	loop := func(stop bool) (int, error) {
		var w decoders.Walk
		n := 0
		w.Optional = true
		for range decoders.Events(rec, &w) {
			if n++; stop {
				break
			}
		}
		return n, w.Err()
	}
	return rec, decodings{
		"Run": func() (int, error) {
			n = 0
			err := (&decoders.Decoder{Other: counting(&n)}).Run(t.Context(), rec)
			return n, err
		},
		"RunStreams": func() (int, error) {
			n = 0
			err := (&decoders.Decoder{Other: counting(&n)}).RunStreams(t.Context(), rec)
			return n, err
		},
		"Parallel": func() (int, error) {
			n := 0
			err := decoders.Parallel(t.Context(), rec, bind.Parallel{}, begin, func(some *int) error { n += *some; return nil })
			return n, err
		},
		"loop":       func() (int, error) { return loop(false) },
		"broken off": func() (int, error) { return loop(true) },
	}
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
	n := 0
	counting := func(n *int) func(*record.Record, *aix.Entry) error {
		return func(*record.Record, *aix.Entry) error { *n++; return nil }
	}
	begin := func(d *templates.Decoder) *int {
		n := new(int)
		d.Other = counting(n)
		return n
	}
	loop := func(stop bool) (int, error) {
		var w templates.Walk
		n := 0
		w.Optional = true
		for range templates.Events(rec, &w) {
			if n++; stop {
				break
			}
		}
		return n, w.Err()
	}
	return rec, decodings{
		"Run": func() (int, error) {
			n = 0
			err := (&templates.Decoder{Other: counting(&n)}).Run(t.Context(), rec)
			return n, err
		},
		"RunStreams": func() (int, error) {
			n = 0
			err := (&templates.Decoder{Other: counting(&n)}).RunStreams(t.Context(), rec)
			return n, err
		},
		"Parallel": func() (int, error) {
			n := 0
			err := templates.Parallel(t.Context(), rec, bind.Parallel{}, begin, func(some *int) error { n += *some; return nil })
			return n, err
		},
		"loop":       func() (int, error) { return loop(false) },
		"broken off": func() (int, error) { return loop(true) },
	}
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
	n := 0
	counting := func(n *int) func(*record.Record, *uftrace.Entry) error {
		return func(*record.Record, *uftrace.Entry) error { *n++; return nil }
	}
	begin := func(d *calls.Decoder) *int {
		n := new(int)
		d.Other = counting(n)
		return n
	}
	loop := func(stop bool) (int, error) {
		var w calls.Walk
		n := 0
		w.Optional = true
		for range calls.Events(rec, &w) {
			if n++; stop {
				break
			}
		}
		return n, w.Err()
	}
	return rec, decodings{
		"Run": func() (int, error) {
			n = 0
			err := (&calls.Decoder{Other: counting(&n)}).Run(t.Context(), rec)
			return n, err
		},
		"RunStreams": func() (int, error) {
			n = 0
			err := (&calls.Decoder{Other: counting(&n)}).RunStreams(t.Context(), rec)
			return n, err
		},
		"Parallel": func() (int, error) {
			n := 0
			err := calls.Parallel(t.Context(), rec, bind.Parallel{}, begin, func(some *int) error { n += *some; return nil })
			return n, err
		},
		"loop":       func() (int, error) { return loop(false) },
		"broken off": func() (int, error) { return loop(true) },
	}
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
	n := 0
	counting := func(n *int) func(*record.Record, *lttng.Entry) error {
		return func(*record.Record, *lttng.Entry) error { *n++; return nil }
	}
	begin := func(d *markers.Decoder) *int {
		n := new(int)
		d.Other = counting(n)
		return n
	}
	loop := func(stop bool) (int, error) {
		var w markers.Walk
		n := 0
		w.Optional = true
		for range markers.Events(rec, &w) {
			if n++; stop {
				break
			}
		}
		return n, w.Err()
	}
	return rec, decodings{
		"Run": func() (int, error) {
			n = 0
			err := (&markers.Decoder{Other: counting(&n)}).Run(t.Context(), rec)
			return n, err
		},
		"RunStreams": func() (int, error) {
			n = 0
			err := (&markers.Decoder{Other: counting(&n)}).RunStreams(t.Context(), rec)
			return n, err
		},
		"Parallel": func() (int, error) {
			n := 0
			err := markers.Parallel(t.Context(), rec, bind.Parallel{}, begin, func(some *int) error { n += *some; return nil })
			return n, err
		},
		"loop":       func() (int, error) { return loop(false) },
		"broken off": func() (int, error) { return loop(true) },
	}
}
