package view

import (
	"context"
	"strings"

	"github.com/tracec/tracec/export/timeline"
)

// maxWakes is the maximum number of wakeups in an item that are shown.
const maxWakes = 64

// causeAnswer is the common part of all states with the same number.
type causeAnswer struct {
	State   string `json:"state"`
	Wait    string `json:"wait,omitempty"`
	Context string `json:"context,omitempty"`
	Waker   int32  `json:"waker"` // a track, or -1
	CPU     int32  `json:"cpu"`   // the processor that it runs on, or the processor of the waker; or -1
	Gap     bool   `json:"gap,omitempty"`
}

// causes answers with the causes of states, from a number on.
func (s *Server) causes(q *query) any {
	from := q.number("from", 0, 1<<32)
	if q.err != nil {
		return nil
	}
	x := s.index
	list := []causeAnswer{}
	x.mu.RLock()
	for _, c := range x.causes[min(int(from), len(x.causes)):] {
		list = append(list, causeAnswer{shown(c.state), c.wait, c.context, c.waker, c.cpu, c.gap})
	}
	x.mu.RUnlock()
	return list
}

// wakeAnswer is the time of a wakeup of a thread.
type wakeAnswer struct {
	Time  int64  `json:"time"`
	Track int    `json:"track"`
	Cause uint32 `json:"cause"`
}

// wakes answers with the wakeups of a thread that belong to an item of its track.
func (s *Server) wakes(q *query) any {
	number, depth := q.laneName(q.values.Get("lane"))
	index := q.number("index", 0, 1<<32-1)
	if q.err != nil {
		return nil
	}
	x := s.index
	x.mu.RLock()
	defer x.mu.RUnlock()
	list := []wakeAnswer{}
	it, ok := x.item(number, depth, uint32(index))
	if !ok {
		return list
	}
	t := x.tracks[number]
	if t.kind == timeline.Functions {
		if number, ok = x.threads[keyOf(t.id, t.cpu)]; !ok {
			return list
		}
		t = x.tracks[number]
	}
	for _, state := range x.wakesIn(q.ctx, &t.states, it, depth) {
		list = append(list, wakeAnswer{int64(state.begin - x.base), number, state.name})
	}
	return list
}

// wakesIn returns the waits of a thread that a wakeup began and that belong to an item of the
// thread. For a call or an event without a wakeup, it returns the last one before it.
func (x *index) wakesIn(ctx context.Context, l *lane, it item, depth int) []item {
	var list []item
	var buf scratch
	belongs := x.wakesOf(it, depth)
	first := l.ending(it.begin)
	for i := first; i < l.all() && ctx.Err() == nil; i++ {
		if c := l.at(i); c.first > it.end && !c.odd {
			break
		}
		for _, state := range l.decode(x.store, i, &buf) {
			if x.causes[state.name].waker >= 0 && belongs(state) && len(list) < maxWakes {
				list = append(list, state)
			}
		}
	}
	for i := min(first, l.all()-1); i >= 0 && len(list) == 0 && depth >= instants && ctx.Err() == nil; i-- {
		for _, state := range l.decode(x.store, i, &buf) {
			if x.causes[state.name].waker >= 0 && state.begin <= it.begin {
				list = []item{state}
			}
		}
	}
	return list
}

// wakesOf returns a function that reports whether a wait, which a wakeup began, belongs to an item
// of the thread. It belongs to the following time on a processor, to the preceding blocked time,
// and to the item of the wait itself. It also belongs to any other item in which it began.
func (x *index) wakesOf(it item, depth int) func(state item) bool {
	after := func(state item) bool { return state.end == it.begin && state.flags&cut == 0 }
	switch {
	case depth == runs:
		return after
	case depth != statesOf:
		return func(state item) bool { return state.begin >= it.begin && state.begin <= it.end }
	}
	switch state := x.causes[it.name].state; {
	case state == "Running":
		return after
	case strings.HasPrefix(state, "R"):
		return func(state item) bool { return state == it }
	}
	return func(state item) bool { return state.begin == it.end && it.flags&cut == 0 }
}
