package chrome_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/chrome"
	"github.com/tracec/tracec/export/columns"
	"github.com/tracec/tracec/export/timeline"
	"github.com/tracec/tracec/internal/testkit/exporttest"
	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/internal/testkit/uftracetest"
	"github.com/tracec/tracec/runtime/uftrace"
)

// event is an event of the JSON.
type event struct {
	Ph, Name, Cat, S string
	Pid, Tid         *int64
	TS               json.Number
	Args             map[string]any
}

// parse reads the JSON, and checks the rules for any output.
func parse(t testing.TB, text []byte) (events []event, metadata map[string]any) {
	t.Helper()
	var file struct {
		TraceEvents []event
		Metadata    map[string]any
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&file); err != nil {
		t.Fatalf("%v: %.300q", err, text)
	}
	if !utf8.Valid(text) {
		t.Fatal("not UTF-8")
	}
	for _, e := range file.TraceEvents {
		if e.Pid == nil || *e.Pid == 0 || e.Ph != "M" &&
			(e.Tid == nil || *e.Tid == 0 || !strings.Contains(e.TS.String(), ".")) {
			t.Fatalf("%+v", e)
		}
	}
	return file.TraceEvents, file.Metadata
}

// TestRecordings: all recordings give JSON with every event and the names of threads.
func TestRecordings(t *testing.T) {
	for _, path := range exporttest.Some(t, "../..") {
		rec := exporttest.Open(t, path)
		if rec == nil {
			continue
		}
		events, _ := parse(t, export(t, rec))
		tl, err := timeline.New(newReader(t, rec))
		if err != nil {
			t.Fatal(err)
		}
		want := 0
		for it := range tl.All() {
			if it.Kind != timeline.Begin {
				want++
			}
			if it.Lost != 0 {
				want++
			}
		}
		got, named := 0, map[string]bool{}
		for _, e := range events {
			if e.Ph != "M" {
				got++
			} else if e.Name == "thread_name" {
				named[e.Args["name"].(string)] = true
			}
		}
		if got != want {
			t.Errorf("%s: %d events, want %d", path, got, want)
		}
		if threads := countThreads(events); threads != len(tl.Tracks()) {
			t.Errorf("%s: %d threads, want %d", path, threads, len(tl.Tracks()))
		}
		for _, tr := range tl.Tracks() {
			if name := string(columns.AppendValid(nil, tr.Name)); tr.Kind == timeline.Thread && tr.ID != 0 &&
				name != "" && !named[name] {
				t.Errorf("%s: no thread %q in %v", path, name, named)
			}
		}
		rec.Close()
	}
}

// countThreads counts the numbers of threads that have names.
func countThreads(events []event) int {
	type thread struct{ pid, tid int64 }
	all := map[thread]bool{}
	for _, e := range events {
		if e.Name == "thread_name" && e.Ph == "M" {
			all[thread{*e.Pid, *e.Tid}] = true
		}
	}
	return len(all)
}

// TestDamaged: no content of a recording stops an export.
func TestDamaged(t *testing.T) {
	for _, name := range []string{"ftrace/amd64-syscalls.dat", "ftrace/made-kmem.dat", "ftrace/made-graph.dat",
		"ftrace/i386-userstack.dat", "aix/shop64.trc"} {
		for _, path := range exporttest.Damaged(t, "../../testdata/"+name, needs.Cases(t, 5, 25)) {
			if rec := exporttest.Open(t, path); rec != nil {
				parse(t, export(t, rec))
				rec.Close()
			}
		}
	}
	all := uftracetest.All(t)
	rapid.Check(t, func(rt *rapid.T) {
		rec, err := uftrace.OpenFS(uftracetest.Damaged(rt, all, 4, true), "damaged")
		if err != nil {
			return
		}
		defer rec.Close()
		parse(t, export(t, rec))
	})
}

