package lttng

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/runtime/record"
)

// setOf puts traces into folders of one directory.
func setOf(parts map[string]*traceFiles) *traceFiles {
	all := newMemory()
	for dir, m := range parts {
		for name, f := range m.files {
			all.files[dir+"/"+name] = f
		}
	}
	return all
}

// numbered returns a trace whose events have the times from, from+step and so on, and the values 0,
// 1, …
func numbered(t testing.TB, l Layout, channel string, from, step uint64, events int) *traceFiles {
	t.Helper()
	mem := newMemory()
	l.BlockSize, l.CPUs, l.Freq = 4096, 1, 1e9
	w, err := NewWriter(mem.create, l)
	if err != nil {
		t.Fatal(err)
	}
	m, err := w.Marker(channel, "tick", "n %u")
	if err != nil {
		t.Fatal(err)
	}
	for i := range events {
		if err := w.Event(0, m, from+uint64(i)*step, i); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return mem
}

// ticks returns the events of a recording in time order: `trace time`.
func ticks(t testing.TB, rec *Recording) (out []string, times []uint64) {
	t.Helper()
	m := rec.Merge(record.Options{})
	defer m.Close()
	for {
		records, entries, err := m.NextRun()
		for i := range records {
			tr := rec.Files()[records[i].Stream].Trace()
			if x := entries[i].Marker; x != nil && x.Trace() != tr {
				t.Fatalf("an event of %s has a marker of %s", tr.Path(), x.Trace().Path())
			}
			if x := entries[i].Marker; x != nil && x.Name == "tick" {
				out = append(out, fmt.Sprint(tr.Path(), " ", records[i].Time))
				times = append(times, records[i].Time)
			}
		}
		if errors.Is(err, io.EOF) {
			return out, times
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestSet merges traces of different machines and versions in time order. Each event refers to its
// trace, and is read with the descriptions of that trace.
func TestSet(t *testing.T) {
	set := setOf(map[string]*traceFiles{
		"day/4711_99": numbered(t, Layout{Dialect: V26, WordSize: 8, Alignment: 8}, "ust", 1000, 30, 50),
		"day/4712_98": numbered(t, Layout{Dialect: V23, WordSize: 4, BigEndian: true}, "ust", 1010, 30, 50),
		"kernel": numbered(t, Layout{Dialect: V10, WordSize: 4, Alignment: 4, Heartbeat: true, BigEndian: true},
			"cpu", 1020, 30, 50),
	})
	rec := openMemory(t, set)
	var paths, names []string
	for _, tr := range rec.Traces() {
		paths, names = append(paths, tr.Path()), append(names, tr.Name())
		if n := len(tr.Files()); n != 2 && tr.Path() != "kernel" || n < 2 {
			t.Errorf("%s: %d files", tr.Path(), n)
		}
	}
	if d := cmp.Diff([]string{"day/4711_99", "day/4712_98", "kernel"}, paths); d != "" {
		t.Errorf("traces (-want +have)\n%s", d)
	}
	if d := cmp.Diff([]string{"trace/day/4711_99", "trace/day/4712_98", "trace/kernel"}, names); d != "" {
		t.Errorf("names (-want +have)\n%s", d)
	}
	var want []string
	for i := range 50 {
		for j, p := range paths {
			want = append(want, fmt.Sprint(p, " ", 1000+30*i+10*j))
		}
	}
	have, _ := ticks(t, rec)
	if d := cmp.Diff(want, have); d != "" {
		t.Errorf("events (-want +have)\n%s", d)
	}
	for i, m := range rec.Markers() {
		if int(m.Index) != i || !slices.Contains(m.Trace().Markers(), m) {
			t.Errorf("marker %d: index %d of %s", i, m.Index, m.Trace().Path())
		}
	}
	for i, f := range rec.Files() {
		if !slices.Contains(f.Trace().Files(), f) || int(f.index) != i {
			t.Errorf("file %s: number %d", f.Path, f.index)
		}
	}
	if d := rec.Damage(); len(d) > 0 {
		t.Error(d[0])
	}
}

// TestSetFolders: up to 2.2, files of a trace are in its folders and are named after them. From 2.3
// on, a folder is a trace.
func TestSetFolders(t *testing.T) {
	old := numbered(t, Layout{Dialect: V22, WordSize: 8}, "cpu", 1, 1, 5)
	rec := openMemory(t, setOf(map[string]*traceFiles{"a/b": old, "c": old}))
	var have []string
	for _, f := range rec.Files() {
		have = append(have, f.Trace().Path()+" "+f.Channel)
	}
	if d := cmp.Diff([]string{"a/b /control/metadata", "a/b /cpu", "c /control/metadata", "c /cpu"}, have); d != "" {
		t.Errorf("(-want +have)\n%s", d)
	}
}

// TestSetDamage: damage of a trace affects only that trace, and is reported with its path.
func TestSetDamage(t *testing.T) {
	l := Layout{Dialect: V26, WordSize: 8}
	good := numbered(t, l, "ust", 5, 10, 20)
	cut := good.put("ust_0", good.files["ust_0"].Data[:200])
	blind := newMemory()
	blind.files["ust_0"] = good.files["ust_0"]
	newer := good.put("metadata_0", slices.Clone(good.files["metadata_0"].Data)).put("ust_0",
		slices.Clone(good.files["ust_0"].Data))
	for _, f := range newer.files {
		f.Data[21] = 9
	}
	rec := openMemory(t, setOf(map[string]*traceFiles{"good": good, "cut": cut, "blind": blind, "newer": newer}))
	events, _ := ticks(t, rec)
	count := map[string]int{}
	for _, e := range events {
		dir, _, _ := strings.Cut(e, " ")
		count[dir]++
	}
	if n := count["good"]; n != 20 || count["cut"] == 0 || count["cut"] >= 20 || len(count) != 2 {
		t.Errorf("events %v", count)
	}
	text := damageText(rec)
	for _, want := range []string{"cut/ust_0: offset 0", "blind: offset 0 (0x0): no file describes the markers",
		"newer/ust_0: offset 0 (0x0): an unknown version: 2.9", "newer/metadata_0: "} {
		if !strings.Contains(text, want) {
			t.Errorf("damage\n%swants %s", text, want)
		}
	}
	if strings.Contains(text, "good") {
		t.Errorf("damage\n%s", text)
	}
}

// TestWallClock aligns traces of two machines. One was started a day before the other.
func TestWallClock(t *testing.T) {
	a := Layout{Dialect: V26, WordSize: 8, StartTSC: 5e9, StartSec: 1_300_000_000, StartUsec: 250_000}
	b := Layout{Dialect: V10, WordSize: 4, StartTSC: 86_400e9, StartSec: 1_300_000_000, StartUsec: 250_010}
	set := setOf(map[string]*traceFiles{"a": numbered(t, a, "ust", a.StartTSC+1000, 20_000, 4),
		"b": numbered(t, b, "cpu", b.StartTSC+1000, 20_000, 4)})
	_, times := ticks(t, openMemory(t, set))
	if times[0] != 5e9+1000 || times[4] != 86_400e9+1000 {
		t.Errorf("times of their own clocks: %v", times)
	}
	rec := openMemory(t, set, WithWallClock(), WithTime(ExactFormula))
	have, _ := ticks(t, rec)
	var want []string
	for i := range uint64(4) {
		want = append(want, fmt.Sprint("a ", 1_300_000_000_250_000_000+1000+20_000*i),
			fmt.Sprint("b ", 1_300_000_000_250_010_000+1000+20_000*i))
	}
	if d := cmp.Diff(want, have); d != "" {
		t.Errorf("times of the wall clock (-want +have)\n%s", d)
	}
	zero, ok := rec.Traces()[0].Zero()
	if want := time.Unix(1_299_999_995, 250_000_000); !ok || !zero.Equal(want) {
		t.Errorf("the clock was 0 at %v, want %v", zero, want)
	}
	a.StartSec = 0
	rec = openMemory(t, numbered(t, a, "ust", 5e9, 1, 1), WithWallClock())
	if len(rec.Damage()) != 1 {
		t.Errorf("without a wall clock: %v", rec.Damage())
	}
}

// TestManyFiles reads a set with more files than are kept open, in time order and by several
// streams at a time.
func TestManyFiles(t *testing.T) {
	l := Layout{Dialect: V26, WordSize: 8}
	one := numbered(t, l, "ust", 10, 10, 400)
	parts := map[string]*traceFiles{}
	for i := range maxOpen {
		parts[fmt.Sprintf("p%03d", i)] = one
	}
	open := &opened{MapFS: setOf(parts).files}
	rec, err := OpenFS(open, "set")
	if err != nil {
		t.Fatal(err)
	}
	events, times := ticks(t, rec)
	if len(events) != 400*maxOpen || !slices.IsSorted(times) {
		t.Errorf("%d events, want %d in order of time", len(events), 400*maxOpen)
	}
	if open.most > maxOpen+1 || open.now != 0 {
		t.Errorf("%d files open at once, %d left, want %d at most, and none", open.most, open.now, maxOpen+1)
	}
	s := rec.Streams(record.Options{})
	for _, x := range s {
		x.Next()
	}
	if err := rec.Close(); err != nil || open.now != 0 {
		t.Errorf("closed: %v, %d files are open", err, open.now)
	}
}

// TestManyStreams reads a set with the minimum of memory. Streams of many files are smaller.
func TestManyStreams(t *testing.T) {
	one := numbered(t, Layout{Dialect: V26, WordSize: 8}, "ust", 10, 10, 300)
	parts := map[string]*traceFiles{}
	for i := range 1000 {
		parts[fmt.Sprintf("p%04d", i)] = one
	}
	rec := openMemory(t, setOf(parts), WithMemory(record.MinMemory))
	events, times := ticks(t, rec)
	if len(events) != 300*1000 || !slices.IsSorted(times) {
		t.Errorf("%d events, want %d in order of time", len(events), 300*1000)
	}
	if d := rec.Damage(); len(d) > 0 {
		t.Errorf("%d places damaged, the first: %v", len(d), d[0])
	}
}

// opened counts open files.
type opened struct {
	fstest.MapFS
	now, most int
}

func (o *opened) Open(name string) (fs.File, error) {
	x, err := o.MapFS.Open(name)
	if s, ok := x.(sourceFile); ok && err == nil {
		o.now++
		o.most = max(o.most, o.now)
		return openedFile{x, s, o}, nil
	}
	return x, err
}

type openedFile struct {
	fs.File
	io.ReaderAt
	o *opened
}

func (f openedFile) Close() error {
	f.o.now--
	return f.File.Close()
}

// TestHasTraces finds traces in folders, and does not report the folders of one trace as other
// traces.
func TestHasTraces(t *testing.T) {
	old, one := numbered(t, Layout{Dialect: V22, WordSize: 8}, "cpu", 1, 1, 5),
		numbered(t, Layout{Dialect: V26, WordSize: 8}, "ust", 1, 1, 5)
	for name, c := range map[string]struct {
		mem            *traceFiles
		trace, has, is bool
	}{
		"trace":   {old, true, true, false},
		"one":     {setOf(map[string]*traceFiles{"a": old}), false, true, false},
		"two":     {setOf(map[string]*traceFiles{"a": old, "b/c": one}), false, true, true},
		"wrapped": {setOf(map[string]*traceFiles{"x/a": old, "x/b": one}), false, true, false},
		"hidden":  {setOf(map[string]*traceFiles{".a": old, ".b": one}), false, false, false},
		"nothing": {newMemory().put("a/b", []byte("text")), false, false, false},
		"deep":    {setOf(map[string]*traceFiles{"a/b/c/d": one}), false, false, false},
	} {
		if x, h, i := IsTrace(c.mem.files), HasTraces(c.mem.files), IsSet(c.mem.files); x != c.trace || h != c.has ||
			i != c.is {
			t.Errorf("%s: a trace %v, has traces %v, a set %v", name, x, h, i)
		}
	}
}
