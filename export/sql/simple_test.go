package sql_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tracec/tracec/export/sql"
	"github.com/tracec/tracec/internal/testkit/exporttest"
	"github.com/tracec/tracec/internal/testkit/needs"
)

// TestSimple draws simple queries. SQLite answers them with the same rows in the same order under
// the same names.
func TestSimple(t *testing.T) {
	db := newDatabase(t, sql.Options{}, open(t, syscalls))
	mid := db.ask(t, "select (min(ts) + max(ts)) / 2 from events")[0]
	r := rand.New(rand.NewPCG(1, 2))
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	for i := range needs.Cases(t, 150, 6000) {
		table := pick("events", "sched_switch", "thread_state", "softirq_raise")
		ints, texts := groupColumns[table][0], groupColumns[table][1]
		d := drawing{pick: pick, table: table, ints: strings.Fields(ints), texts: strings.Fields(texts), mid: mid}
		query := []func() string{d.groups, d.sums, d.selection}[i%3]()
		if !db.Recognises(query) {
			t.Fatalf("not recognised: %s", query)
		}
		both(t, db, query)
	}
}

// both compares the two answers to a query.
func both(t *testing.T, db *database, query string) {
	t.Helper()
	var got, want answer
	err := db.Query(t.Context(), query, &got)
	db.Plain(true)
	defer db.Plain(false)
	err2 := db.Query(t.Context(), query, &want)
	if strings.Contains(query, " in (") && !strings.Contains(query, "group by") {
		slices.SortFunc(got.rows, slices.Compare) // for in, SQLite looks for one value after another
		slices.SortFunc(want.rows, slices.Compare)
	}
	if (err == nil) != (err2 == nil) || !slices.EqualFunc(got.rows, want.rows, slices.Equal) {
		t.Errorf("%s:\n%.500q %v\nSQLite\n%.500q %v", query, got.rows, err, want.rows, err2)
	}
	if !slices.Equal(got.heads, want.heads) {
		t.Errorf("%s: columns %q, of SQLite %q", query, got.heads, want.heads)
	}
}

// groupColumns are columns of integers and of texts, by table.
var groupColumns = map[string][2]string{
	"events": {"ts cpu tid lost", "thread system name text"},
	"sched_switch": {"cpu tid prev_pid next_pid prev_state next_prio common_flags",
		"prev_comm next_comm prev_state_name"},
	"thread_state":  {"cpu tid dur ts", "thread state reason waker"},
	"softirq_raise": {"cpu vec", "vec_name thread"},
}

// drawing draws queries of a table.
type drawing struct {
	pick        func(...string) string
	table       string
	ints, texts []string
	mid         string // a time
}

func (d *drawing) column() string { return d.pick(slices.Concat(d.ints, d.texts)...) }

// aggregate draws a sum.
func (d *drawing) aggregate(alias string) string {
	a := d.pick("count(*)", "count("+d.column()+")", "sum("+d.pick(d.ints...)+")", "avg( "+d.pick(d.ints...)+" )",
		d.pick("min", "MAX")+"("+d.column()+")", d.pick("p50", "p95", "p99")+"("+d.pick(d.ints...)+")")
	return a + d.pick("", " as "+alias, " "+alias)
}

// where draws up to two conditions.
func (d *drawing) where() string {
	text := ""
	for i := range len(d.pick("", "x", "xx")) {
		text += []string{" where ", " and "}[i]
		column := d.pick(d.ints...)
		text += d.pick(
			column+" "+d.pick("=", "==", "<>", "!=", "<", "<=", ">", ">=")+" "+d.pick("0", "1", "120", "-1", d.mid),
			column+" between "+d.pick("-1", "1")+" and "+d.pick("15", d.mid),
			column+d.pick(" in ", " not in ")+"(0, 1, 757)",
			d.column()+d.pick(" is null", " is not null"),
			d.pick(d.texts...)+" "+d.pick("=", "<>", ">", "<=")+" "+d.pick("'sh'", "'S'", "'sched_switch'", "'it''s'"),
			d.pick(d.texts...)+" in ('S', 'sched_switch', 'trace-cmd')",
		)
	}
	return text
}

func (d *drawing) groups() string {
	keys := []string{d.column()}
	if key := d.column(); key != keys[0] {
		keys = append(keys, key)
	}
	var items, orders []string
	for _, k := range keys {
		items = append(items, d.pick(k, strings.ToUpper(k), `"`+k+`"`))
		orders = append(orders, k)
	}
	for i := range 1 + len(d.pick("", "x", "xx")) {
		items = append(items, d.aggregate(fmt.Sprintf("a%d", i)))
		orders = append(orders, fmt.Sprint(len(items)))
	}
	query := d.pick("select ", "SELECT\n") + strings.Join(items, ", ") + " from " + d.table + d.where()
	query += " group by " + d.pick(strings.Join(keys, ", "), strings.Join([]string{"1", "2"}[:len(keys)], ","))
	if order := d.pick(orders...); d.pick("", "x") != "" {
		query += " order by " + order + d.pick("", " desc", " asc")
	}
	return query + d.pick("", " limit 3", " limit 0", "; -- end")
}

