package sql_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tracec/tracec/export/sql"
)

// TestPushdown: conditions on ts, cpu, tid and name reach the reader. The answer equals that of a
// query whose conditions do not reach it.
func TestPushdown(t *testing.T) {
	src := open(t, syscalls)
	db := newDatabase(t, sql.Options{}, src)
	mid := db.ask(t, "select (min(ts) + max(ts)) / 2 from events")[0]
	all := src.reader.Count()
	for _, c := range []struct{ table, condition, plain string }{
		{"events", "cpu = 1", "+cpu = 1"},
		{"events", "cpu > 0 and cpu < 5", "+cpu = 1"},
		{"events", "tid = 757", "+tid = 757"},
		{"events", "tid between 750 and 760", "+tid between 750 and 760"},
		{"events", "ts >= " + mid, "+ts >= " + mid},
		{"events", "ts > " + mid, "+ts > " + mid},
		{"events", "ts < " + mid, "+ts < " + mid},
		{"events", "ts <= " + mid + " and cpu = 0", "+ts <= " + mid + " and +cpu = 0"},
		{"events", "name = 'sched_switch'", "+name = 'sched_switch'"},
		{"events", "name = 'SCHED_switch ' collate nocase", "+name = 'SCHED_switch ' collate nocase"},
		{"events", "name = 'sched_SWITCH' collate nocase", "+name = 'sched_switch'"},
		{"events", "name = 'nothing'", "+name = 'nothing'"},
		{"events", "name in ('sched_switch', 'sched_waking')", "+name in ('sched_switch', 'sched_waking')"},
		{"events", "cpu = null", "+cpu = null"},
		{"events", "ts < -5", "+ts < -5"},
		{"events", "cpu = -1", "+cpu = -1"},
		{"events", "tid > 2147483647", "+tid > 2147483647"},
		{"events", "cpu = 1.0", "+cpu = 1.0"},
		{"events", "cpu = '1'", "cpu in (1)"},
		{"events", "cpu > 'x'", "+cpu > 'x'"},
		{"sched_switch", "cpu = 1", "+cpu = 1"},
		{"sched_switch", "tid = 757 and ts > " + mid, "+tid = 757 and +ts > " + mid},
		{"sched_switch", "prev_pid = 757", "+prev_pid = 757"},
	} {
		query := "select ts, cpu, tid, thread from " + c.table + " where "
		want := db.ask(t, query+c.plain)
		src.opened = nil
		got := db.ask(t, query+c.condition)
		slices.Sort(got) // SQLite orders the rows of in differently
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s where %s: %d rows, want %d", c.table, c.condition, len(got), len(want))
		}
		last := c.condition[strings.LastIndex(c.condition, " "):]
		if pushed := !strings.ContainsAny(last, "'.x") && !strings.Contains(c.condition, "prev_"); !pushed {
			continue
		}
		if len(src.opened) > 0 && src.reader.Count() >= all && !strings.Contains(c.condition, "tid between") {
			t.Errorf("%s where %s: all %d events were read", c.table, c.condition, src.reader.Count())
		}
	}
}

// TestSelection checks the options of readers.
func TestSelection(t *testing.T) {
	src := open(t, syscalls)
	db := newDatabase(t, sql.Options{}, src)
	for query, want := range map[string]string{
		"select count(*) from events where cpu in (1) and ts between 5 and 200240124193": "[1] [] 5-200240124194",
		"select count(*) from sched_switch where tid = 15":                               "[] [15] 0-0",
		"select count(*) from sched_switch":                                              "[] [] 0-0",
	} {
		db.ask(t, query)
		o := src.opened[len(src.opened)-1]
		if got := fmt.Sprintf("%v %v %d-%d", o.CPUs, o.Tasks, o.Since, o.Until); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
}

// TestLimit: a query with a limit reads few events.
func TestLimit(t *testing.T) {
	src := open(t, syscalls)
	db := newDatabase(t, sql.Options{}, src)
	db.ask(t, "select * from events limit 3")
	if n := src.reader.Count(); n > 40 {
		t.Errorf("%d events were read for 3 rows", n)
	}
}

// TestJoins: a joined table is read twice, not once for each row, if memory suffices. The answer
// does not depend on the memory.
func TestJoins(t *testing.T) {
	const query = "select count(*), sum(b.ts) from sched_switch a, sched_switch b where b.prev_pid = a.next_pid and b.ts > a.ts and a.prev_comm <> b.next_comm"
	src := open(t, syscalls)
	db := newDatabase(t, sql.Options{}, src)
	src.opened = nil
	want := db.ask(t, strings.ReplaceAll(query, "sched_switch b", "(select * from sched_switch limit -1) b"))
	got := db.ask(t, query)
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if n := len(src.opened); n > 8 {
		t.Errorf("the recording was read %d times", n)
	}
	little := newDatabase(t, sql.Options{Memory: 4 << 20}, src)
	if got := little.ask(t, query); !slices.Equal(got, want) {
		t.Errorf("with little memory %q, want %q", got, want)
	}
}
