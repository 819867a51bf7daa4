package tables_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/tables"
	"github.com/tracec/tracec/internal/testkit/lttngtest"
	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/internal/testkit/scripted"
	"github.com/tracec/tracec/runtime/lttng"
)

// eventTables are the tables of allEvents.
var eventTables = []tables.Any{
	tables.ThreadState, tables.SchedLatency, tables.CPUTime, tables.Wakeups, tables.Interrupts, tables.BlockIO,
	tables.Locks, tables.PageFaults, tables.OSNoise, tables.Noises, tables.TimerLat,
}

// allEvents are the events of scripts except system calls.
var allEvents = slices.Concat(scripted.Interrupts, scripted.Block, scripted.Locks, scripted.Faults, scripted.Noise,
	scripted.Sched)

// TestRandomEvents: for events in any order, the end of a row is not before its begin, and a
// missing end has a reason. An event ends at most two states of a thread and begins at most one
// state of another.
func TestRandomEvents(t *testing.T) {
	for seed := range uint64(needs.Cases(t, 6, 40)) {
		r := rand.New(rand.NewPCG(seed, 1))
		rec := scripted.Open(t, allEvents, randomScript(r, 3000))
		for _, table := range eventTables {
			n := 0
			for _, row := range rows(t, table, rec) {
				n++
				end, spans := row["ts_end"]
				if !spans || table == tables.Any(tables.CPUTime) {
					continue
				}
				missing := row["ts"] == "NULL" || end == "NULL"
				if missing != (row["reason"] != "NULL") || missing != (row["dur"] == "NULL") {
					t.Fatalf("seed %d: %s: %v", seed, table.Name(), row)
				}
				for _, c := range []string{"dur", "queue", "scheduler", "activation", "self", "held"} {
					if v, ok := row[c]; ok && v[0] == '-' {
						t.Fatalf("seed %d: %s: %s of %v", seed, table.Name(), c, row)
					}
				}
				if !missing && number(t, end)-number(t, row["ts"]) != number(t, row["dur"]) {
					t.Fatalf("seed %d: %s: %v", seed, table.Name(), row)
				}
			}
			if n > 3*3000 {
				t.Errorf("seed %d: %s has %d rows", seed, table.Name(), n)
			}
		}
	}
}

// randomScript draws events of all kinds.
func randomScript(r *rand.Rand, n int) string { return randomEvents(r, allEvents, n) }

