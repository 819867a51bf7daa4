package lttng

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/runtime/record"
)

// openReal opens a trace that was recorded on a real machine. It is not in this repository.
func openReal(t testing.TB, name string, opts ...Option) *Recording {
	t.Helper()
	f, err := os.Open(needs.Shared(t, "lttng/real/"+name+".tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	files := fstest.MapFS{}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if h.Typeflag == tar.TypeReg {
			b, err := io.ReadAll(r)
			if err != nil {
				t.Fatal(err)
			}
			files[path.Base(h.Name)] = &fstest.MapFile{Data: b}
		}
	}
	rec, err := OpenFS(files, name, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

// TestEclipse checks the numbers that the tests of the Eclipse plug-in contain for a trace
// (lttng.md 8.2).
func TestEclipse(t *testing.T) {
	rec := openReal(t, "trace-15316events_nolost_newformat")
	m := rec.Merge(record.Options{})
	var n int
	var times, kernel []uint64
	var last uint64
	for {
		run, _, err := m.NextRun()
		for _, r := range run {
			if n++; len(times) < 3 {
				times = append(times, r.Time)
			}
			if f := rec.Files()[r.Stream]; f.Path == "kernel_0" && len(kernel) < 3 {
				kernel = append(kernel, r.Time)
			}
			last = r.Time
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if n != 15316 || last != 13589906758692 {
		t.Errorf("%d events, the last at %d", n, last)
	}
	if d := cmp.Diff([]uint64{13589759412128, 13589759419903, 13589759422785}, times); d != "" {
		t.Errorf("first times (-want +have)\n%s", d)
	}
	if d := cmp.Diff([]uint64{13589760262237, 13589762149621, 13589762917527}, kernel); d != "" {
		t.Errorf("first times of kernel_0 (-want +have)\n%s", d)
	}
	markers := 0
	for _, m := range rec.Markers() {
		if m.Channel == "kernel" {
			markers++
		}
	}
	if markers != 45 {
		t.Errorf("%d markers of channel kernel, want 45", markers)
	}
}

// TestLosses checks the totals of the 8-processor trace (lttng.md 9): 3029 events lost, 124
// sub-buffers without events.
func TestLosses(t *testing.T) {
	rec := openReal(t, "trace-698650events_3029lost-8CPU")
	n := len(read(t, rec))
	var lost uint32
	for _, f := range rec.Files() {
		lost += f.EventsLost
	}
	if n != 698650 || lost != 3029 || len(rec.Files()) != 192 || rec.Traces()[0].Info().CPUs != 8 {
		t.Errorf("%d events, %d lost, %d files, %d processors", n, lost, len(rec.Files()), rec.Traces()[0].Info().CPUs)
	}
	if d := rec.Damage(); len(d) > 0 {
		t.Error(d[0])
	}
}

// TestLargeEvents reads sizes that need 32 bits. 1.0 does not record such sizes.
func TestLargeEvents(t *testing.T) {
	for _, l := range []Layout{
		{Dialect: V26, WordSize: 8, Alignment: 8, BlockSize: 4096, Sized: true},
		{Dialect: V26, WordSize: 4, BigEndian: true, BlockSize: 4096},
		{Dialect: V23, WordSize: 8, BlockSize: 1 << 20},
		{Dialect: V10, WordSize: 8, Alignment: 8, BlockSize: 1 << 20},
	} {
		l.CPUs, l.Freq = 2, 1e9
		mem := newMemory()
		w, err := NewWriter(mem.create, l)
		if err != nil {
			t.Fatal(err)
		}
		channel := "ust"
		if !l.Dialect.perChannel() {
			channel = "cpu"
		}
		m, err := w.Marker(channel, "m", "text %s more %s n %u")
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		for i, size := range []int{1, large - 20, large - 7, large - 6, large, 200000, 3} {
			if err := w.Event(0, m, uint64(i), strings.Repeat("x", size), "y", i); err != nil {
				t.Fatal(err)
			}
			want = append(want, strings.Repeat("x", size))
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		rec := openMemory(t, mem)
		var have []string
		for _, g := range read(t, rec) {
			if strings.HasSuffix(g.Marker, ".m") {
				text, _, _ := strings.Cut(g.Data, "\x00")
				have = append(have, text)
			}
		}
		if !cmp.Equal(want, have) {
			t.Errorf("%s: %d events, want %d with the same texts; damage: %s", l.Dialect, len(have), len(want),
				damageText(rec))
		}
		if d := rec.Damage(); len(d) > 0 {
			t.Errorf("%s: %v", l.Dialect, d[0])
		}
	}
}

// TestWriterRefuses: mistakes are errors, and do not affect earlier writes.
func TestWriterRefuses(t *testing.T) {
	l := Layout{Dialect: V10, WordSize: 4, BlockSize: 4096, CPUs: 1, Freq: 1, StartTSC: 10}
	mem := newMemory()
	w, err := NewWriter(mem.create, l)
	if err != nil {
		t.Fatal(err)
	}
	m, err := w.Marker("cpu", "m", "text %s n %u")
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Event(0, m, 20, "x", 1); err != nil {
		t.Fatal(err)
	}
	for name, err := range map[string]error{
		"time":      w.Event(0, m, 19, "x", 1),
		"processor": w.Event(1, m, 30, "x", 1),
		"count":     w.Event(0, m, 30, "x"),
		"type":      w.Event(0, m, 30, 1, "x"),
		"NUL":       w.Event(0, m, 30, "x\x00", 1),
		"size":      w.Event(0, m, 30, strings.Repeat("x", 5000), 1),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	for _, c := range [][3]string{{"cpu", "m", " "}, {"cpu", "f", "%f"}, {"../x", "m2", " "}, {"", "m3", " "},
		{"compact", "m4", " "}} {
		if _, err := w.Marker(c[0], c[1], c[2]); err == nil {
			t.Errorf("%q: no error", c)
		}
	}
	for _, l := range []Layout{{}, {Dialect: V08, WordSize: 4, BlockSize: 4096, CPUs: 1, Freq: 1},
		{Dialect: V10, WordSize: 4, Alignment: 8, BlockSize: 4096, CPUs: 1, Freq: 1},
		{Dialect: V10, WordSize: 4, BlockSize: 5000, CPUs: 1, Freq: 1}} {
		if _, err := NewWriter(mem.create, l); err == nil {
			t.Errorf("%+v: no error", l)
		}
	}
	if err := w.Event(0, m, 30, nil, -1); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	var have []got
	for _, g := range read(t, openMemory(t, mem)) {
		if g.Marker == ".m" {
			have = append(have, g)
		}
	}
	want := []got{{Channel: "/cpu", Marker: ".m", TSC: 20, Data: "x\x00\x01\x00\x00\x00"},
		{Channel: "/cpu", Marker: ".m", TSC: 30, Data: "<NULL>\x00\xff\xff\xff\xff"}}
	if d := cmp.Diff(want, have); d != "" {
		t.Errorf("(-want +have)\n%s", d)
	}
}

// TestCounts: the counts of File do not depend on the number of walks, including concurrent ones.
func TestCounts(t *testing.T) {
	mem, data, meta := smallTrace(t, smallLayouts[1])
	rec := openMemory(t, mem)
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() { read(t, rec) })
	}
	wait.Wait()
	for _, f := range rec.Files() {
		if want := map[string]int{data: 3, meta: 1}[f.Path]; f.Blocks != want {
			t.Errorf("%s: %d sub-buffers, want %d", f.Path, f.Blocks, want)
		}
	}
}

// TestCreateIn writes to a directory and opens it.
func TestCreateIn(t *testing.T) {
	dir := t.TempDir()
	w, err := NewWriter(CreateIn(dir), Layout{Dialect: V10, WordSize: 4, BlockSize: 4096, CPUs: 2, Freq: 1})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Marker("control/processes", "m", " "); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if !IsTrace(os.DirFS(dir)) {
		t.Error("not found to be a trace")
	}
	rec, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	for _, f := range rec.Files() {
		files = append(files, f.Path)
	}
	if d := cmp.Diff([]string{"control/facilities_0", "control/facilities_1", "control/processes_0",
		"control/processes_1"}, files); d != "" {
		t.Errorf("(-want +have)\n%s", d)
	}
}

// TestWholeTimeStamps checks on recorded traces that 32-bit tracers never let a short time stamp
// wrap (lttng.md 4.3). This rule is used to find the end of a sub-buffer that was never closed.
func TestWholeTimeStamps(t *testing.T) {
	for _, name := range []string{"trace-1021events-nolost-1cpu", "trace-698650events_3029lost-8CPU",
		"trace-15316events_nolost_newformat", "trace-2.6"} {
		rec := openReal(t, name)
		events, wrapped := 0, 0
		for _, s := range rec.Streams(record.Options{}) {
			s.dec.packed = false // not by the fast path
			parse := s.dec.parse
			s.dec.parse = func(s *Stream, ev *event) status {
				state := parse(s, ev)
				if events++; state == fine && !ev.whole && ev.tsc>>shortBits != s.dec.tsc>>shortBits {
					wrapped++
				}
				return state
			}
			for {
				if _, err := s.Next(); err != nil {
					break
				}
			}
		}
		if events < 1000 || wrapped > 0 {
			t.Errorf("%s: %d of %d events have a short time stamp that wrapped", name, wrapped, events)
		}
	}
}
