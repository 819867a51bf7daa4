package perf

import (
	"github.com/tracec/tracec"
	"github.com/tracec/tracec/runtime/perf"
)

// counters are the values of counters at the samples before, by which a sample of a group is one of
// each member (perf.md 2).
type counters struct {
	rec      *perf.Recording
	byThread bool // as like
	last     map[counter]uint64
}

// counter is the counter of an event. Since perf 6.13, an event that threads inherit has one for
// each of them.
type counter struct {
	id     uint64
	thread int32
}

func newCounters(rec *perf.Recording, like like) *counters {
	return &counters{rec: rec, byThread: like.byThread, last: map[counter]uint64{}}
}

// members yields each member of a group that counted since the sample before, and how much.
func (c *counters) members(task int32, x *perf.Entry, yield func(of *perf.Event, n uint64)) {
	x.Counters(func(id, value uint64) {
		of := c.rec.EventOf(id)
		if of == nil {
			of = x.Event
		}
		by := counter{id: id}
		if of.Attr.Flags&perf.Inherit != 0 && c.byThread {
			by.thread = task
		}
		last := c.last[by]
		c.last[by] = value
		if value != last {
			yield(of, value-last)
		}
	})
}

// group prints a line for each member of a group that counted since the sample before.
func (p *printer) group(e *tracec.Event, x *perf.Entry) {
	p.counters.members(e.Task, x, func(of *perf.Event, n uint64) { p.sample(e, x, of, n) })
}

// groups reports whether samples of a recording are of groups.
func groups(rec *perf.Recording) bool {
	for _, e := range rec.Attrs() {
		if e.Attr.ReadsGroups() {
			return true
		}
	}
	return false
}
