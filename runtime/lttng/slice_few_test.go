package lttng

import (
	"io"
	"io/fs"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/tracec/tracec/runtime/record"
)

// TestSlicesOfFewRecords: slices without selected records are found without reading to the end of
// the recording. Slices do not read sub-buffers of other slices.
func TestSlicesOfFewRecords(t *testing.T) {
	mem := newMemory()
	l := Layout{Dialect: V26, WordSize: 8, Alignment: 8, BlockSize: 8 << 10, CPUs: 2, Freq: 1e9}
	w, err := NewWriter(mem.create, l)
	if err != nil {
		t.Fatal(err)
	}
	rare, err := w.Marker("kernel", "rare", "n %u")
	if err != nil {
		t.Fatal(err)
	}
	tick, err := w.Marker("kernel", "tick", "n %u")
	if err != nil {
		t.Fatal(err)
	}
	for i := range 400_000 {
		m := tick
		if i == 1000 {
			m = rare
		}
		if err := w.Event(i/2000%2, m, uint64(1000+i), i); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for name, ids := range map[string][]uint32{"all": nil, "rare": {slicedMarker(t, mem, "rare")}, "none": {}} {
		whole, want := readBytes(t, mem, record.Options{IDs: ids, Workers: 1})
		for _, workers := range []int{2, 4} {
			if n, got := readBytes(t, mem, record.Options{IDs: ids, Workers: workers}); got != want || n > 2*whole ||
				ids == nil && n > whole*5/4 {
				t.Errorf("%s, %d workers: %d records in %d bytes, %d in %d with one", name, workers, got, n, want,
					whole)
			}
		}
	}
}

// slicedMarker returns the kind of a marker's events.
func slicedMarker(t *testing.T, mem *traceFiles, name string) uint32 {
	rec := openMemory(t, mem)
	defer rec.Close()
	return uint32(slices.IndexFunc(rec.Markers(), func(m *Marker) bool { return m.Name == name }))
}

// readBytes reads slices, and counts bytes and records.
func readBytes(t *testing.T, mem *traceFiles, o record.Options) (n int64, records int) {
	files := &countedFS{FS: mem.files}
	rec, err := OpenFS(files, "trace")
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	opened := files.n.Load()
	list := rec.Slices(o, 128<<10)
	if o.Workers > 1 && len(list) < 20 {
		t.Errorf("only %d slices", len(list))
	}
	err = record.InSlices(t.Context(), list, o.Workers, func(_ int, s record.Slice[Entry]) (n int, err error) {
		err = s.Merge().EachRun(func(r []record.Record, _ []Entry) error {
			n += len(r)
			return nil
		})
		return n, err
	}, func(n int) error {
		records += n
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if done, total := rec.Position(); o.Workers > 1 && o.IDs == nil && (done > total || done < total*9/10) {
		t.Errorf("%d bytes of %d were read", done, total)
	}
	return files.n.Load() - opened, records
}

// countedFS counts the bytes that are read.
type countedFS struct {
	fs.FS
	n atomic.Int64
}

type countingFile struct {
	fs.File
	all *countedFS
}

func (c *countedFS) Open(name string) (fs.File, error) {
	f, err := c.FS.Open(name)
	if err == nil {
		if st, _ := f.Stat(); st.Mode().IsRegular() {
			f = countingFile{f, c}
		}
	}
	return f, err
}

func (f countingFile) ReadAt(b []byte, off int64) (int, error) {
	n, err := f.File.(io.ReaderAt).ReadAt(b, off)
	f.all.n.Add(int64(n))
	return n, err
}

// TestSurveyOfManySubBuffers: the sub-buffers of a file with more than the limit are grouped, and
// every sub-buffer is in a group.
func TestSurveyOfManySubBuffers(t *testing.T) {
	for n := range 300 {
		s := spans{most: 8, each: 1}
		for i := range n {
			s.add(span{at: int64(i), begin: uint64(10 * i), end: uint64(10*i + 9), used: 2})
		}
		next, used := int64(0), int64(0)
		for i, p := range s.list {
			if p.at != next || p.end != uint64(10*(next+p.used/2)-1) {
				t.Fatalf("%d sub-buffers: group %d: %+v, want one from %d on", n, i, p, next)
			}
			next += p.used / 2
			used += p.used
		}
		if used != int64(2*n) || len(s.list) > 8 || n > 8 && len(s.list) <= 4 {
			t.Fatalf("%d sub-buffers: %d groups of %d bytes", n, len(s.list), used)
		}
	}
}
