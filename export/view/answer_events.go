package view

import (
	"bytes"
	"strings"
	"time"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/timeline"
)

// maxRows is the maximum number of events in an answer.
const maxRows = 1024

// rowAnswer is an event in a list.
type rowAnswer struct {
	Number uint64 `json:"number"`
	Time   int64  `json:"time"`
	CPU    int32  `json:"cpu"`
	Task   int32  `json:"task"`
	Comm   string `json:"comm"`
	Name   string `json:"name"`
	Text   string `json:"text"`
	Lost   int64  `json:"lost"`
}

func newRowAnswer(n uint64, ev *tracec.Event, base uint64) rowAnswer {
	text, _ := ev.AppendText(nil)
	return rowAnswer{
		n, int64(ev.Time - base), ev.CPU, ev.Task, shown(ev.Comm()), shown(ev.Type.Label), shown(string(text)), ev.Lost,
	}
}

// list answers with events by number: the requested number of events from a number on.
func (s *Server) list(q *query) any {
	first := uint64(q.number("first", 0, 1<<53))
	count := q.number("count", 1, maxRows)
	if q.err != nil {
		return nil
	}
	x := s.index
	x.mu.RLock()
	from, all, base := x.events.number(first), x.events.count, x.base
	x.mu.RUnlock()
	a := struct {
		Events []rowAnswer `json:"events"`
		Error  string      `json:"error,omitempty"`
	}{Events: []rowAnswer{}}
	err := s.events(q.ctx, from, func(n uint64, ev *tracec.Event) bool {
		if n >= first && n < all {
			a.Events = append(a.Events, newRowAnswer(n, ev, base))
		}
		return n+1 < all && int64(len(a.Events)) < count
	})
	if err != nil {
		a.Error = shown(err.Error())
	}
	return a
}

// numbers answers with the numbers of the first event in a range and of the first event after it.
func (s *Server) numbers(q *query) any {
	x := s.index
	x.mu.RLock()
	times := []uint64{q.time("from", x.base), q.time("to", x.base)}
	x.mu.RUnlock()
	if q.err != nil {
		return nil
	}
	var a [2]uint64
	for i, t := range times {
		x.mu.RLock()
		from, all, last := x.events.time(t), x.events.count, x.events.last
		x.mu.RUnlock()
		if a[i] = all; t > last {
			continue
		}
		if err := s.events(q.ctx, from, func(n uint64, ev *tracec.Event) bool {
			a[i] = n
			return ev.Time < t && n < all
		}); err != nil {
			q.fail("%v", err)
		}
	}
	return a
}

// searchTime bounds the time of one answer of a search in texts. The page then continues from the
// end of the searched events.
const searchTime = 500 * time.Millisecond

// maxBehind is the number of events that a backward search reads at once, unless the distance of
// event places is larger. It begins with one place, since the previous match is often near.
const maxBehind = 1 << 16

// search answers with the next event whose name, thread, text, or a field as name=value contains a
// text. With back it answers with the previous one. Without a match, Number is the number to
// continue from.
func (s *Server) search(q *query) any {
	from, back := uint64(q.number("number", 0, 1<<53)), q.values.Get("back") != ""
	wanted := newWanted(q.values.Get("text"))
	if q.err != nil {
		return nil
	}
	x := s.index
	x.mu.RLock()
	all, base := x.events.count, x.base
	x.mu.RUnlock()
	a := struct {
		Found *rowAnswer  `json:"found"`
		Item  *itemAnswer `json:"item"`
		// with back, events from this number on have been searched; otherwise events before it
		Number uint64 `json:"number"`
		Done   bool   `json:"done"`
	}{Number: from}
	end := time.Now().Add(searchTime)
	for behind := uint64(1); ; behind = min(2*behind, maxBehind) {
		first, last := a.Number, all
		if back {
			if first == 0 {
				break
			}
			x.mu.RLock()
			last, first = first, x.events.number(first-min(first, behind)).before
			behind = max(behind, last-first)
			x.mu.RUnlock()
		}
		next := last
		err := s.part(q, first, last, func(n uint64, ev *tracec.Event) bool {
			if wanted.in(ev) {
				found := newRowAnswer(n, ev, base)
				a.Found, a.Item = &found, x.itemOf(ev)
				return back // with back, the last match counts
			}
			if !back && n%64 == 0 && time.Now().After(end) {
				next = n + 1
				return false
			}
			return true
		})
		if err != nil {
			q.fail("%v", err)
			return nil
		}
		if a.Number = next; back {
			a.Number = first
		}
		a.Done = a.Found != nil || a.Number == all && !back || a.Number == 0 && back
		if a.Done || time.Now().After(end) || q.ctx.Err() != nil {
			return a
		}
	}
	a.Done = true
	return a
}

