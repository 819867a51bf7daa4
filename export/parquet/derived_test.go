package parquet_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"
	pq "github.com/parquet-go/parquet-go"

	"github.com/tracec/tracec/export/parquet"
	derived "github.com/tracec/tracec/export/tables"
	"github.com/tracec/tracec/internal/testkit/needs"
)

const derivedData = "../../testdata/tables/"

// cells holds the rows of derived tables as texts, by the partitions of event and date.
type cells map[string][]string

// expectDerived returns the rows of package tables for a recording.
func expectDerived(t *testing.T, path string) cells {
	t.Helper()
	s := source(path)
	r, closer, err := s.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer closer.Close()
	machine, walk, want := r.Recording().Machine(), s.Walk(r), cells{}
	var missing *derived.MissingError
	for _, table := range derived.All() {
		columns := table.Columns()
		err := table.Each(walk, func(get func(int) derived.Value) bool {
			at, row := int64(walk.Extent().First), make([]string, 0, len(columns))
			for i, c := range slices.Backward(columns) {
				v := get(i)
				if (c.Name == "ts" || c.Name == "ts_end") && !v.Null { // ts comes last
					at = v.Int
				}
				row = append(row, c.Name+"="+valueText(c.Kind, v))
			}
			date := "" // unknown
			if machine.HasWall {
				machine.Date = time.Unix(0, at+machine.Wall).UTC()
			}
			if !machine.Date.IsZero() {
				date = machine.Date.Format(time.DateOnly)
			}
			slices.Reverse(row)
			key := "tracec." + table.Name() + " " + date
			want[key] = append(want[key], strings.Join(row, " "))
			return true
		})
		if err != nil && !errors.As(err, &missing) {
			t.Fatal(err)
		}
	}
	if err := walk.Run(t.Context()); err != nil && !errors.As(err, &missing) {
		t.Fatal(err)
	}
	return want
}

// valueText returns a value in the form of readDerived.
func valueText(k derived.Kind, v derived.Value) string {
	switch {
	case v.Null:
		return "NULL"
	case k == derived.Text:
		return v.Text
	case k == derived.Address:
		return strconv.FormatUint(uint64(v.Int), 10)
	case k == derived.Bool:
		return strconv.FormatBool(v.Int != 0)
	}
	return strconv.FormatInt(v.Int, 10)
}

// readDerived returns the rows of derived tables in a data set of one recording.
func readDerived(t *testing.T, dir string, e *parquet.Entry) cells {
	t.Helper()
	have := cells{}
	for _, f := range e.Files { // by path
		if table := derived.Named(strings.TrimPrefix(f.Event, "tracec.")); table != nil {
			key := f.Event + " " + f.Date
			have[key] = append(have[key], readCells(t, filepath.Join(dir, filepath.FromSlash(f.Path)), table, e)...)
		}
	}
	return have
}

