package sql_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/sql"
	"github.com/tracec/tracec/export/tables"
	"github.com/tracec/tracec/internal/testkit/exporttest"
	"github.com/tracec/tracec/internal/testkit/tracefile"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/record"
)

// TestReadOnly: a query can only select.
func TestReadOnly(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	db := newDatabase(t, sql.Options{}, open(t, exportRoot(t)+"/testdata/ftrace/amd64-syscalls.dat"))
	for query, want := range map[string]string{
		"attach 'x.db' as x":        "ATTACH",
		"vacuum":                    "ATTACH",
		"vacuum into 'y.db'":        "ATTACH",
		"pragma journal_mode = off": "PRAGMA",
		"select * from pragma_table_info('events')":        "not allowed",
		"create table x(a)":                                "CREATE",
		"create temp table x(a)":                           "CREATE",
		"create view x as select 1":                        "CREATE",
		"create virtual table temp.x using tracec(1)":      "CREATE",
		"insert into events values (1)":                    "INSERT",
		"with a as (select 1) insert into events select 1": "INSERT",
		"delete from events":                               "DELETE",
		"update events set ts = 1":                         "UPDATE",
		"drop table events":                                "not allowed",
		"begin":                                            "BEGIN",
		"savepoint a":                                      "SAVEPOINT",
		"select load_extension('a.so')":                    "load_extension",
		"reindex":                                          "",
		"analyze":                                          "",
		"select 1; select 2":                               "one statement",
		"":                                                 "no statement",
		" ; -- nothing":                                    "no statement",
		"select writefile('z', 'x')":                       "no such function",
		"select * from nowhere":                            "no such table",
		"select 'open":                                     "unrecognized token",
		"detach main":                                      "DETACH",
		"select p50(name) from events":                     "only of numbers",
		"explain query plan insert into events values (1)": "INSERT",
	} {
		lines, err := db.try(t.Context(), query)
		if want == "" && err == nil && len(lines) == 0 {
			continue
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %q, %v, want %s", query, lines, err, want)
		}
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("queries wrote %v", left)
	}
	db.is(t, "with recursive n(i) as (select 1 union all select i + 1 from n where i < 5) select sum(i) from n", "15")
	db.is(t, "select value from json_each('[1,2]')", "1\n2")
	db.is(t, "select count(*) from events;", "4422")
}

// exportRoot returns the root of the module. It is for tests that have changed their directory.
func exportRoot(t *testing.T) string { t.Helper(); return strings.TrimSuffix(root, "/export/sql") }

var root, _ = os.Getwd()

// TestInterrupt: the end of the context ends a query in any phase.
func TestInterrupt(t *testing.T) {
	src := open(t, syscalls)
	cancel := func() {}
	whole := src.Open
	src.Open = func(within record.Options, more ...tracec.Option) (*tracec.Reader, error) {
		cancel()
		return whole(within, more...)
	}
	db := newDatabase(t, sql.Options{}, src)
	for _, query := range []string{
		"with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n",
		"select count(*) from events a, events b, events c, events d",
	} {
		ctx, end := context.WithTimeout(t.Context(), 50*time.Millisecond)
		begun := time.Now()
		_, err := db.try(ctx, query)
		end()
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(begun) > 20*time.Second {
			t.Errorf("%s: %v after %v", query, err, time.Since(begun))
		}
	}
	for _, query := range []string{ // while events are read
		"select * from sched_switch",
		"select * from sched_switch order by ts",
		"select count(*) from events where name like 's%'",
		"select name, count(*) from events group by name",
		"select name || 'x', count(*) from events group by 1",
		"select * from event_counts",
		"select count(*) from sched_switch a join sched_switch b on b.tid = a.tid",
		"select * from thread_state",
		"select state, sum(dur) from thread_state group by state",
		"select * from latency_by_thread",
	} {
		db.ask(t, "select 1 from ("+query+") limit 1") // the tables are known
		ctx, end := context.WithCancel(t.Context())
		cancel = end
		_, err := db.try(ctx, query)
		if cancel = func() {}; !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", query, err)
		}
		end()
	}
	var few answer
	few.most = 2
	if err := db.Query(t.Context(), "select * from events", &few); !errors.Is(err, errEnough) || len(few.rows) != 2 {
		t.Errorf("a reader of rows that stops: %v after %d rows", err, len(few.rows))
	}
	db.is(t, "select count(*) from sched_switch", "306")
}

