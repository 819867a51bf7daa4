package tables_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/tables"
)

// timehistLine is a line of perf sched timehist for a switch.
type timehistLine struct {
	at   int64  // time of the switch in µs
	cpu  int64  // processor that switches
	tid  string // the thread that leaves the processor; "" if perf does not know its process
	name string
	// In µs: out to in, woken to in, in to out.
	wait, delay, run int64
	state, next      string
}

var (
	timehistSwitch = regexp.MustCompile(
		`^ +(\d+)\.(\d{6}) \[(\d+)\]  (.*?)(?:\[(-?\d+)(?:/-?\d+)?\])? +(\d+)\.(\d{3}) +(\d+)\.(\d{3}) +(\d+)\.(\d{3}) +(\S+)  next: (.*?)\s*$`)
	timehistWakeup = regexp.MustCompile(`^ +(\d+)\.(\d{6}) \[(\d+)\]  (.*?) +awakened: (.*?)\s*$`)
	timehistLost   = regexp.MustCompile(`^ +\d+\.\d{6} lost \d+ events on cpu \d+$`)
)

// timehistOf reads the lines for switches and counts the lines for wakeups.
func timehistOf(t *testing.T, text string) (switches []timehistLine, wakeups map[string]int) {
	wakeups = map[string]int{}
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		n := func(whole, part string) int64 { return number(t, whole+part) }
		if m := timehistSwitch.FindStringSubmatch(line); m != nil {
			switches = append(switches, timehistLine{
				at: n(m[1], m[2]), cpu: number(t, m[3]), name: m[4], tid: m[5],
				wait: n(m[6], m[7]), delay: n(m[8], m[9]), run: n(m[10], m[11]), state: m[12], next: m[13],
			})
		} else if m := timehistWakeup.FindStringSubmatch(line); m != nil {
			wakeups[fmt.Sprint(number(t, m[3]), " ", number(t, m[1]+m[2]))]++
		} else if i > 2 && !timehistLost.MatchString(line) {
			t.Fatalf("line %d: %q", i+1, line)
		}
	}
	return switches, wakeups
}

// TestThreadStateIsTimehists compares the time that each thread ran, and its state before, with the
// lines of perf sched timehist of perf 7.2. testdata/differences.md lists the differences.
func TestThreadStateIsTimehists(t *testing.T) {
	for _, c := range []struct {
		name string
		same int // lines that equal ours completely
	}{
		{"sched-mutex", 444}, {"sched-pingpong", 531}, {"sched-preempt", 232}, {"sched-migrate", 346},
		{"sched-wakeup-only", 318}, {"sched-procs-own", 4}, {"lost-small", 193}, {"cut-middle", 1935},
		{"all-mix", 113}, {"block-loop", 261}, {"irq-timers", 337}, {"locks-faults", 31}, {"locks-mutex", 1276},
		{"cut-attach", 1038},
		{"syscalls-errors-all", 41}, {"syscalls-procs", 8},
	} {
		t.Run(c.name, func(t *testing.T) {
			text, ok := saved(t, c.name, "perf72-sched-timehist.txt")
			if !ok {
				t.Fatal("no text")
			}
			h := historyOf(t, recording(t, c.name))
			lines, wakeups := timehistOf(t, text)
			same := 0
			for _, l := range lines {
				if l.name != "<idle>" && h.line(t, l) {
					same++
				}
			}
			for at, run := range h.runs {
				t.Errorf("not perf's: %v %v", at, run)
			}
			if d := cmp.Diff(wakeups, h.wakeups); d != "" {
				t.Errorf("wakeups (-perf +ours):\n%s", d)
			}
			if same != c.same {
				t.Errorf("%d lines are ours, want %d", same, c.same)
			}
		})
	}
}

// history holds our rows of a recording in the form of timehist.
type history struct {
	moments moments
	waking  bool                // sched_waking is recorded
	exits   map[string]int64    // time of exit by thread; nil if exits are not recorded
	losses  []int64             // times of losses
	runs    map[string]*stretch // by processor and time of the end in µs
	wakeups map[string]int      // by the same key
}

// A stretch is the time that a thread ran, between two other threads. Its rows are nil if they do
// not exist.
type stretch struct {
	before, run, after map[string]string
	out                int64  // time at which the thread last left a processor; 0 if unknown
	last               int64  // time of the processor's last switch before the end; 0 if unknown
	next               string // the thread that runs next
}

