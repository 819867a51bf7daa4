package sql_test

import (
	"context"
	_ "embed"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/parquet"
	"github.com/tracec/tracec/export/sql"
	"github.com/tracec/tracec/internal/testkit/exporttest"
	"github.com/tracec/tracec/internal/testkit/needs"
)

// questions are queries for both databases. Tables are in braces, and {low} and {mid} are times.
//
//go:embed testdata/questions.sql
var questions string

// ours maps the tables of the questions to our names, if these differ.
var ours = map[string]string{
	"sched_waking": "(select *, field_pid as pid_ from sched_waking)",
}

// theirs maps tables of events to the columns that DuckDB selects besides ts, cpu, tid, pid and
// thread.
var theirs = map[string]string{
	"events":             "split_part(event, '.', 1) as system, split_part(event, '.', 2) as name",
	"sched_switch":       "prev_comm, prev_pid, prev_prio, prev_state, prev_state_name, next_comm, next_pid, next_prio",
	"sched_waking":       "field_comm as comm, pid as pid_, prio, target_cpu",
	"sched_stat_runtime": "field_comm as comm, runtime",
	"softirq_raise":      "vec, vec_name",
}

// TestDuckDB compares the answers of this package for a recording with DuckDB's answers for the
// data set of tracec export.
func TestDuckDB(t *testing.T) {
	paths := []string{syscalls}
	for _, name := range []string{"all-mix", "sched-pingpong"} {
		path := filepath.Join(needs.SharedData(t), "tables", name, name+".dat.zst")
		if found, _ := filepath.Glob(path); len(found) > 0 && needs.LongProofs(t) {
			paths = append(paths, path)
		}
	}
	for _, path := range paths {
		compareDuckDB(t, path)
	}
}

func compareDuckDB(t *testing.T, path string) {
	exporttest.DuckDB(t, "select 1") // skips the test without DuckDB
	db := newDatabase(t, sql.Options{}, open(t, path))
	dir := dataSet(t, path)
	low := db.ask(t, "select min(ts) + (max(ts) - min(ts)) / 4 from events")[0]
	mid := db.ask(t, "select min(ts) + (max(ts) - min(ts)) / 2 from events")[0]
	var texts, queries []string
	for line := range strings.Lines(questions) {
		line = strings.NewReplacer("{low}", low, "{mid}", mid).Replace(strings.TrimSpace(line))
		lacks := false
		for name := range theirs {
			lacks = lacks || strings.Contains(line, "{"+name+"}") &&
				db.ask(t, "select count(*) from events where name = '"+name+"'")[0] == "0" && name != "events"
		}
		if lacks {
			continue
		}
		texts, queries = append(texts, line), append(queries, inDuckDB(dir, line))
	}
	if path == syscalls && len(texts) < 60 {
		t.Errorf("%s: only %d questions", path, len(texts))
	}
	for i, rows := range exporttest.DuckDB(t, queries...) {
		var want []string
		for _, row := range rows {
			var cells []string
			for _, v := range row {
				if v == nil {
					cells = append(cells, "NULL")
				} else {
					cells = append(cells, *v)
				}
			}
			want = append(want, strings.Join(cells, "|"))
		}
		query := texts[i]
		for name := range theirs {
			text := ours[name]
			if text == "" {
				text = name
			}
			query = strings.ReplaceAll(query, "{"+name+"}", text)
		}
		got := db.ask(t, query)
		if !strings.Contains(query, "order by ts limit") {
			slices.Sort(got)
			slices.Sort(want)
		}
		if !slices.EqualFunc(got, want, sameLine) {
			t.Errorf("%s: %s:\n%.600q\nDuckDB\n%.600q", filepath.Base(path), texts[i], got, want)
		}
	}
}

// inDuckDB returns the text of a question for DuckDB.
func inDuckDB(dir, line string) string {
	for name, columns := range theirs {
		event := "event=*." + name
		if name == "events" {
			event = "*"
		}
		from := fmt.Sprintf("(select time as ts, cpu, task as tid, process as pid, comm as thread, %s "+
			"from read_parquet('%s/*/*/%s/*.parquet', hive_partitioning=true, union_by_name=true))", columns, dir,
			event)
		line = strings.ReplaceAll(line, "{"+name+"}", from)
	}
	for name, q := range map[string]string{"p50": "0.5", "p95": "0.95", "p99": "0.99"} {
		line = strings.ReplaceAll(line, name+"(runtime)", "quantile_disc(runtime, "+q+")")
	}
	return line
}

// dataSet exports a recording.
func dataSet(t *testing.T, path string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	src := parquet.Source{Path: path, Open: func(ctx context.Context) (*tracec.Reader, io.Closer, error) {
		rec, err := tracec.Open(ctx, path)
		if err != nil {
			return nil, nil, err
		}
		r, err := rec.Reader(ctx, tracec.WithThreads())
		return r, rec, err
	}}
	if _, err := parquet.Write(t.Context(), dir, []parquet.Source{src}, parquet.Options{}); err != nil {
		t.Fatal(err)
	}
	return dir
}

// sameLine compares rows. Means may differ in their last digits.
func sameLine(a, b string) bool {
	if a == b {
		return true
	}
	x, y := strings.Split(a, "|"), strings.Split(b, "|")
	return slices.EqualFunc(x, y, func(a, b string) bool {
		v, err := strconv.ParseFloat(a, 64)
		w, err2 := strconv.ParseFloat(b, 64)
		return a == b || err == nil && err2 == nil && math.Abs(v-w) <= 1e-12*math.Abs(v) && strings.Contains(a+b, ".")
	})
}
