package parquet_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"testing"

	"github.com/tracec/tracec/export/parquet"
	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/internal/testkit/tracefile"
)

// many writes a recording with some number of kinds of events, and of events of each kind.
func many(t *testing.T, kinds, each int) string {
	t.Helper()
	m := tracefile.Machine{Word: 8}
	f := tracefile.File{Machine: m, Version: 6, PageSize: 4096, CPUs: 1, Ftrace: []string{tracefile.Format("print", 5)},
		Systems: []tracefile.System{{Name: "many"}}}
	for i := range kinds {
		f.Systems[0].Formats = append(f.Systems[0].Formats, tracefile.Format(fmt.Sprint("event", i), 300+i))
	}
	f.Buffers = []tracefile.Buffer{{Clock: "[local]"}}
	const inPage = 100
	var pages []byte
	for n := 0; n < kinds*each; n += inPage {
		page := m.NewPage(4096, uint64(1_000_000+n*1000))
		for i := range inPage {
			page.Event(10, m.Payload(uint16(300+(n+i)%kinds), int32(n%50), uint32(n+i)))
		}
		pages = append(pages, page.Done()...)
	}
	f.Buffers[0].CPUs = []tracefile.CPU{{Pages: pages}}
	name := filepath.Join(t.TempDir(), "many.dat")
	if err := os.WriteFile(name, f.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestManyKinds: rows of many event types are the same with little memory, which holds few tables,
// as with much.
func TestManyKinds(t *testing.T) {
	kinds, each := 400, 100
	if needs.LongProofs(t) {
		kinds, each = 2000, 500
	}
	path := many(t, kinds, each)
	dir := t.TempDir()
	m, err := parquet.Write(t.Context(), dir, sources(path), parquet.Options{Memory: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	if e := m.Sources[0]; e.Rows != int64(kinds*each) || len(e.Files) != kinds {
		t.Errorf("%d rows in %d files, want %d in %d", e.Rows, len(e.Files), kinds*each, kinds)
	}
	compareSums(t, expect(t, path), readAll(t, dir, m))
	small := tree(t, dir)
	debug.FreeOSMemory()
	compareTrees(t, small, whole(t, parquet.Options{}, path))
}

// TestLittleMemory: recordings of all systems whose rows wait in a file keep all values, including
// lists and texts.
func TestLittleMemory(t *testing.T) {
	for _, path := range append([]string{"../../testdata/ftrace/i386-userstack.dat",
		"../../testdata/uftrace/args-spec/data.tar.gz", "../../testdata/ftrace/amd64-triggers.dat"}, some...) {
		compareTrees(t, whole(t, parquet.Options{}, path), whole(t, parquet.Options{Memory: 1000}, path))
	}
}

// TestTooManyKinds: the number of tables is bounded, and no event is lost.
func TestTooManyKinds(t *testing.T) {
	const most = 80
	defer parquet.SetMostKinds(most)()
	path := many(t, most+20, 3)
	for _, wide := range []bool{false, true} {
		m, err := parquet.Write(t.Context(), t.TempDir(), sources(path), parquet.Options{Wide: wide})
		if err != nil {
			t.Fatal(err)
		}
		e := m.Sources[0]
		other := slices.IndexFunc(e.Events, func(r parquet.EventRow) bool { return r.Event == "tracec.other" })
		if e.Rows != 3*(most+20) || len(e.Events) != most+1 || other < 0 || e.Events[other].Rows != 60 {
			t.Errorf("%d rows of %d kinds, the others at %d", e.Rows, len(e.Events), other)
		}
	}
}

// TestManyGroups: tables that are encoded with few rows per group have all rows.
func TestManyGroups(t *testing.T) {
	path := many(t, 3, needs.Cases(t, 1000, 2000))
	for _, n := range []int{1, 100, 5000, 50_000} {
		restore := parquet.SetSpread(n)
		dir := t.TempDir()
		m, err := parquet.Write(t.Context(), dir, sources(path), parquet.Options{Memory: 100_000})
		restore()
		if err != nil {
			t.Fatal(err)
		}
		compareSums(t, expect(t, path), readAll(t, dir, m))
	}
}

// TestFewFiles: if a file ends before its event's last row, other files have the rest, each with
// its own times.
func TestFewFiles(t *testing.T) {
	defer parquet.SetMostOpen(3)()
	defer parquet.SetGroupRows(50)()
	path := many(t, 7, 1000)
	dir := t.TempDir()
	m, err := parquet.Write(t.Context(), dir, sources(path), parquet.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(m.Sources[0].Files); n <= 7 {
		t.Errorf("%d files, want some for each of 7 events", n)
	}
	compareSums(t, expect(t, path), readAll(t, dir, m))
	for _, f := range m.Sources[0].Files {
		one := tables{}
		readFile(t, filepath.Join(dir, filepath.FromSlash(f.Path)), f, one.of(f.Event))
		if s := one[f.Event]; s.times != [2]int64{int64(f.First), int64(f.Last)} {
			t.Errorf("%s: times %d, the manifest says %d to %d", f.Path, s.times, f.First, f.Last)
		}
	}
}

// TestManySmall: many small files of one recording in a folder are combined into fewer files, and
// no row is lost.
func TestManySmall(t *testing.T) {
	defer parquet.SetMostOpen(3)()
	path := many(t, 7, 1000)
	dir := t.TempDir()
	restore := parquet.SetGroupRows(10)
	m, err := parquet.Write(t.Context(), dir, sources(path), parquet.Options{})
	restore()
	if err != nil {
		t.Fatal(err)
	}
	before := len(m.Sources[0].Files)
	for range 2 { // the second run has nothing to do, or compacts the files of the first
		restore := parquet.SetGroupRows(400)
		err := m.Compact(t.Context(), dir)
		restore()
		if err != nil {
			t.Fatal(err)
		}
		compareSums(t, expect(t, path), readAll(t, dir, m))
	}
	if n := len(m.Sources[0].Files); n <= 7 || n > before/2 {
		t.Errorf("%d files became %d, want some for each of 7 events", before, n)
	}
}