// readCells returns the rows of a file. It checks the columns that package tables does not have.
func readCells(t *testing.T, name string, table derived.Any, e *parquet.Entry) (list []string) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	file, err := pq.OpenFile(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		t.Fatal(err)
	}
	names := file.Schema().Columns()
	rows := pq.MultiRowGroup(file.RowGroups()...).Rows()
	defer rows.Close()
	buf := make([]pq.Row, 64)
	for {
		n, err := rows.ReadRows(buf)
		for _, row := range buf[:n] {
			var texts []string
			begin, wall := pq.Value{}, pq.Value{}
			for i, v := range row {
				switch column := names[i][0]; column {
				case "recording":
					if v.String() != e.ID {
						t.Errorf("%s: a row of recording %s", name, v)
					}
				case "wall":
					wall = v
				case "ts":
					begin = v
					fallthrough
				default:
					texts = append(texts, column+"="+cellText(file.Schema(), column, v))
				}
			}
			if e.Wall != nil && begin.IsNull() != wall.IsNull() ||
				!wall.IsNull() && wall.Int64() != begin.Int64()+*e.Wall {
				t.Errorf("%s: ts %v, wall %v", name, begin, wall)
			}
			list = append(list, strings.Join(texts, " "))
		}
		if err == io.EOF {
			return list
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func cellText(schema *pq.Schema, column string, v pq.Value) string {
	leaf, _ := schema.Lookup(column)
	switch {
	case v.IsNull():
		return "NULL"
	case leaf.Node.Type().String() == "INT(64,false)":
		return strconv.FormatUint(v.Uint64(), 10)
	}
	return v.String()
}

// withoutDerived returns the tables of events.
func withoutDerived(all tables) tables {
	events := tables{}
	for name, s := range all {
		if derived.Named(strings.TrimPrefix(name, "tracec.")) == nil {
			events[name] = s
		}
	}
	return events
}

// midnight writes a recording across a midnight: the name of the machine is replaced by the date.
func midnight(t *testing.T, name string) string {
	t.Helper()
	packed, err := os.ReadFile(derivedData + name + "/" + name + ".dat.zst")
	if err != nil {
		t.Fatal(err)
	}
	d, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	text, err := d.DecodeAll(packed, nil)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), name+".dat")
	if err := os.WriteFile(path, text, 0o666); err != nil {
		t.Fatal(err)
	}
	w := expect(t, path)["sched.sched_switch"]
	day := 20_000 * 24 * time.Hour
	shift := fmt.Sprintf("0x%x", day.Microseconds()-int64(w.lo/2+w.hi/2)/1000)
	at := bytes.Index(text, []byte("Linux guest "))
	if at < 0 || text[at-6] != 5 {
		t.Fatal("no option with the name of the machine")
	}
	size := int(binary.LittleEndian.Uint32(text[at-4:]))
	clear(text[at : at+size])
	copy(text[at:at+size-1], shift)
	text[at-6] = 1 // the option DATE
	if err := os.WriteFile(path, text, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// derivedRecordings are recordings of all derived tables.
func derivedRecordings(t *testing.T) []string {
	t.Helper()
	list, err := filepath.Glob(derivedData + "*/*.dat.zst")
	if err != nil || len(list) == 0 {
		t.Fatal("no recordings", err)
	}
	return append(list, "../../testdata/uftrace/args-spec/data.tar.gz", "../../testdata/aix/shop64.trc",
		midnight(t, "sched-mutex"))
}

// TestDerived: a data set has the rows of package tables, cell by cell, in their order. Its events
// are the same as without derived tables.
func TestDerived(t *testing.T) {
	for _, path := range derivedRecordings(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			dir := t.TempDir()
			m, err := parquet.Write(t.Context(), dir, sources(path), parquet.Options{Tables: true})
			if err != nil {
				t.Fatal(err)
			}
			e, want := m.Sources[0], expectDerived(t, path)
			if diff := cmp.Diff(want, readDerived(t, dir, e)); diff != "" {
				t.Error(diff)
			}
			events := readAll(t, dir, m)
			for _, r := range e.Events {
				if derived.Named(strings.TrimPrefix(r.Event, "tracec.")) != nil {
					if events[r.Event].rows != r.Rows {
						t.Errorf("%s: %d rows, the manifest says %d", r.Event, events[r.Event].rows, r.Rows)
					}
				}
			}
			compareSums(t, expect(t, path), withoutDerived(events))
		})
	}
}

// TestDerivedDays: the rows around midnight are in tables of two days, and in few files.
func TestDerivedDays(t *testing.T) {
	path := midnight(t, "sched-mutex")
	dir := t.TempDir()
	e, err := parquet.WriteSource(t.Context(), dir, source(path), parquet.Options{Tables: true})
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]int{}
	for _, f := range e.Files {
		files[f.Event]++
	}
	if files["tracec.thread_state"] != 2 || files["tracec.sched_latency"] != 2 || files["tracec.cpu_time"] != 1 {
		t.Error(files)
	}
}

