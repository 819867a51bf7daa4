package parquet_test

import (
	"context"
	"io"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/parquet"
	derived "github.com/tracec/tracec/export/tables"
	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// source returns a source for a whole recording.
func source(path string, more ...tracec.Option) parquet.Source {
	walk := func(r *tracec.Reader) *derived.Walk {
		return derived.WalkOf(func(ctx context.Context, opts ...tracec.Option) (*tracec.Reader, error) {
			opts = append(opts, more...)
			return tracec.NewReader(r.Recording(), append(opts, tracec.WithRecords(record.Options{Context: ctx}))...)
		})
	}
	return parquet.Source{Path: path, Walk: walk, Open: func(ctx context.Context) (*tracec.Reader, io.Closer, error) {
		rec, err := tracec.Open(ctx, path)
		if err != nil {
			return nil, nil, err
		}
		r, err := tracec.NewReader(rec, append([]tracec.Option{tracec.WithThreads()}, more...)...)
		if err != nil {
			rec.Close()
			return nil, nil, err
		}
		return r, rec, nil
	}}
}

// sums are the compared numbers of a table: the rows, the lowest and the highest time, and for each
// column of integers the number of values and their sum.
type sums struct {
	rows   int64
	lo, hi uint64
	count  map[string]int64
	sum    map[string]*big.Int
	times  [2]int64 // lowest and highest value of the column
}

func (s *sums) add(column string, v *big.Int) {
	if s.sum[column] == nil {
		s.sum[column] = &big.Int{}
	}
	s.count[column]++
	s.sum[column].Add(s.sum[column], v)
}

// tables are the sums of tables by event.
type tables map[string]*sums

func (t tables) of(event string) *sums {
	if t[event] == nil {
		t[event] = &sums{lo: ^uint64(0), count: map[string]int64{}, sum: map[string]*big.Int{}}
	}
	return t[event]
}

// expect reads a recording with its own code and returns the expected tables, by the rules of the
// package documentation.
func expect(t *testing.T, path string) tables {
	t.Helper()
	r, closer, err := source(path).Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer closer.Close()
	want := tables{}
	for ev := range r.All() {
		s := want.of(event(ev))
		s.rows++
		s.lo, s.hi = min(s.lo, ev.Time), max(s.hi, ev.Time)
		if x, ok := ev.Entry.(*uftrace.Entry); ok && x.Kind < uftrace.Lost {
			s.add("depth", big.NewInt(int64(x.Depth)))
			continue
		}
		for f, v := range ev.Fields() {
			if f.Name == "common_type" || f.Name == "common_pid" {
				continue
			}
			column := f.Name
			if strings.Contains(" time wall cpu task process comm text data recording host date event ",
				" "+column+" ") {
				column = "field_" + column
			}
			switch v.Kind() {
			case tracec.Int:
				s.add(column, big.NewInt(v.Int()))
			case tracec.Uint:
				s.add(column, new(big.Int).SetUint64(v.Uint()))
			}
		}
	}
	return want
}

// written is a recording with tables written by the default options, and the expected tables.
type written struct {
	dir      string
	manifest *parquet.Manifest
	want     tables
}

var (
	writtenDir string // removed by TestMain
	writtenOf  = map[string]*written{}
	writing    sync.Mutex // guards writtenOf
)

// write returns the tables of a recording. They are written once for all tests, which only read
// them.
func write(t *testing.T, path string) *written {
	t.Helper()
	writing.Lock()
	w := writtenOf[path]
	writing.Unlock()
	if w != nil {
		return w
	}
	dir, err := os.MkdirTemp(writtenDir, "")
	if err != nil {
		t.Fatal(err)
	}
	m, err := parquet.Write(t.Context(), dir, []parquet.Source{source(path)}, parquet.Options{})
	if err != nil && len(m.Sources) == 0 {
		t.Fatal(err)
	}
	w = &written{dir, m, expect(t, path)}
	writing.Lock()
	writtenOf[path] = w
	writing.Unlock()
	return w
}

// event returns the name of an event's table.
func event(ev *tracec.Event) string {
	if x, ok := ev.Entry.(*uftrace.Entry); ok {
		switch x.Kind {
		case uftrace.Enter:
			return "uftrace.call"
		case uftrace.Leave:
			return "uftrace.return"
		}
	}
	if ev.Type.System == "" {
		return ev.Type.Name
	}
	return ev.Type.System + "." + ev.Type.Name
}

// recordings are the recordings of the repository, and in the long proofs the shared data.
func recordings(t *testing.T) []string {
	t.Helper()
	var list []string
	patterns := []string{
		"../../testdata/ftrace/*.dat", "../../testdata/ftrace/*.tar.zst", "../../testdata/aix/*.trc",
		"../../testdata/uftrace/*/data.tar.gz", "../../testdata/lttng/*/*.tar.xz",
		"../../testdata/perf/*.data",
	}
	if shared := needs.SharedData(t); needs.LongProofs(t) {
		patterns = append(patterns, shared+"/ftrace/*/*.dat", shared+"/ftrace/*/*.tar.zst",
			shared+"/ftrace-public/*.dat", shared+"/ftrace-public/*/*.dat",
			shared+"/uftrace/*/data.tar.gz", shared+"/lttng/real/*.tar.gz")
	}
	for _, pattern := range patterns {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, found...)
	}
	if len(list) == 0 {
		t.Fatal("no recordings")
	}
	return list
}