// TestMemory: a query that needs too much memory is an error.
func TestMemory(t *testing.T) {
	db := newDatabase(t, sql.Options{Memory: 8 << 20}, open(t, syscalls))
	_, err := db.try(t.Context(), "select group_concat(printf('%1000d', ts)) from events")
	if err == nil || !strings.Contains(err.Error(), "memory") && !strings.Contains(err.Error(), "too big") {
		t.Errorf("%v", err)
	}
	db.is(t, "select count(*) from sched_switch", "306")
}

// TestSeveral: one database contains several recordings.
func TestSeveral(t *testing.T) {
	a, b := open(t, syscalls), open(t, "../../testdata/ftrace/amd64-markers.dat")
	a.Name, b.Name = "a", "b"
	one, two := newDatabase(t, sql.Options{}, a), newDatabase(t, sql.Options{}, a, b)
	n, m := one.ask(t, "select count(*) from events")[0],
		newDatabase(t, sql.Options{}, b).ask(t, "select count(*) from events")[0]
	two.is(t, "select recording, count(*) from events group by recording", "a|"+n+"\nb|"+m)
	b.opened = nil
	two.is(t, "select count(*) from events where recording = 'a'", n)
	if len(b.opened) != 0 {
		t.Error("the other recording was read")
	}
	two.is(t, "select recording, count(*) > 0 from cpu_time group by recording", "a|1")
	if len(two.warned) == 0 || !strings.Contains(two.warned[0], "has no events for the table cpu_time") {
		t.Errorf("warned of %q", two.warned)
	}
	two.is(t, "select recording from sched_switch limit 1", "a")
	one.is(t, "select recording from sched_switch limit 1", "a")
	if h := one.heads(t, "select * from cpu_time"); h[0] != "ts" && h[0] != "cpu" {
		t.Errorf("columns %q", h)
	}
	if h := two.heads(t, "select * from cpu_time"); h[0] != "recording" {
		t.Errorf("columns %q", h)
	}
	_, err := newDatabase(t, sql.Options{}, b).try(t.Context(), "select * from cpu_time")
	if err == nil || !strings.Contains(err.Error(), "needs") {
		t.Errorf("a table without its events: %v", err)
	}
}

func (db *database) heads(t *testing.T, query string) []string {
	t.Helper()
	var a answer
	if err := db.Query(t.Context(), query, &a); err != nil {
		t.Fatal(err)
	}
	return a.heads
}

// TestViews: all tables and views of a database can be read, and their columns are documented.
func TestViews(t *testing.T) {
	db := newDatabase(t, sql.Options{}, open(t, "../../testdata/ftrace/amd64-syscalls.dat"))
	for i, table := range db.Tables() {
		columns, err := table.Columns(t.Context())
		if err != nil || len(columns) == 0 || i < 20 && table.Doc == "" && table.Event == "" {
			t.Errorf("%s %q: %v, %v", table.Name, table.Doc, columns, err)
		}
		if i < 40 {
			_, err := db.try(t.Context(), fmt.Sprintf("select * from %q", table.Name))
			if missing := (*tables.MissingError)(nil); err != nil && !errors.As(err, &missing) {
				t.Errorf("%s: %v", table.Name, err)
			}
		}
	}
	db.is(t, "select name, events from event_counts limit 1", "softirq_raise|453")
	db.is(t, "select sum(n) from (select count(*) as n from sched_switch union all select 1)", "307")
}