// part reads the events with numbers from first to last-1.
func (s *Server) part(q *query, first, last uint64, do func(n uint64, ev *tracec.Event) bool) error {
	x := s.index
	x.mu.RLock()
	from := x.events.number(first)
	x.mu.RUnlock()
	return s.events(q.ctx, from, func(n uint64, ev *tracec.Event) bool {
		return n < last && (n < first || do(n, ev))
	})
}

// wanted is the text of a search. It ignores the case of ASCII letters, unless it contains upper
// case.
type wanted struct {
	text   []byte
	folded bool
	buf    []byte
}

func newWanted(text string) *wanted {
	return &wanted{text: []byte(text), folded: strings.ToLower(text) == text}
}

// in reports whether an event has the text.
func (w *wanted) in(ev *tracec.Event) bool {
	w.buf = append(append(append(w.buf[:0], ev.Type.Label...), ' '), ev.Comm()...)
	w.buf, _ = ev.AppendText(append(w.buf, ' '))
	for f, v := range ev.Fields() {
		if f.Common {
			continue
		}
		w.buf = v.AppendShown(append(append(append(w.buf, '\n'), f.Name...), '='))
	}
	if w.folded {
		for i, c := range w.buf {
			if 'A' <= c && c <= 'Z' {
				w.buf[i] = c + 'a' - 'A'
			}
		}
	}
	return bytes.Contains(w.buf, w.text)
}

// locate answers with the item of an event, by its time, thread, processor and name.
func (s *Server) locate(q *query) any {
	x := s.index
	x.mu.RLock()
	at := q.time("time", x.base)
	x.mu.RUnlock()
	task, cpu := q.number("task", -1<<31, 1<<31-1), q.number("cpu", -1<<31, 1<<31-1)
	if q.err != nil {
		return nil
	}
	return x.itemAt(at, int32(task), int32(cpu), q.values.Get("name"))
}

// itemOf returns the item of an event, or nil.
func (x *index) itemOf(ev *tracec.Event) *itemAnswer {
	return x.itemAt(ev.Time, ev.Task, ev.CPU, shown(ev.Type.Label))
}

// itemAt returns the item that an event of a thread and a processor has begun or ended. It prefers
// an instant with its name, then a span that begins at that time, then a span that ends then.
func (x *index) itemAt(time uint64, task, cpu int32, label string) *itemAnswer {
	x.mu.RLock()
	defer x.mu.RUnlock()
	var best *itemAnswer
	score := 0
	var buf scratch
	for i, t := range x.tracks {
		if t == nil || !t.has(task, cpu) {
			continue
		}
		for depth := instants; depth < len(t.spans); depth++ {
			l := x.lane(i, depth)
			for k := l.ending(time); k < l.all(); k++ {
				c := l.at(k)
				if c.first > time && !c.odd {
					break
				}
				for j, it := range l.decode(x.store, k, &buf) {
					if n := worth(it, depth, time, x.names[it.name].text == label); n > score {
						found := newItemAnswer(place{it.begin, i, depth, int(c.index) + j}, it, x.base)
						best, score = &found, n
					}
				}
			}
		}
	}
	return best
}

// has reports whether events of a thread and a processor may be on a track.
func (t *track) has(task, cpu int32) bool {
	switch t.kind {
	case timeline.Thread, timeline.Functions:
		return task >= 0 && keyOf(task, cpu) == keyOf(t.id, t.cpu)
	case timeline.CPU, timeline.Interrupt, timeline.Unknown:
		return t.id == cpu
	}
	return false
}

// worth returns how well an item matches an event at a time, or 0 if it does not match.
func worth(it item, depth int, time uint64, named bool) int {
	n := 0
	switch {
	case it.begin == time && it.flags&unseen == 0:
		n = 2
	case it.end == time && it.flags&cut == 0:
		n = 1
	default:
		return 0
	}
	if depth == instants {
		n++
	}
	if named {
		n += 4
	}
	return n
}