// randomEvents draws events with few values. Some events are truncated.
func randomEvents(r *rand.Rand, events []scripted.Event, n int) string {
	values := []string{"0", "1", "4", "8", "16", "32", "-1", "0x7fffffffffffffff", "0xffffffffffffffff"}
	words := []string{"R", "WS", "FF", "FWS", "", "N", "\xff\xfe"}
	var b strings.Builder
	for i := range n {
		at := 1000 + i
		if r.IntN(100) == 0 { // the clock goes back
			at -= r.IntN(500)
		}
		cpu := r.IntN(2)
		if i > n/2 && i < n*3/4 { // the other processor is offline
			cpu = 1
		}
		fmt.Fprintf(&b, "%d %d %d", cpu, at, r.IntN(5)-1)
		if r.IntN(50) == 0 {
			b.WriteString(" cut")
		}
		if r.IntN(200) == 0 {
			b.WriteString(" lost=3")
		}
		e := events[r.IntN(len(events))]
		b.WriteString(" " + e.Name)
		for f := range strings.SplitSeq(e.Fields, ", ") {
			from := values
			name, _, text := strings.Cut(f[strings.LastIndexByte(f, ' ')+1:], "[")
			if text {
				from = words
			}
			fmt.Fprintf(&b, " %s=%s", name, from[r.IntN(len(from))])
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// TestRandomShares: the time of a thread on a processor equals the sum of its running states there,
// for any wrong events.
func TestRandomShares(t *testing.T) {
	for seed := range uint64(needs.Cases(t, 6, 40)) {
		rec := scripted.Open(t, scripted.Sched, randomEvents(rand.New(rand.NewPCG(seed, 2)), scripted.Sched, 2000))
		type share struct{ running, slices, open, most int64 }
		want, got := map[string]share{}, map[string]share{}
		for _, row := range rows(t, tables.ThreadState, rec) {
			if row["state"] != "Running" || row["tid"] == "0" { // idle threads have no share
				continue
			}
			s := want[key(row, "tid", "cpu")]
			if row["dur"] == "NULL" {
				s.open++
			} else {
				d := number(t, row["dur"])
				s.running, s.slices, s.most = s.running+d, s.slices+1, max(s.most, d)
			}
			want[key(row, "tid", "cpu")] = s
		}
		for _, row := range rows(t, tables.CPUTime, rec) {
			s := got[key(row, "tid", "cpu")] // a reused number of a thread is another thread
			s.running, s.slices = s.running+number(t, row["running"]), s.slices+number(t, row["slices"])
			s.open, s.most = s.open+number(t, row["open"]), max(s.most, number(t, row["max"]))
			got[key(row, "tid", "cpu")] = s
		}
		if len(want) == 0 || !maps.Equal(want, got) {
			t.Errorf("seed %d: %v, not %v", seed, got, want)
		}
	}
}

// TestOpenRowsBounded: beyond the limit, the oldest open rows are given up. They keep their begins.
func TestOpenRowsBounded(t *testing.T) {
	for _, c := range []struct {
		table  tables.Any
		event  string // N is the number of the event
		events int
		kept   int // rows that stay open until the end of the recording
		begins bool
	}{
		{tables.Interrupts, "irq_handler_entry N disk", 1000, 1000 % 64, true},
		{tables.Interrupts, "workqueue_queue_work N 0xf0", 66_000, 1 << 16, false},
		{tables.Interrupts, "workqueue_execute_start N 0xf0", 66_000, 1 << 16, true},
		{tables.BlockIO, "block_rq_insert 0x700000 N 8 0 R", 66_000, 1 << 16, false},
		{tables.BlockIO, "block_rq_issue 0x700000 N 8 0 R", 66_000, 1 << 16, true},
		{tables.BlockIO, "block_getrq 0x700000 8 8 R", 5000, 1<<12 + 1, false},
		{tables.BlockIO, "block_rq_issue 0x700000 0 0 0 FF", 5000, 1<<12 + 1, true},
		{tables.Locks, "contention_begin N 1", 1000, 64, true},
		{tables.Locks, "lock_acquire 0 lock N", 1000, 64, true},
	} {
		var b strings.Builder
		for i := range c.events {
			fmt.Fprintf(&b, "0 %d 7 %s\n", 1000+i, strings.Replace(c.event, "N", strconv.Itoa(i), 1))
		}
		reasons := map[string]int{}
		w := tables.NewWalk(scripted.Open(t, allEvents, b.String()))
		err := c.table.Each(w, func(get func(int) tables.Value) bool {
			if get(0).Null == c.begins {
				t.Errorf("%s: a row with the begin %v", c.event, get(0))
				return false
			}
			reasons[get(3).Text]++
			return true
		})
		if err == nil {
			err = w.Run(t.Context())
		}
		if want := map[string]int{"evicted": c.events - c.kept, "open_end": c.kept}; err != nil ||
			!maps.Equal(reasons, want) {
			t.Errorf("%s: %v, not %v: %v", c.event, reasons, want, err)
		}
	}
}

// TestInterruptsLTTng: the markers of LTTng before 2.0 do not identify the interrupt that ends.
func TestInterruptsLTTng(t *testing.T) {
	dir := t.TempDir()
	w, err := lttng.NewWriter(lttng.CreateIn(dir),
		lttng.Layout{Dialect: lttng.V26, WordSize: 8, Alignment: 8, BlockSize: 4096, CPUs: 1, Freq: 1e9})
	if err != nil {
		t.Fatal(err)
	}
	formats := map[string]string{
		"irq_entry": "irq_id %u kernel_mode %u", "irq_exit": "handled %u", "softirq_raise": "softirq_id #1u%lu",
		"softirq_entry": "softirq_id #1u%lu", "softirq_exit": "softirq_id #1u%lu",
	}
	marks := map[string]*lttng.Mark{}
	for i, e := range []struct {
		name   string
		values []any
	}{
		{"irq_entry", []any{9, 1}},
		{"softirq_raise", []any{3}},
		{"irq_exit", []any{1}},
		{"softirq_entry", []any{3}},
		{"irq_entry", []any{8, 1}},
		{"irq_exit", []any{0}},
		{"softirq_exit", []any{3}},
	} {
		if marks[e.name] == nil {
			marks[e.name] = lttngtest.Mark(t, w, "kernel", e.name, formats[e.name])
		}
		if err := w.Event(0, marks[e.name], uint64(1000+10*i), e.values...); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	rec, err := tracec.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	var got []string
	for _, row := range rows(t, tables.Interrupts, rec) {
		got = append(got, key(row, "dur", "kind", "number", "ret", "delay", "self"))
	}
	if want := "20 irq 9 1 NULL 20 |10 irq 8 0 NULL 10 |30 softirq 3 NULL 20 20 "; strings.Join(got, "|") != want {
		t.Error(strconv.Quote(strings.Join(got, "|")))
	}
}
