package parquet_test

import (
	"archive/tar"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tracec/tracec/export/parquet"
)

// TestPruning: a query for an event reads no other event's files, and a query for a time reads only
// the row groups that contain it.
func TestPruning(t *testing.T) {
	duckdb(t, "SELECT 1") // skips the test without DuckDB
	dir := t.TempDir()
	m, err := parquet.Write(t.Context(), dir, sources("../../testdata/ftrace/amd64-extract.dat"), parquet.Options{})
	if err != nil {
		t.Fatal(err)
	}
	set := from(dir + "/*/*/*/*.parquet")
	a := duckdb(t,
		"SELECT count(*) FROM "+set+" WHERE event = 'sched.sched_switch'",
		"EXPLAIN ANALYZE SELECT sum(time) FROM "+set+" WHERE event = 'sched.sched_switch'",
		"EXPLAIN ANALYZE SELECT sum(time) FROM "+set,
	)
	if n := atoi(a[0].Rows[0][0]); n != 180 {
		t.Errorf("%d switches, want 180", n)
	}
	all := len(m.Sources[0].Files)
	one, every := plan(a[1]), plan(a[2])
	if !strings.Contains(one, fmt.Sprint("Scanning Files: 1/", all)) || strings.Contains(every, "Scanning Files: 1/") {
		t.Errorf("%d files; the plan for one event:\n%s\nfor all:\n%s", all, one, every)
	}
}

func plan(a answer) string {
	var b strings.Builder
	for _, row := range a.Rows {
		for _, cell := range row {
			b.WriteString(*cell + "\n")
		}
	}
	return b.String()
}

// TestKernels: recordings of kernels that declare an event differently give one table.
func TestKernels(t *testing.T) {
	duckdb(t, "SELECT 1") // skips the test without DuckDB
	dir := t.TempDir()
	paths := []string{"../../testdata/ftrace/amd64-extract.dat", "../../testdata/ftrace/i386-userstack.dat",
		"../../testdata/ftrace/s390x-markers.dat", "../../testdata/ftrace/amd64-triggers.dat"}
	if _, err := parquet.Write(t.Context(), dir, sources(paths...), parquet.Options{Host: "unnamed"}); err != nil {
		t.Fatal(err)
	}
	want := map[string]*sums{}
	for _, p := range paths {
		for event, s := range expect(t, p) {
			if want[event] == nil {
				want[event] = s
				continue
			}
			want[event].rows += s.rows
			for column, sum := range s.sum {
				for range s.count[column] {
					want[event].add(column, sum)
					sum.SetInt64(0)
				}
			}
		}
	}
	var queries []query
	for event, w := range want {
		columns := sortedKeys(w.sum)
		sql := "SELECT count(*)"
		for _, c := range columns {
			sql += `, coalesce(sum("` + c + `"::HUGEINT), 0)`
		}
		queries = append(queries, query{sql + " FROM " + from(dir+"/*/*/event="+event+"/*.parquet"), func(a answer) {
			row := a.Rows[0]
			if atoi(row[0]) != w.rows {
				t.Errorf("%s: %s rows, want %d", event, *row[0], w.rows)
			}
			for i, c := range columns {
				if *row[i+1] != w.sum[c].String() {
					t.Errorf("%s.%s: sum %s, want %v", event, c, *row[i+1], w.sum[c])
				}
			}
		}})
	}
	ask(t, queries)
}

// TestNames: partitions with any characters are read back unchanged.
func TestNames(t *testing.T) {
	hosts := []string{"web/1", "a=b c", "50%", "käse", "it's", "..", "\xff\xfe", strings.Repeat("long", 30)}
	dir := t.TempDir()
	for _, h := range hosts {
		e, err := parquet.WriteSource(t.Context(), dir, source("../../testdata/ftrace/amd64-extract.dat"),
			parquet.Options{Host: h, SameHost: true})
		if err != nil {
			t.Fatal(err)
		}
		if rel, err := filepath.Rel(dir, filepath.Join(dir, e.Files[0].Path)); err != nil ||
			strings.HasPrefix(rel, "..") {
			t.Errorf("%q: %s is outside", h, e.Files[0].Path)
		}
	}
	var have []string
	for _, r := range duckdb(t, "SELECT DISTINCT host FROM "+from(dir+"/*/*/*/*.parquet"))[0].Rows {
		have = append(have, *r[0])
	}
	hosts[slices.Index(hosts, "\xff\xfe")] = `\xff\xfe`
	slices.Sort(hosts)
	slices.Sort(have)
	if !slices.Equal(hosts, have) {
		t.Errorf("hosts %q, want %q", have, hosts)
	}
}