// TestDerivedSame: derived tables are the same with little memory, in small row groups, with any
// number of goroutines, and if the export is resumed.
func TestDerivedSame(t *testing.T) {
	paths := []string{derivedData + "all-mix/all-mix.dat.zst", "../../testdata/uftrace/args-spec/data.tar.gz",
		midnight(t, "sched-mutex")}
	want := whole(t, parquet.Options{Tables: true, Workers: 1}, paths...)
	compareTrees(t, want, whole(t, parquet.Options{Tables: true, Workers: 7}, paths...))
	compareTrees(t, want, whole(t, parquet.Options{Tables: true, Memory: 1000}, paths...))
	dir := t.TempDir()
	if _, err := parquet.Write(t.Context(), dir, sources(paths[:2]...), parquet.Options{Tables: true}); err != nil {
		t.Fatal(err)
	}
	if _, err := parquet.Write(t.Context(), dir, sources(paths...), parquet.Options{Resume: true}); err == nil ||
		!strings.Contains(err.Error(), "layout tables, not events") {
		t.Errorf("a data set with derived tables was continued without: %v", err)
	}
	if _, err := parquet.Write(t.Context(), dir, sources(paths...),
		parquet.Options{Tables: true, Resume: true}); err != nil {
		t.Fatal(err)
	}
	compareTrees(t, want, tree(t, dir))
}

// TestDerivedInterrupted: an export that is interrupted during events or derived tables leaves
// neither, and can be resumed.
func TestDerivedInterrupted(t *testing.T) {
	o := parquet.Options{Tables: true}
	path := derivedData + "all-mix/all-mix.dat.zst"
	want := whole(t, o, path)
	ends := 0
	for after := int64(0); ; after += int64(needs.Cases(t, 7, 1)) {
		dir := t.TempDir()
		left := &atomic.Int64{}
		left.Store(after)
		_, err := parquet.Write(endAfter{t.Context(), left}, dir, sources(path), o)
		if err == nil {
			break
		}
		if ends++; !errors.Is(err, context.Canceled) {
			t.Fatalf("after %d: %v", after, err)
		}
		if m, err := parquet.ReadManifest(dir); err == nil && len(m.Sources) > 0 && len(m.Sources[0].Errors) > 0 {
			t.Errorf("after %d: %v", after, m.Sources[0].Errors)
		}
		again := o
		again.Resume = true
		if _, err := parquet.Write(t.Context(), dir, sources(path), again); err != nil {
			t.Fatal(err)
		}
		compareTrees(t, want, tree(t, dir))
	}
	if ends < 3 {
		t.Errorf("interrupted %d times", ends)
	}
}

// TestDerivedDuckDB: DuckDB joins derived tables with events.
func TestDerivedDuckDB(t *testing.T) {
	dir := t.TempDir()
	path := derivedData + "sched-pingpong/sched-pingpong.dat.zst"
	if _, err := parquet.Write(t.Context(), dir, sources(path), parquet.Options{Tables: true}); err != nil {
		t.Fatal(err)
	}
	ended := 0 // each wait ends with a switch to the thread
	for _, row := range expectDerived(t, path)["tracec.sched_latency "] {
		if !strings.Contains(row, "ts_end=NULL") {
			ended++
		}
	}
	const join = "SELECT count(*), sum(l.dur) = sum(s.time - l.ts) FROM %s l JOIN %s s ON s.time = l.ts_end AND s.next_pid = l.tid AND s.cpu = l.cpu AND s.recording = l.recording"
	a := duckdb(t, fmt.Sprintf(join, from(dir+"/*/*/event=tracec.sched_latency/*.parquet"),
		from(dir+"/*/*/event=sched.sched_switch/*.parquet")))
	if row := a[0].Rows[0]; ended == 0 || atoi(row[0]) != int64(ended) || *row[1] != "true" {
		t.Errorf("%s rows join, want %d; durations %s", *row[0], ended, *row[1])
	}
}