// TestValues: unusual names and values have the form of the package comment.
func TestValues(t *testing.T) {
	rec := exporttest.Hostile(t)
	events, metadata := parse(t, export(t, rec))
	base, err := json.Number(metadata["start_ns"].(string)).Int64()
	if err != nil || base == 0 { // times of the recording are beyond 2^53
		t.Errorf("start_ns is %v", metadata["start_ns"])
	}
	var got []event
	for _, e := range events {
		if e.Ph == "I" && e.Name != "lost events" {
			got = append(got, e)
		}
	}
	n := 0
	for ev := range newReader(t, rec).All() {
		e := got[n]
		n++
		if name := string(columns.AppendValid(nil, ev.Type.Name)); e.Name != name ||
			e.Cat != string(columns.AppendValid(nil, ev.Type.System)) {
			t.Errorf("event %q of %q", e.Name, e.Cat)
		}
		if us := microseconds(ev.Time - uint64(base)); e.TS.String() != us {
			t.Errorf("time %s, want %s", e.TS, us)
		}
		for f, v := range ev.Fields() {
			if f.Common {
				continue
			}
			text, want := "", ""
			switch x := e.Args[string(columns.AppendValid(nil, f.Name))].(type) {
			case string:
				text = x
			case json.Number:
				text = x.String()
				if i, err := x.Int64(); err == nil && (i > 1<<53 || i < -1<<53) {
					t.Errorf("%s is the number %s", f.Name, x)
				}
			case []any:
				b, _ := json.Marshal(x)
				text = strings.NewReplacer(`"`, "", ",", " ").Replace(string(b))
			default:
				t.Fatalf("%s of %v is %v", f.Name, e.Args, x)
			}
			want = string(columns.AppendValid(nil, v.String()))
			if f.Named {
				if b, ok := v.AppendName(nil); ok {
					want = string(columns.AppendValid(nil, b))
				}
			}
			if v.Kind() == tracec.List {
				want = strings.ReplaceAll(want, ",", "")
			}
			if text != want {
				t.Errorf("%s is %q, want %q", f.Name, text, want)
			}
		}
	}
	if n != len(got) || n < 20 {
		t.Errorf("%d events, want %d", len(got), n)
	}
}

func microseconds(ns uint64) string { return fmt.Sprintf("%d.%03d", ns/1000, ns%1000) }

// failing is a writer that fails after some bytes.
type failing struct{ left int }

var errFull = errors.New("full")

func (f *failing) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, errFull
	}
	return len(p), nil
}

// TestFull: an error of the writer ends the export, which returns it.
func TestFull(t *testing.T) {
	rec := open(t, "../../testdata/ftrace/amd64-extract.dat")
	for _, n := range []int{0, 100000} {
		for _, workers := range []int{1, 3} {
			if err := chrome.Write(&failing{n}, newReader(t, rec), chrome.Options{Workers: workers}); !errors.Is(err,
				errFull) {
				t.Errorf("%d bytes, %d workers: %v", n, workers, err)
			}
		}
	}
}

// TestWorkers: the output does not depend on the number of goroutines, or on the part that is
// written in advance.
func TestWorkers(t *testing.T) {
	for _, path := range exporttest.Some(t, "../..") {
		rec := exporttest.Open(t, path)
		if rec == nil {
			continue
		}
		var want, got bytes.Buffer
		chrome.Write(&want, newReader(t, rec), chrome.Options{Workers: 1})
		for _, workers := range []int{2, 3} {
			got.Reset()
			if chrome.Write(&got, newReader(t, rec), chrome.Options{Workers: workers}); !bytes.Equal(got.Bytes(),
				want.Bytes()) {
				t.Errorf("%s: %d bytes by %d workers, %d by one", path, got.Len(), workers, want.Len())
			}
		}
		rec.Close()
	}
}

// TestAllocations: an event does not allocate.
func TestAllocations(t *testing.T) {
	for _, path := range []string{"ftrace/amd64-extract.dat", "ftrace/amd64-syscalls.dat"} {
		rec := open(t, "../../testdata/"+path)
		events := 0
		plain := testing.AllocsPerRun(3, func() {
			tl, err := timeline.New(newReader(t, rec))
			if err != nil {
				t.Fatal(err)
			}
			for range tl.All() {
				events++
			}
		})
		var b bytes.Buffer
		b.Grow(4 << 20)
		all := testing.AllocsPerRun(3, func() {
			b.Reset()
			chrome.Write(&b, newReader(t, rec), chrome.Options{})
		})
		if extra := all - plain; extra > float64(events/4)/2 || events < 4000 { // types, names and tracks allocate
			t.Errorf("%s: %v allocations for %d events", path, extra, events/4)
		}
	}
}