// reportLine matches a function in the output of uftrace report with exact times.
var reportLine = regexp.MustCompile(`(?m)^ +(\d+)\.(\d{3}) us +(\d+)\.(\d{3}) us +(\d+)  (\S+)$`)

// TestCalls: functions have the numbers of calls and the times that uftrace 0.13 reports.
func TestCalls(t *testing.T) {
	duckdb(t, "SELECT 1") // skips the test without DuckDB
	for _, name := range []string{"abc-full", "args-auto", "args-spec", "threads", "big-endian"} {
		dir := t.TempDir()
		if _, err := parquet.Write(t.Context(), dir, sources("../../testdata/uftrace/"+name+"/data.tar.gz"),
			parquet.Options{}); err != nil {
			t.Fatal(err)
		}
		rows := duckdb(t, "SELECT function, count(*), sum(duration), sum(self) FROM "+
			from(dir+"/*/*/event=uftrace.return/*.parquet")+" GROUP BY ALL")[0].Rows
		have := map[string]string{}
		for _, r := range rows {
			have[*r[0]] = fmt.Sprintf("%s calls, total %s, self %s", *r[1], *r[2], *r[3])
		}
		lines := reportLine.FindAllStringSubmatch(reportOf(t, name), -1)
		if len(lines) == 0 {
			t.Errorf("%s: no lines", name)
		}
		for _, m := range lines {
			number := func(i int) string { return strings.TrimLeft(m[i]+m[i+1], "0") }
			if want := fmt.Sprintf("%s calls, total %s, self %s", m[5], number(1), number(3)); have[m[6]] != want {
				t.Errorf("%s: %s has %s, want %s", name, m[6], have[m[6]], want)
			}
		}
	}
}

// reportOf returns the output of uftrace report for a recording.
func reportOf(t *testing.T, name string) string {
	t.Helper()
	f, err := os.Open("../../testdata/uftrace/" + name + "/expected.tar.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err != nil {
			t.Fatal(name, err)
		}
		if h.Name == "0.13/report.txt" {
			text, err := io.ReadAll(r)
			if err != nil {
				t.Fatal(err)
			}
			return string(text)
		}
	}
}

// TestRecordings: each row names its recording, which the table of recordings describes.
func TestRecordings(t *testing.T) {
	duckdb(t, "SELECT 1") // skips the test without DuckDB
	dir := t.TempDir()
	paths := []string{
		"../../testdata/ftrace/amd64-extract.dat", "../../testdata/ftrace/amd64-syscalls.dat",
		"../../testdata/ftrace/amd64-date.dat",
	}
	m, err := parquet.Write(t.Context(), dir, sources(paths...), parquet.Options{})
	if err != nil {
		t.Fatal(err)
	}
	table := quote(dir + "/" + parquet.RecordingsName)
	a := duckdb(t,
		"SELECT r.path, count(*) FROM "+from(dir+"/**/*.parquet")+" JOIN "+table+" r USING (recording) GROUP BY r.path",
		"SELECT begin FROM "+table+" WHERE path LIKE '%date%' AND typeof(begin) LIKE 'TIMESTAMP%'")
	got := map[string]int64{}
	for _, row := range a[0].Rows {
		got[*row[0]] = int64(atoi(row[1]))
	}
	for _, e := range m.Sources {
		rows := int64(0)
		for _, f := range e.Files {
			rows += f.Rows
		}
		if got[e.Path] != rows || rows < e.Rows {
			t.Errorf("%s: %d rows, the manifest says %d", e.Path, got[e.Path], rows)
		}
	}
	if len(got) != len(paths) || len(a[1].Rows) != 1 {
		t.Errorf("%v; begins %v", got, a[1].Rows)
	}
}
