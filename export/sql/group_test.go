package sql_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tracec/tracec/export/sql"
	"github.com/tracec/tracec/internal/testkit/needs"
)

// TestGroups draws queries that are recognised, and has SQLite answer them, too: with the same rows
// in the same order under the same names.
func TestGroups(t *testing.T) {
	db := newDatabase(t, sql.Options{}, open(t, syscalls))
	mid := db.ask(t, "select (min(ts) + max(ts)) / 2 from events")[0]
	n := 400
	if needs.LongProofs(t) {
		n = 4000
	}
	r := rand.New(rand.NewPCG(1, 2))
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	for range n {
		table := pick("events", "sched_switch", "thread_state", "softirq_raise")
		ints, texts := groupColumns[table][0], groupColumns[table][1]
		query := drawGroups(pick, table, strings.Fields(ints), strings.Fields(texts), mid)
		if !db.Recognises(query) {
			t.Fatalf("not recognised: %s", query)
		}
		both(t, db, query)
	}
}

// both asks a query both ways.
func both(t *testing.T, db *database, query string) {
	t.Helper()
	got, err := db.try(t.Context(), query)
	names := db.heads(t, query)
	db.Plain(true)
	defer db.Plain(false)
	want, err2 := db.try(t.Context(), query)
	if (err == nil) != (err2 == nil) || !slices.Equal(got, want) {
		t.Errorf("%s:\n%.500q %v\nSQLite\n%.500q %v", query, got, err, want, err2)
	}
	if plain := db.heads(t, query); !slices.Equal(names, plain) {
		t.Errorf("%s: columns %q, of SQLite %q", query, names, plain)
	}
}

// groupColumns are columns of integers and of texts.
var groupColumns = map[string][2]string{
	"events":        {"ts cpu tid lost", "thread system name text"},
	"sched_switch":  {"cpu tid prev_pid next_pid prev_state next_prio common_flags", "prev_comm next_comm prev_state_name"},
	"thread_state":  {"cpu tid dur ts", "thread state reason waker"},
	"softirq_raise": {"cpu vec", "vec_name thread"},
}

func drawGroups(pick func(...string) string, table string, ints, texts []string, mid string) string {
	all := slices.Concat(ints, texts)
	keys := []string{pick(all...)}
	if key := pick(all...); key != keys[0] {
		keys = append(keys, key)
	}
	var items, orders []string
	for _, k := range keys {
		items = append(items, pick(k, strings.ToUpper(k), `"`+k+`"`))
		orders = append(orders, k)
	}
	for i := range 1 + len(pick("", "x", "xx")) {
		a := pick("count(*)", "count("+pick(all...)+")", "sum("+pick(ints...)+")", "avg( "+pick(ints...)+" )",
			pick("min", "MAX")+"("+pick(all...)+")", pick("p50", "p95", "p99")+"("+pick(ints...)+")")
		alias := fmt.Sprintf("a%d", i)
		items = append(items, a+pick("", " as "+alias, " "+alias))
		orders = append(orders, fmt.Sprint(len(items)))
	}
	var where []string
	for range len(pick("", "x", "xx")) {
		column := pick(ints...)
		where = append(where, pick(
			column+" "+pick("=", "==", "<>", "!=", "<", "<=", ">", ">=")+" "+pick("0", "1", "120", "-1", mid),
			column+" between "+pick("-1", "1")+" and "+pick("15", mid),
			column+pick(" in ", " not in ")+"(0, 1, 757)",
			pick(all...)+pick(" is null", " is not null"),
			pick(texts...)+" "+pick("=", "<>", ">", "<=")+" "+pick("'sh'", "'S'", "'sched_switch'", "'it''s'"),
			pick(texts...)+" in ('S', 'sched_switch', 'trace-cmd')",
		))
	}
	query := pick("select ", "SELECT\n") + strings.Join(items, ", ") + " from " + table
	if len(where) > 0 {
		query += " where " + strings.Join(where, " and ")
	}
	query += " group by " + pick(strings.Join(keys, ", "), strings.Join([]string{"1", "2"}[:len(keys)], ","))
	if order := pick(orders...); pick("", "x") != "" {
		query += " order by " + order + pick("", " desc", " asc")
	}
	return query + pick("", " limit 3", " limit 0", "; -- end")
}

// TestNotGroups: SQLite answers queries of other forms.
func TestNotGroups(t *testing.T) {
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
	} {
		if db.Recognises(query) {
			t.Errorf("recognised: %s", query)
		}
	}
	twice := newDatabase(t, sql.Options{}, wide(t, 3), wide(t, 3))
	for _, query := range []string{"select cpu, avg(f0) from wide group by cpu", "select cpu, sum(f1) from wide group by cpu"} {
		both(t, twice, query)
	}
	if _, err := twice.try(t.Context(), "select cpu, sum(f0) from wide group by cpu"); err == nil || !strings.Contains(err.Error(), "overflow") {
		t.Errorf("a sum beyond 64 bits: %v", err)
	}
	little := newDatabase(t, sql.Options{Memory: 2 << 20}, open(t, syscalls))
	both(t, little, "select ts, tid, text, count(*), p50(ts) from events group by ts, tid, text")
}
