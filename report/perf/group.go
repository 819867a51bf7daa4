package perf

import (
	"github.com/tracec/tracec"
	"github.com/tracec/tracec/runtime/perf"
)

// counters are the values of counters at earlier samples. With them, a sample of a group becomes
// one sample for each member (perf.md 2).
type counters struct {
	rec      *perf.Recording
	byThread bool // as like
	last     map[counter]uint64
}

// counter is the counter of an event. Since perf 6.13, an event that threads inherit has a counter
// for each thread.
type counter struct {
	id     uint64
	thread int32
}

func newCounters(rec *perf.Recording, like like) *counters {
	return &counters{rec: rec, byThread: like.byThread, last: map[counter]uint64{}}
}

// members yields each member of a group that counted since the previous sample, with the
// difference.
func (c *counters) members(task int32, x *perf.Entry, yield func(of *perf.Event, n uint64)) {
	x.Counters(func(id, value uint64) {
		of := c.rec.EventOf(id)
		if of == nil {
			of = x.Event
		}
		if n := c.since(counterOf(of.Attr, id, task, c.byThread), value); n != 0 {
			yield(of, n)
		}
	})
}

// period returns how often the event of a sample happened. If the sample has read its counter, the
// counter determines the number. Perf before 6.13 mixes the counters of threads here.
func (c *counters) period(task int32, x *perf.Entry) uint64 {
	n, _ := x.Period()
	if a := x.Event.Attr; a.SampleType&perf.HasRead != 0 && !a.ReadsGroups() {
		x.Counters(func(id, value uint64) { n = c.since(counterOf(a, id, task, true), value) })
	}
	return n
}

func counterOf(a *perf.Attr, id uint64, task int32, byThread bool) counter {
	by := counter{id: id}
	if a.Flags&perf.Inherit != 0 && byThread {
		by.thread = task
	}
	return by
}

// since stores the value of a counter, and returns its difference from the previous value.
func (c *counters) since(by counter, value uint64) uint64 {
	last := c.last[by]
	c.last[by] = value
	return value - last
}

// group prints a line for each member of a group that counted since the previous sample.
func (p *printer) group(e *tracec.Event, x *perf.Entry) {
	p.counters.members(e.Task, x, func(of *perf.Event, n uint64) {
		p.count = n
		p.buf = p.lines[of.Index].append(p.buf, e, x)
	})
}

// reads reports whether samples of a recording have the values of counters.
func reads(rec *perf.Recording) bool {
	for _, e := range rec.Attrs() {
		if e.Attr.SampleType&perf.HasRead != 0 {
			return true
		}
	}
	return false
}
