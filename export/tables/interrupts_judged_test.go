package tables_test

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/tables"
	"github.com/tracec/tracec/internal/testkit/needs"
)

// judgement returns the text of a tool for a recording.
func judgement(t testing.TB, name, file string) string {
	t.Helper()
	text, ok := saved(t, name, file)
	if !ok {
		t.Fatalf("testdata/tables/%s has no %s", name, file)
	}
	return text
}

// same reports lines that are in only one of two lists.
func same(t testing.TB, judge, ours []string) {
	t.Helper()
	slices.Sort(judge)
	slices.Sort(ours)
	if len(judge) == 0 {
		t.Error("the judge has no rows")
	}
	if d := cmp.Diff(judge, ours); d != "" {
		t.Error(d)
	}
}

// TestInterruptsPerfetto: times, processors and names equal Perfetto's slices. Perfetto has slices
// for all kinds except work and the vectors in testdata/differences.md.
func TestInterruptsPerfetto(t *testing.T) {
	for _, name := range []string{"irq-timers", "irq-io", "all-mix"} {
		t.Run(name, func(t *testing.T) {
			var judge, ours []string
			for _, row := range lines(t, judgement(t, name, "perfetto-cpu_slice.tsv")) {
				judge = append(judge, fmt.Sprint(row["ts"], " ", row["dur"], " ", row["cpu"], " ", row["type"], " ",
					row["name"]))
			}
			others := map[string]int{}
			for row, err := range tables.Interrupts.Rows(t.Context(), recording(t, name)) {
				if err != nil {
					t.Fatal(err)
				}
				dur, ok := row.Dur()
				if !ok {
					t.Errorf("%+v has no duration", row)
				}
				track, shown := "cpu_"+row.Kind, row.Name
				switch {
				case row.Kind == "irq":
					shown = "IRQ (" + row.Name + ")"
				case row.Kind == "vector" && row.Name == "local_timer":
					track, shown = "cpu_irq", "IRQ (LocalTimer)"
				case row.Kind == "vector", row.Kind == "work":
					others[row.Kind]++
					continue
				}
				ours = append(ours, fmt.Sprint(row.Begin, " ", dur, " ", row.CPU, " ", track, " ", shown))
			}
			same(t, judge, ours)
			want := map[string]int{}
			if name == "irq-io" {
				want = map[string]int{"vector": 44 + 34, "work": 108} // pairs of events in the text of trace-cmd report
			}
			if d := cmp.Diff(want, others); d != "" {
				t.Error(d)
			}
		})
	}
}

// event is a line of trace-cmd report -t.
type event struct {
	thread string // with its number
	cpu    string
	time   int64 // nanoseconds
	name   string
	rest   string
}

// reported reads the events of a text of trace-cmd report -t.
func reported(t testing.TB, name string) []event {
	t.Helper()
	var list []event
	for line := range strings.Lines(judgement(t, name, "trace-cmd-report.txt")) {
		before, after, ok := strings.Cut(line, "]  ")
		if !ok {
			continue
		}
		thread, cpu, _ := strings.Cut(before, "[")
		time, after, _ := strings.Cut(after, ": ")
		event1, rest, _ := strings.Cut(after, ":")
		seconds, ns, _ := strings.Cut(strings.TrimSpace(time), ".")
		n, err := strconv.ParseInt(seconds+ns, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, event{strings.TrimSpace(thread), cpu, n, event1, strings.TrimSpace(rest)})
	}
	return list
}

