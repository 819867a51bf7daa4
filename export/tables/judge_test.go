package tables_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/tables"
	"github.com/tracec/tracec/internal/testkit/scripted"
)

// The recordings of testdata/tables were made by perf, and converted event for event. The answers
// of other tools are in the same folder: see testdata/tables/README.md.

// recording opens a recording of testdata/tables.
func recording(t testing.TB, name string) *tracec.Recording {
	t.Helper()
	rec, err := tracec.Open(context.Background(), filepath.Join("../../testdata/tables", name, name+".dat.zst"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rec.Close() })
	return rec
}

// saved returns the saved text of a tool for a recording. It returns false if there is no text.
func saved(t testing.TB, name, file string) (string, bool) {
	t.Helper()
	return readText(t, filepath.Join("../../testdata/tables", name, file))
}

// readText reads a text, which may be compressed.
func readText(t testing.TB, path string) (string, bool) {
	t.Helper()
	if b, err := os.ReadFile(path); err == nil {
		return string(b), true
	}
	b, err := os.ReadFile(path + ".zst")
	if err != nil {
		return "", false
	}
	r, err := zstd.NewReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var out bytes.Buffer
	if _, err := out.ReadFrom(r); err != nil {
		t.Fatal(err)
	}
	return out.String(), true
}

// lines returns the lines of a tab-separated table below its header, by the names of the columns.
func lines(t testing.TB, text string) (list []map[string]string) {
	t.Helper()
	var head []string
	for line := range strings.Lines(text) {
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if head == nil {
			head = cells
			continue
		}
		row := map[string]string{}
		for i, name := range head {
			row[name] = cells[i]
		}
		list = append(list, row)
	}
	return list
}

// rows returns the rows of a table as texts, by the names of the columns. NULL becomes "NULL".
func rows(t testing.TB, table tables.Any, rec *tracec.Recording) (list []map[string]string) {
	t.Helper()
	columns := table.Columns()
	w := tables.NewWalk(rec)
	err := table.Each(w, func(get func(int) tables.Value) bool {
		row := map[string]string{}
		for i, c := range columns {
			switch v := get(i); {
			case v.Null:
				row[c.Name] = "NULL"
			case c.Kind == tables.Text:
				row[c.Name] = strings.Clone(v.Text)
			default:
				row[c.Name] = strconv.FormatInt(v.Int, 10)
			}
		}
		list = append(list, row)
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	return list
}

// number returns the number in a cell.
func number(t testing.TB, cell string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(cell, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// key joins cells.
func key(row map[string]string, columns ...string) string {
	var b strings.Builder
	for _, c := range columns {
		b.WriteString(row[c])
		b.WriteByte(' ')
	}
	return b.String()
}

// shown returns columns of the rows of a table, one row a line.
func shown(t testing.TB, table tables.Any, rec *tracec.Recording, columns ...string) []string {
	t.Helper()
	var list []string
	for _, row := range rows(t, table, rec) {
		for _, c := range columns {
			if _, ok := row[c]; !ok {
				t.Fatalf("%s has no column %s", table.Name(), c)
			}
		}
		list = append(list, strings.TrimSuffix(key(row, columns...), " "))
	}
	return list
}

// check compares columns of the rows of a table, in their order, with lines. A NULL is "-".
func check(t *testing.T, table tables.Any, rec *tracec.Recording, columns, want string) {
	t.Helper()
	var list []string
	for line := range strings.Lines(want) {
		if line = strings.TrimSpace(line); line != "" {
			list = append(list, line)
		}
	}
	got := shown(t, table, rec, strings.Fields(columns)...)
	for i := range got {
		got[i] = strings.ReplaceAll(got[i], "NULL", "-")
	}
	if d := cmp.Diff(list, got); d != "" {
		t.Error(d)
	}
}

// without returns the events except those with some names.
func without(events []scripted.Event, names ...string) []scripted.Event {
	return slices.DeleteFunc(slices.Clone(events),
		func(e scripted.Event) bool { return slices.Contains(names, e.Name) })
}
