package perf

import (
	"github.com/tracec/tracec"
	"github.com/tracec/tracec/runtime/perf"
)

// counters are the values of counters at the samples before, by which a sample of a group is one of
// each member (perf.md 2).
type counters struct {
	rec  *perf.Recording
	last map[counter]uint64
}

// counter is the counter of an event. Since perf 6.13, an event that threads inherit has one for
// each of them.
type counter struct {
	id     uint64
	thread int32
}

// group prints a line for each member of a group that counted since the sample before.
func (p *printer) group(e *tracec.Event, x *perf.Entry) {
	x.Counters(func(id, value uint64) {
		of := p.counters.rec.EventOf(id)
		if of == nil {
			of = x.Event
		}
		c := counter{id: id}
		if of.Attr.Flags&perf.Inherit != 0 && p.like.byThread {
			c.thread = e.Task
		}
		last := p.counters.last[c]
		p.counters.last[c] = value
		if value != last {
			p.sample(e, x, of, value-last)
		}
	})
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
