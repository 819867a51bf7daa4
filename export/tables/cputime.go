package tables

import (
	"slices"

	"github.com/tracec/tracec/export/internal/kernel"
)

// A Share is a row of [CPUTime]: the time of a thread on a processor.
type Share struct {
	Row           // Begin and End are the bounds of all known slices
	Running int64 // nanoseconds in slices with a known begin and end
	Slices  int64 // number of those slices
	Open    int64 // number of slices with an unknown begin or end
	Max     int64 // the longest slice, in nanoseconds
}

// CPUTime has a row for each thread and processor on which it ran. A row comes when the thread or
// the recording ends.
var CPUTime = &Table[Share]{
	name: "cpu_time",
	doc:  "time that each thread ran on each processor",
	need: kernel.SwitchEvents, also: wakeEvents, hooks: stateHooks,
	columns: append(who(shareRow),
		column[Share]{
			Column{"running", "time that it ran, as far as known", Duration},
			func(s *Share) Value { return integer(s.Running) },
		},
		column[Share]{
			Column{"slices", "number of runs with a known begin and end", Integer},
			func(s *Share) Value { return integer(s.Slices) },
		},
		column[Share]{
			Column{"open", "number of runs without a known begin or end", Integer},
			func(s *Share) Value { return integer(s.Open) },
		},
		column[Share]{
			Column{"max", "longest run", Duration},
			func(s *Share) Value { return integer(s.Max) },
		},
	),
	collect: func(w *Walk, yield func(*Share) bool) collector {
		c := &shares{yield: yield}
		c.scheduler = newScheduler(w, c.add)
		return c
	},
}

func shareRow(s *Share) *Row { return &s.Row }

// shares sums up the states from the scheduler.
type shares struct {
	*scheduler
	yield func(*Share) bool
	of    byThread[[]Share]
}

func (c *shares) add(row *State) bool {
	if row.State != running || row.Thread.Idle() {
		return true
	}
	s := c.share(row.Thread, row.CPU)
	dur, ok := row.Dur()
	if !ok {
		s.Open++
		return true
	}
	if s.Slices == 0 {
		s.Begin = row.Begin
	}
	s.End = row.End
	s.Slices++
	s.Running += int64(dur)
	s.Max = max(s.Max, int64(dur))
	return true
}

// share returns the share of a thread on a processor.
func (c *shares) share(th *Thread, cpu int32) *Share {
	list := c.of.at(th)
	i := slices.IndexFunc(*list, func(s Share) bool { return s.CPU == cpu })
	if i < 0 {
		i = len(*list)
		*list = append(*list, Share{Row: Row{CPU: cpu, Thread: th}})
	}
	return &(*list)[i]
}

// ended implements collector.
func (c *shares) ended(th *Thread, time uint64) {
	c.scheduler.ended(th, time)
	c.flush(th.Index)
}

// end implements collector.
func (c *shares) end(time uint64) {
	c.scheduler.end(time)
	for i := range c.of {
		c.flush(i)
	}
}

// flush makes rows of the shares of a thread.
func (c *shares) flush(index int) {
	if index >= len(c.of) {
		return
	}
	for i := range c.of[index] {
		c.yield(&c.of[index][i])
	}
	c.of[index] = c.of[index][:0]
}