// TestInterruptDelay: the delay of a soft interrupt is the time since it was first raised, by the
// events in the text of trace-cmd. The delays of work and of timers are computed likewise.
func TestInterruptDelay(t *testing.T) {
	for _, name := range []string{"irq-timers", "irq-io", "all-mix"} {
		t.Run(name, func(t *testing.T) {
			raised, expires := map[string]int64{}, map[string]int64{}
			var judge, ours []string
			says := func(e event, kind string, begin int64, known bool) {
				delay := "NULL"
				if known {
					delay = strconv.FormatInt(begin, 10)
				}
				judge = append(judge, fmt.Sprint(e.time, " ", kind, " ", delay))
			}
			for _, e := range reported(t, name) {
				key := e.cpu + " " + e.rest
				switch e.name {
				case "softirq_raise":
					if _, ok := raised[key]; !ok {
						raised[key] = e.time
					}
				case "softirq_entry":
					begin, ok := raised[key]
					delete(raised, key)
					says(e, "softirq", e.time-begin, ok)
				case "workqueue_queue_work":
					raised[pointer(e.rest)] = e.time
				case "workqueue_execute_start":
					begin, ok := raised[pointer(e.rest)]
					delete(raised, pointer(e.rest))
					says(e, "work", e.time-begin, ok)
				case "hrtimer_start":
					expires[pointer(e.rest)] = assigned(e.rest, "expires")
				case "hrtimer_cancel":
					delete(expires, pointer(e.rest))
				case "hrtimer_expire_entry":
					at, ok := expires[pointer(e.rest)]
					delete(expires, pointer(e.rest))
					says(e, "hrtimer", assigned(e.rest, "now")-at, ok)
				}
			}
			for row, err := range tables.Interrupts.Rows(t.Context(), recording(t, name)) {
				if err != nil {
					t.Fatal(err)
				}
				delay := "NULL"
				switch {
				case row.Kind == "irq", row.Kind == "vector":
					continue
				case row.HasDelay:
					delay = strconv.FormatInt(row.Delay, 10)
				}
				ours = append(ours, fmt.Sprint(row.Begin, " ", row.Kind, " ", delay))
			}
			same(t, judge, ours)
		})
	}
}

// pointer returns the first address in a text.
func pointer(text string) string {
	_, after, _ := strings.Cut(text, "0x")
	end := strings.IndexFunc(after, func(r rune) bool { return !strings.ContainsRune("0123456789abcdef", r) })
	if end < 0 {
		return after
	}
	return after[:end]
}

// assigned returns the number of a field in a text, or 0.
func assigned(text, field string) int64 {
	_, after, _ := strings.Cut(" "+text, " "+field+"=")
	first, _, _ := strings.Cut(after, " ")
	n, _ := strconv.ParseInt(first, 0, 64)
	return n
}

// TestVectorsTraceCmd pairs the events of vectors and of interrupts between processors in the text
// of trace-cmd, which has microseconds.
func TestVectorsTraceCmd(t *testing.T) {
	needs.Proofs(t)
	for _, name := range []string{"trixie-6.12-arm64-16k", "trixie-6.12-amd64", "bookworm-6.1-amd64"} {
		t.Run(name, func(t *testing.T) {
			dir := needs.Shared(t, filepath.Join("ftrace", name))
			rec, err := tracec.Open(t.Context(), filepath.Join(dir, "all-events.dat"))
			if err != nil {
				t.Fatal(err)
			}
			defer rec.Close()
			text, _ := readText(t, filepath.Join(dir, "all-events.report.txt"))
			var judge, ours []string
			begun := map[string]string{} // by processor and name
			for line := range strings.Lines(text) {
				m := vectorLine.FindStringSubmatch(line)
				if m == nil {
					continue
				}
				cpu, _ := strconv.Atoi(m[1])
				what := "vector " + m[3]
				if m[3] == "ipi" {
					what = "ipi " + m[5]
				}
				key := fmt.Sprint(cpu, " ", what)
				if m[4] == "entry" {
					begun[key] = m[2]
				} else if begun[key] != "" {
					judge = append(judge, fmt.Sprint(key, " ", begun[key], " ", m[2]))
					delete(begun, key)
				}
			}
			for row, err := range tables.Interrupts.Rows(t.Context(), rec) {
				if err != nil {
					t.Fatal(err)
				}
				if _, ok := row.Dur(); ok && (row.Kind == "vector" || row.Kind == "ipi") {
					ours = append(ours, fmt.Sprint(row.CPU, " ", row.Kind, " ", row.Name, " ", micro(row.Begin), " ",
						micro(row.End)))
				}
			}
			same(t, judge, ours)
		})
	}
}

var vectorLine = regexp.MustCompile(`\[(\d+)\].* (\d+\.\d+): (ipi|local_timer|call_function|call_function_single|reschedule|irq_work)_(entry|exit): +\(?([^)\n]*)`)

// micro returns a time as trace-cmd prints it, rounded.
func micro(ns uint64) string {
	us := (ns + 500) / 1000
	return fmt.Sprintf("%d.%06d", us/1_000_000, us%1_000_000)
}