func (d *drawing) sums() string {
	query := "select " + d.aggregate("a") + ", " + d.aggregate("b")
	return query + " from " + d.table + d.where() + d.pick("", " limit 1", " limit 0", ";")
}

func (d *drawing) selection() string {
	k := d.column()
	items := d.pick(k, strings.ToUpper(k)+" as k, cpu", `"`+k+`", *`, "*", "cpu tid, ts "+d.column(), "*, *")
	query := "select " + items + " from " + d.table + d.where()
	if strings.Contains(query, " in (") {
		return query // the order of rows differs
	}
	return query + d.pick("", " limit 3", " limit 0", ";")
}

// TestNotSimple: SQLite answers queries of other forms.
func TestNotSimple(t *testing.T) {
	db := newDatabase(t, sql.Options{}, open(t, syscalls))
	for _, query := range []string{
		"select name, count(distinct tid) from events group by name",
		"select name, count(*) from events group by name having count(*) > 3",
		"select distinct name, count(*) from events group by name",
		"select name, count(*) n from events e group by name",
		"select name, ts from events group by name",
		"select name, count(*) from events, sched_switch group by name",
		"select name, count(*) from events group by name order by name collate nocase",
		"select name, count(*) from events group by name order by count(*) + 1",
		"select name, count(*) from events group by name order by name nulls last",
		"select name, count(*) from events group by name limit 2 offset 1",
		"select name, count(*) from events group by name limit 2, 1",
		"select name, count(*) from events where cpu = '1' group by name",
		"select name, count(*) from events where cpu = 1.0 group by name",
		"select name, count(*) from events where name = 1 group by name",
		"select name, count(*) from events where cpu = 1 or cpu = 0 group by name",
		"select name, count(*) from events where not cpu = 1 group by name",
		"select name, count(*) from events where cpu = 0x1 group by name",
		"select name, count(*) from events where name = 'a' collate nocase group by name",
		"select name, sum(thread) from events group by name",
		"select name, total(ts) from events group by name",
		"select tid as cpu, count(*) from events group by cpu",
		"select count(*) as name, name from events group by 1",
		"select name, count(*) from events group by upper(name)",
		"select name, count(*) filter (where cpu = 1) from events group by name",
		"select name, count(*) over () from events group by name",
		"select name, max(ts, cpu) from events group by name",
		"select name, count(*) from event_counts group by name",
		"select name, count(*) from events group by name union select 'a', 1",
		"select rowid, count(*) from events group by rowid",
		"select main.events.name, count(*) from events group by 1",
		"select *, count(*) from events group by 1",
		"select name, count(*) from events group by 9",
		"explain select name, count(*) from events group by name",
		"select name, count(*) from events group by name; select 1",
		"select ts from events order by ts",
		"select distinct name from events",
		"select all name from events",
		"select name from events e",
		"select e.name from events as e",
		"select events.name from events",
		"select events.* from events",
		"select rowid from events",
		"select name, 1 from events",
		"select name, 'x' from events",
		"select current_time from events",
		"select null from events",
		"select name || 'x' from events",
		`select "*" from events`,
		`select "nothing" from events`,
		"select (name) from events",
		"select name from events limit 2 offset 1",
		"select name from events limit -1",
		"select name from events where cpu = tid",
		"select name from events where name like 's%'",
		"select name from events union select 'a'",
		"select name from events natural join sched_switch",
		"select * from event_counts",
		"select *",
		"select count(*), name from events",
		"select max(ts), ts from events",
		"select count(*), * from events",
		"select count(*) from events order by 1",
		"select count(distinct name) from events",
		"values (1)",
	} {
		if db.Recognises(query) {
			t.Errorf("recognised: %s", query)
		}
	}
	twice := newDatabase(t, sql.Options{}, wide(t, 3), wide(t, 3))
	for _, query := range []string{"select cpu, avg(f0) from wide group by cpu",
		"select cpu, sum(f1) from wide group by cpu"} {
		both(t, twice, query)
	}
	if _, err := twice.try(t.Context(), "select cpu, sum(f0) from wide group by cpu"); err == nil ||
		!strings.Contains(err.Error(), "overflow") {
		t.Errorf("a sum beyond 64 bits: %v", err)
	}
	little := newDatabase(t, sql.Options{Memory: 2 << 20}, open(t, syscalls))
	both(t, little, "select ts, tid, text, count(*), p50(ts) from events group by ts, tid, text")
	want := db.ask(t, "select name, events from event_counts")
	few := newDatabase(t, sql.Options{}, open(t, syscalls))
	few.Little()
	for range 2 {
		if got := few.ask(t, "select name, events from event_counts"); !slices.Equal(got, want) {
			t.Errorf("a view whose groups do not fit: %q, want %q", got, want)
		}
	}
	both(t, twice, "select sum(f1), avg(f0), count(*) from wide where cpu = 7")
	both(t, twice, "select *, recording from wide")
	both(t, newDatabase(t, sql.Options{}, of("hos'tile", exporttest.Hostile(t))), "select * from events")
}
