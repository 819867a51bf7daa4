package parquet_test

import (
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"

	pq "github.com/parquet-go/parquet-go"

	"github.com/tracec/tracec/export/parquet"
)

// TestTables: tables have the same rows, times and sums of integers as the Go decoders.
func TestTables(t *testing.T) {
	for _, path := range recordings(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			w := write(t, path)
			compareSums(t, w.want, readAll(t, w.dir, w.manifest))
		})
	}
}

// compareSums compares tables. It reports tables that only one side has: only the writer has
// tracec.lost.
func compareSums(t *testing.T, want, have tables) {
	t.Helper()
	for event, w := range want {
		h := have[event]
		if h == nil {
			t.Errorf("%s is missing: %d rows", event, w.rows)
			continue
		}
		if w.rows != h.rows || w.lo != h.lo || w.hi != h.hi {
			t.Errorf("%s: %d rows from %d to %d, want %d from %d to %d", event, h.rows, h.lo, h.hi, w.rows, w.lo, w.hi)
		}
		for column, sum := range w.sum {
			if h.sum[column] == nil || h.sum[column].Cmp(sum) != 0 || h.count[column] != w.count[column] {
				t.Errorf("%s.%s: %d values, sum %v; want %d, %v", event, column, h.count[column], h.sum[column],
					w.count[column], sum)
			}
		}
	}
	for event := range have {
		if want[event] == nil && event != "tracec.lost" {
			t.Errorf("%s should not be", event)
		}
	}
}

// readAll reads a data set by parquet-go.
func readAll(t *testing.T, dir string, m *parquet.Manifest) tables {
	t.Helper()
	have := tables{}
	for _, f := range filesOf(m) {
		readFile(t, filepath.Join(dir, filepath.FromSlash(f.Path)), f, have.of(f.Event))
	}
	return have
}

// filesOf returns the files of a data set. If a file has rows of several recordings, the manifest
// has the rows of each.
func filesOf(m *parquet.Manifest) map[string]parquet.File {
	all := map[string]parquet.File{}
	for _, e := range m.Sources {
		for _, f := range e.Files {
			if was, ok := all[f.Path]; ok {
				f.Rows += was.Rows
				f.First, f.Last = min(f.First, was.First), max(f.Last, was.Last)
			}
			all[f.Path] = f
		}
	}
	return all
}

func readFile(t *testing.T, name string, in parquet.File, s *sums) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	file, err := pq.OpenFile(f, st.Size())
	if err != nil {
		t.Fatal(err)
	}
	if file.NumRows() != in.Rows || st.Size() != in.Bytes {
		t.Errorf("%s: %d rows and %d bytes, the manifest says %d and %d", name, file.NumRows(), st.Size(), in.Rows,
			in.Bytes)
	}
	s.rows += file.NumRows()
	s.lo, s.hi = min(s.lo, in.First), max(s.hi, in.Last)
	for _, g := range file.RowGroups() {
		for i, chunk := range g.ColumnChunks() {
			path := file.Schema().Columns()[i]
			if len(path) == 1 {
				readColumn(t, s, path[0], chunk)
			}
		}
	}
}

func readColumn(t *testing.T, s *sums, name string, chunk pq.ColumnChunk) {
	t.Helper()
	unsigned := strings.HasSuffix(chunk.Type().String(), ",false)") // INT(32,false)
	pages := chunk.Pages()
	defer pages.Close()
	values := make([]pq.Value, 512)
	for {
		page, err := pages.ReadPage()
		if err != nil {
			return
		}
		for r := page.Values(); ; {
			n, err := r.ReadValues(values)
			for _, v := range values[:n] {
				if name == "time" && !v.IsNull() {
					if s.times[0] == 0 || v.Int64() < s.times[0] {
						s.times[0] = v.Int64()
					}
					s.times[1] = max(s.times[1], v.Int64())
				}
				switch {
				case v.IsNull() || v.Kind() != pq.Int32 && v.Kind() != pq.Int64:
				case unsigned && v.Kind() == pq.Int32:
					s.add(name, big.NewInt(int64(v.Uint32())))
				case unsigned:
					s.add(name, new(big.Int).SetUint64(v.Uint64()))
				case v.Kind() == pq.Int32:
					s.add(name, big.NewInt(int64(v.Int32())))
				default:
					s.add(name, big.NewInt(v.Int64()))
				}
			}
			if err != nil {
				break
			}
		}
		pq.Release(page)
	}
}