func historyOf(t *testing.T, rec *tracec.Recording) *history {
	h := &history{moments: momentsOf(t, rec), runs: map[string]*stretch{}, wakeups: map[string]int{}}
	for ev, err := range rec.Events(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if ev.Lost != 0 {
			h.losses = append(h.losses, int64(ev.Time))
		}
		h.waking = h.waking || ev.Type.Name == "sched_waking"
		if ev.Type.Name == "sched_process_exit" {
			if h.exits == nil {
				h.exits = map[string]int64{}
			}
			v, _ := ev.Field("pid")
			h.exits[fmt.Sprint(v.Int())] = int64(ev.Time)
		}
	}
	latest, before := map[string]*stretch{}, map[string]map[string]string{} // by thread
	switched := map[string]*stretch{}                                       // by processor
	for _, row := range rows(t, tables.ThreadState, rec) {
		tid, cpu := row["tid"], row["cpu"]
		p := latest[tid]
		if p != nil && p.after == nil && row["ts"] == p.run["ts_end"] {
			p.after = row
		}
		if row["state"] != "Running" || row["ts_end"] == "NULL" {
			before[tid] = row
			continue
		}
		s := &stretch{before: before[tid], run: row}
		if p != nil {
			s.out = number(t, p.run["ts_end"])
		}
		if l := switched[cpu]; l != nil {
			if s.last = number(t, l.run["ts_end"]); row["ts"] == l.run["ts_end"] {
				l.next = tid
			}
		}
		latest[tid], before[tid], switched[cpu] = s, nil, s
		if tid != "0" {
			h.runs[fmt.Sprint(cpu, " ", number(t, row["ts_end"])/1000)] = s
		}
	}
	for _, row := range rows(t, tables.Wakeups, rec) {
		h.wakeups[fmt.Sprint(row["cpu"], " ", number(t, row["ts"])/1000)]++
	}
	return h
}

// line compares a line with our rows. It reports whether the whole line equals ours.
func (h *history) line(t *testing.T, l timehistLine) bool {
	at := fmt.Sprint(l.cpu, " ", l.at)
	s := h.runs[at]
	delete(h.runs, at)
	if s == nil {
		t.Errorf("not ours: %+v", l)
		return false
	}
	tid, end := s.run["tid"], number(t, s.run["ts_end"])
	exit, exited := h.exits[tid]
	dead := l.state == "X" || l.state == "Z"
	if s.after != nil {
		dead = l.state == strings.TrimSuffix(s.after["state"], "+")
	}
	if !dead || l.tid != tid && l.tid != "" && l.tid != "-1" ||
		s.next != "" && s.next != "0" && !strings.HasSuffix(l.next, "["+s.next+"]") {
		t.Errorf("%+v, ours %v, then %v and %s", l, s.run, s.after, s.next)
	}
	if s.run["ts"] == "NULL" { // perf takes the latest switch of the processor
		if s.last == 0 && l.run != 0 || s.last != 0 && l.run != (end-s.last)/1000 {
			t.Errorf("%+v, ours %v, after a switch at %d", l, s.run, s.last)
		}
		return false
	}
	if l.run != number(t, s.run["dur"])/1000 {
		t.Errorf("%+v, ours %v", l, s.run)
	}
	begin := number(t, s.run["ts"])
	switch {
	case l.tid == "-1": // perf has one thread for all exited threads
		if l.state != "X" && !(exited && exit < end) {
			t.Errorf("%+v, ours %v", l, s.run)
		}
		return false
	case exited && begin < exit && exit < end, h.exits == nil && l.state == "Z": // perf has forgotten the thread
		if l.wait != 0 || l.delay != 0 {
			t.Errorf("%+v, ours exits at %d", l, exit)
		}
		return false
	}
	return h.waited(t, l, s)
}

// waited compares the states of a thread before it ran.
func (h *history) waited(t *testing.T, l timehistLine, s *stretch) bool {
	b, begin := s.before, number(t, s.run["ts"])
	if b == nil || b["ts_end"] != s.run["ts"] || b["state"] != "R" && b["state"] != "R+" {
		t.Errorf("%v begins after %v", s.run, b)
		return false
	}
	wait, delay := int64(0), int64(0)
	if s.out != 0 {
		wait = (begin - s.out) / 1000
	}
	late := false
	if b["dur"] != "NULL" {
		delay = number(t, b["dur"]) / 1000
		late = h.waking && h.moments[s.run["tid"]][number(t, b["ts"])] == "wakeup"
	}
	lost := slices.ContainsFunc(h.losses, func(at int64) bool { return s.out < at && at <= begin })
	switch {
	case l.wait != wait:
	case l.delay == delay:
		return b["ts"] != "NULL" || s.out == 0
	case lost && l.delay <= wait: // perf takes a wakeup from before the loss
		return false
	case late && l.delay == 0: // sched_waking was recorded while the thread still ran
		return false
	}
	t.Errorf("%+v, ours waits %d and %d: %v, then %v", l, wait, delay, b, s.run)
	return false
}
