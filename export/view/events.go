package view

import (
	"context"
	"sort"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/runtime/record"
)

// The number of events between two places is baseStep. It grows if there are more than maxPlaces
// places.
const (
	baseStep  = 1024
	maxPlaces = 1 << 14
)

// eventPlace is a time and the number of events before it.
type eventPlace struct{ time, before uint64 }

// eventPlaces numbers the events of a recording. To read an event again, reading begins at the
// place before it.
type eventPlaces struct {
	list  []eventPlace
	step  uint64
	count uint64
	last  uint64 // latest time so far
}

// add counts an event. A place requires a time later than all before: events with the same time
// have at most one place, and times that step back in a damaged recording have none.
func (p *eventPlaces) add(time uint64) {
	if p.step == 0 {
		p.step = baseStep
	}
	if n := len(p.list); time > p.last && (n == 0 || p.count >= p.list[n-1].before+p.step) {
		if n == maxPlaces {
			for i := range n / 2 {
				p.list[i] = p.list[2*i]
			}
			p.list, p.step = p.list[:n/2], 2*p.step
		} else {
			p.list = append(p.list, eventPlace{time, p.count})
		}
	}
	p.count++
	p.last = max(p.last, time)
}

// number returns the last place at or before event n.
func (p *eventPlaces) number(n uint64) eventPlace {
	return p.ahead(sort.Search(len(p.list), func(i int) bool { return p.list[i].before > n }))
}

// time returns the last place at or before a time.
func (p *eventPlaces) time(t uint64) eventPlace {
	return p.ahead(sort.Search(len(p.list), func(i int) bool { return p.list[i].time > t }))
}

// ahead returns the place before place i, or the begin of the recording.
func (p *eventPlaces) ahead(i int) eventPlace {
	if i == 0 {
		return eventPlace{}
	}
	return p.list[i-1]
}

// countEvents counts the events of a recording if some are not on the timeline.
func (s *Server) countEvents(ctx context.Context) error {
	x := s.index
	return s.events(ctx, eventPlace{}, func(_ uint64, ev *tracec.Event) bool {
		x.mu.Lock()
		x.events.add(ev.Time)
		x.mu.Unlock()
		return ctx.Err() == nil
	})
}

// events reads the events from a place on, with their numbers, until do returns false.
func (s *Server) events(ctx context.Context, from eventPlace, do func(n uint64, ev *tracec.Event) bool) error {
	r, err := s.open(record.Options{Context: ctx, Since: from.time}, tracec.WithThreads())
	if err != nil {
		return err
	}
	n := from.before
	for ev := range r.All() {
		if !do(n, ev) {
			return nil
		}
		n++
	}
	return r.Err()
}
