package report

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/tracec/tracec/report/facts"
)

// A Stat is the output of tracec stat for a recording, as text and as JSON.
type Stat struct {
	facts.Recording
	facts.Counts
	Buffers []StatBuffer `json:"buffers"`
}

// StatBuffer is one buffer of a recording. Only ftrace has several, each with its own clock.
type StatBuffer struct {
	Name string `json:"name,omitempty"` // empty for the only or the top one
	facts.Counts
	ByEvent   []StatRow `json:"by_event,omitzero"`
	ByCPU     []StatRow `json:"by_cpu,omitzero"`
	ByThread  []StatRow `json:"by_thread,omitzero"`
	ByProcess []StatRow `json:"by_process,omitzero"`

	first, last string // as report prints them
}

// A StatRow counts the events with its keys: an event type, a CPU, a thread or a process.
type StatRow struct {
	EventName
	CPU     *int64  `json:"cpu,omitempty"`
	TID     *int64  `json:"tid,omitempty"`
	PID     *int64  `json:"pid,omitempty"`
	Comm    string  `json:"comm,omitempty"` // name of the thread or process
	Count   int64   `json:"count"`
	FirstNS *uint64 `json:"first_ns,omitempty"`
	LastNS  *uint64 `json:"last_ns,omitempty"`
	First   *uint64 `json:"first_ticks,omitempty"`
	Last    *uint64 `json:"last_ticks,omitempty"`

	text        string // the keys as text prints them
	first, last string
}

// An EventName names an event type. Text, which is not in JSON, is the name as lists print it.
type EventName struct {
	System string `json:"system,omitempty"`
	Name   string `json:"name,omitempty"`
	Label  string `json:"label,omitempty"` // label of a hook of AIX
	ID     *int64 `json:"id,omitempty"`
	Text   string `json:"-"`
}

// Names are the names for printing a tally.
type Names struct {
	Event   func(n uint32) EventName
	Task    func(id int64) string
	Process func(task int64) (pid int64, ok bool) // nil if unknown
	Time    func(t uint64) string
	Ticks   bool // times are ticks of a clock without a unit of time
}

// Buffer makes the rows of a tally with a count, in descending order.
func (t *Tally) Buffer(name string, n Names) StatBuffer {
	all := t.All()
	b := StatBuffer{
		Name:    name,
		Counts:  facts.Counts{Count: all.N, Lost: t.Lost, Gaps: t.Gaps, LostUnknown: t.LostUnknown},
		ByEvent: []StatRow{}, ByCPU: []StatRow{}, ByThread: []StatRow{}, ByProcess: []StatRow{},
	}
	if all.N > 0 {
		b.Span = facts.SpanOf(all.First, all.Last, n.Ticks)
		b.first, b.last = n.time(all.First), n.time(all.Last)
	}
	for i, c := range t.Events {
		if c.N > 0 {
			e := n.Event(uint32(i))
			b.ByEvent = append(b.ByEvent, n.row(StatRow{EventName: e, text: e.Text}, c))
		}
	}
	for cpu, c := range t.CPUs {
		if c.N > 0 {
			b.ByCPU = append(b.ByCPU, n.row(StatRow{CPU: facts.Number(cpu)}, c))
		}
	}
	processes := map[int64]Count{}
	var unknown Count
	for _, s := range t.tasks.slots {
		if s.N == 0 {
			continue
		}
		b.ByThread = append(b.ByThread, n.row(StatRow{TID: facts.Number(s.id), Comm: n.Task(s.id)}, s.Count))
		pid, ok := int64(0), false
		if n.Process != nil {
			pid, ok = n.Process(s.id)
		}
		if !ok {
			unknown.join(s.Count)
			continue
		}
		c := processes[pid]
		c.join(s.Count)
		processes[pid] = c
	}
	for pid, c := range processes {
		b.ByProcess = append(b.ByProcess, n.row(StatRow{PID: facts.Number(pid), Comm: n.Task(pid)}, c))
	}
	for _, rows := range [][]StatRow{b.ByEvent, b.ByCPU, b.ByThread, b.ByProcess} {
		slices.SortFunc(rows, func(x, y StatRow) int {
			return cmp.Or(cmp.Compare(y.Count, x.Count), cmp.Compare(x.number(), y.number()),
				cmp.Compare(x.text, y.text))
		})
	}
	if t.tasks.others.N > 0 {
		b.ByThread = append(b.ByThread, n.row(StatRow{text: "(other threads)"}, t.tasks.others))
		unknown.join(t.tasks.others)
	}
	if unknown.N > 0 {
		b.ByProcess = append(b.ByProcess, n.row(StatRow{text: "(not recorded)"}, unknown))
	}
	return b
}

// row fills in the counts and times of a row.
func (n *Names) row(r StatRow, c Count) StatRow {
	r.Count = c.N
	if n.Ticks {
		r.First, r.Last = &c.First, &c.Last
	} else {
		r.FirstNS, r.LastNS = &c.First, &c.Last
	}
	r.first, r.last = n.time(c.First), n.time(c.Last)
	return r
}

func (n *Names) time(t uint64) string { return strings.TrimSpace(n.Time(t)) }

// number returns the number in the keys of a row, or the lowest number if there is no key.
func (r *StatRow) number() int64 {
	for _, n := range []*int64{r.CPU, r.TID, r.PID, r.ID} {
		if n != nil {
			return *n
		}
	}
	return math.MinInt64
}

// Add adds a buffer.
func (s *Stat) Add(b StatBuffer) {
	s.Counts.Add(b.Counts)
	s.Buffers = append(s.Buffers, b)
}

// Keep keeps the tables of one key of By, or of all, and the first n rows of each. If n is 0, it
// keeps all rows. It reports whether it removed rows.
func (s *Stat) Keep(by string, n int64) (cut bool) {
	for i := range s.Buffers {
		for _, t := range s.Buffers[i].tables() {
			switch rows := *t.rows; {
			case !t.wanted(by):
				*t.rows = nil
			case n > 0 && int64(len(rows)) > n:
				*t.rows, cut = rows[:n], true
			}
		}
	}
	return cut
}
