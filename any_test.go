package tracec_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/runtime/lttng"
	"github.com/tracec/tracec/runtime/record"
)

// openAny opens a recording of any kind.
func openAny(t *testing.T, name string) record.Recording {
	t.Helper()
	rec, err := tracec.Open(context.Background(), name)
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

// TestMarkers checks that each number and string of an event is in its text, after its name.
func TestMarkers(t *testing.T) {
	names, err := filepath.Glob("testdata/lttng/synthetic/*.tar.xz")
	if err != nil || len(names) == 0 {
		t.Fatal("no traces", err)
	}
	for _, name := range names {
		fields := 0
		r := newReader(t, openAny(t, name))
		for ev := range r.All() {
			if ev.Entry.(*lttng.Entry).Marker == nil {
				continue
			}
			text, _ := ev.AppendText(nil)
			rest := string(text)
			for f, v := range ev.Fields() {
				if v.Kind() != tracec.Text && !strings.HasSuffix(f.Decl, "d") && !strings.HasSuffix(f.Decl, "u") {
					continue
				}
				fields++
				i := strings.Index(rest, v.String())
				if i < 0 { // an address
					i = strings.Index(rest, fmt.Sprintf("%x", v.Uint()))
				}
				if i < 0 {
					t.Fatalf("%s: %s.%s is %v, which is not in %q", name, ev.Type.Name, f.Name, v, text)
				}
				rest = rest[i:]
			}
		}
		if r.Err() != nil || fields == 0 {
			t.Errorf("%s: %d fields, %v", name, fields, r.Err())
		}
	}
}

// TestAll walks a recording of every kind, and calls every method of each event.
func TestAll(t *testing.T) {
	for _, pattern := range []string{"ftrace/*.dat", "ftrace/*.tar.zst", "aix/*.trc", "uftrace/*/data.tar.gz",
		"lttng/*/*.tar.xz"} {
		names, err := filepath.Glob("testdata/" + pattern)
		if err != nil || len(names) == 0 {
			t.Fatal("nothing like ", pattern, err)
		}
		for _, name := range names {
			events := 0
			r := newReader(t, openAny(t, name))
			var text []byte
			for ev := range r.All() {
				events++
				for i, f := range ev.Type.Fields {
					if j := ev.Type.Index(f.Name); j != i {
						t.Fatalf("%s: field %d of %s is at %d by its name %q", name, i, ev.Type.Name, j, f.Name)
					}
				}
				for _, v := range ev.Fields() {
					text = v.Append(text[:0])
				}
				text, _ = ev.AppendText(text[:0])
			}
			if events == 0 {
				t.Errorf("%s: no events", name)
			}
		}
	}
}

// TestAllocations: walking, and reading numbers and texts by their place, does not allocate for an
// event.
func TestAllocations(t *testing.T) {
	for _, name := range []string{"ftrace/amd64-extract.dat", "aix/shop64.trc", "uftrace/args-auto/data.tar.gz",
		"lttng/synthetic/v26-le64-bigevent.tar.xz"} {
		rec := openAny(t, "testdata/"+name)
		r := newReader(t, rec)
		var dst []byte
		ask := true
		walk := func() {
			for ev := range r.All() {
				if !ask {
					continue
				}
				for i := range ev.Type.Fields {
					if v, ok := ev.At(i); ok && v.Kind() != tracec.List {
						dst = v.Append(dst[:0])
					}
				}
				dst, _ = ev.AppendText(dst[:0])
			}
		}
		walk() // types are compiled once
		all := testing.AllocsPerRun(3, walk)
		ask = false
		if plain := testing.AllocsPerRun(3, walk); all > plain+20 {
			t.Errorf("%s: %v allocations, %v of them to walk", name, all, plain)
		}
	}
}

// TestRecords: a window of time and a set of processors select the same events in every kind of
// recording as a check of each event.
func TestRecords(t *testing.T) {
	for _, name := range []string{"ftrace/amd64-extract.dat", "aix/shop64.trc", "uftrace/kernel-events/data.tar.gz",
		"lttng/synthetic/v26-le64-bigevent.tar.xz"} {
		rec := openAny(t, "testdata/"+name)
		var times []uint64
		for ev := range newReader(t, rec).All() {
			times = append(times, ev.Time)
		}
		o := record.Options{Since: times[len(times)/4], Until: times[len(times)/2], CPUs: []int32{0}}
		want := 0
		for ev := range newReader(t, rec).All() {
			if ev.Time >= o.Since && ev.Time < o.Until && ev.CPU == 0 {
				want++
			}
		}
		got := 0
		for range newReader(t, rec, tracec.WithRecords(o)).All() {
			got++
		}
		if got != want {
			t.Errorf("%s: %d events, want %d", name, got, want)
		}
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		r := newReader(t, rec, tracec.WithRecords(record.Options{Context: ctx}))
		for ev := range r.All() {
			t.Fatalf("%s: an event at %d after the context was done", name, ev.Time)
		}
		if !errors.Is(r.Err(), context.Canceled) {
			t.Errorf("%s: error %v", name, r.Err())
		}
	}
}