// TestHostile: names and values of any bytes.
func TestHostile(t *testing.T) {
	src := of("hos'tile", exporttest.Hostile(t))
	db := newDatabase(t, sql.Options{}, src)
	var names []string
	for _, table := range db.Tables() {
		if table.Event != "" {
			names = append(names, table.Name)
		}
	}
	total := 0
	for _, name := range names {
		quoted := `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
		total += len(db.ask(t, "select * from "+quoted))
	}
	if all := len(db.ask(t, "select * from events")); total == 0 || total > all {
		t.Errorf("%d rows of tables %q, %d of events", total, names, all)
	}
	db.is(t, "select distinct recording from events", "hos'tile")
}

// TestUnsigned: integers from 2^63 have the same bits as negative ones.
func TestUnsigned(t *testing.T) {
	db := newDatabase(t, sql.Options{}, wide(t, 3))
	db.is(t, "select f0, f1, printf('%x', f1), unsigned(f1), f1 = 0xffffffffffffffff, unsigned(null), unsigned(5) from wide",
		"-9223372036854775808|-1|ffffffffffffffff|18446744073709551615|1|NULL|5")
	db.is(t, "select count(*) from wide where f0 = 0x8000000000000000", "1")
}

// TestWide: SQLite has 2000 columns at most.
func TestWide(t *testing.T) {
	db := newDatabase(t, sql.Options{}, wide(t, 3000))
	db.is(t, "select f2, f63, f64, f100, f1980 from wide", "2|63|64|100|1980")
	if n := len(db.heads(t, "select * from wide")); n < 1990 || n > 2000 {
		t.Errorf("%d columns", n)
	}
	if len(db.warned) != 1 || !strings.Contains(db.warned[0], "beyond the columns") {
		t.Errorf("warned of %q", db.warned)
	}
	if _, err := db.try(t.Context(), "select f2999 from wide"); err == nil {
		t.Error("a column that was omitted")
	}
}

// wide returns a recording of one event with many integers: 2^63, 2^64-1, 2, 3, …
func wide(t *testing.T, fields int) *source {
	t.Helper()
	m := tracefile.Machine{Word: 8}
	var format strings.Builder
	format.WriteString("name: wide\nID: 301\nformat:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" +
		"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n" +
		"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n")
	payload := m.Payload(301, 7)
	for i := range fields {
		fmt.Fprintf(&format, "\tfield:u64 f%d;\toffset:%d;\tsize:8;\tsigned:0;\n", i, 8+8*i)
		v := uint64(i)
		if i < 2 {
			v = []uint64{1 << 63, ^uint64(0)}[i]
		}
		payload = m.Order().AppendUint64(payload, v)
	}
	format.WriteString("\nprint fmt: \"\"\n")
	f := tracefile.File{Machine: m, Version: 6, PageSize: 1 << 16, CPUs: 1,
		Ftrace: []string{tracefile.Format("print", 5)}}
	f.Systems = []tracefile.System{{Name: "made", Formats: []string{format.String()}}}
	long := append(m.Order().AppendUint32(nil, uint32(len(payload)+4)), payload...)
	page := m.NewPage(1<<16, 1000).Head(0, 1).Bytes(long).Done()
	f.Buffers = []tracefile.Buffer{{Clock: "[local]", CPUs: []tracefile.CPU{{Pages: page}}}}
	b := f.Bytes()
	rec, err := ftrace.OpenReaderAt(bytes.NewReader(b), int64(len(b)), "wide")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rec.Close() })
	return of("wide", rec)
}

// TestSamples: frames are JSON with the files that their processes have mapped.
func TestSamples(t *testing.T) {
	db := newDatabase(t, sql.Options{}, open(t, "../../testdata/perf/clock.data"))
	// perf script 7.2 prints the same number of samples for each of these files in the first frame
	db.is(t, `select stack ->> '$[0].file', count(*) from "cpu-clock" group by 1 order by 2 desc`,
		"/opt/demo/hot|65\n[kernel.kallsyms]|4\n/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2|2")
}

// TestSystems: recordings of all systems can be queried.
func TestSystems(t *testing.T) {
	for _, path := range []string{"aix/shop64.trc", "uftrace/cpp-auto/data.tar.gz", "uftrace/events/data.tar.gz",
		"lttng/realwriter/ust26-le64-packed.tar.xz", "perf/clock.data", "perf/sched.data"} {
		db := newDatabase(t, sql.Options{}, open(t, "../../testdata/"+path))
		all := db.ask(t, "select count(*) from events")[0]
		db.is(t, "select sum(events) from event_counts", all)
		for _, condition := range []string{"cpu = 0", "tid > 0", "tid = 1"} {
			plain := strings.NewReplacer("cpu", "+cpu", "tid", "+tid").Replace(condition)
			db.is(t, "select count(*) from events where "+condition,
				db.ask(t, "select count(*) from events where "+plain)[0])
		}
		for _, row := range db.ask(t, "select name || '!' || count(*) from events group by system, name limit 6") {
			name, n, _ := strings.Cut(row, "!")
			if table, ok := db.Table(name); ok && table.Event != "" && table.Name == name {
				db.is(t, `select count(*) from "`+strings.ReplaceAll(name, `"`, `""`)+`"`, n)
			}
		}
	}
}
