package view

import (
	"context"
	"strconv"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/timeline"
	"github.com/tracec/tracec/runtime/record"
)

// maxEvents is the maximum number of events with the same time that are shown.
const maxEvents = 32

// itemAnswer is an item and its place.
type itemAnswer struct {
	Track int    `json:"track"`
	Lane  string `json:"lane"` // in the form track.depth
	Index int    `json:"index"`
	Begin int64  `json:"begin"`
	End   int64  `json:"end"`
	Name  uint32 `json:"name"`
	Flags uint32 `json:"flags"`
}

func newItemAnswer(p place, it item, base uint64) itemAnswer {
	depth := strconv.Itoa(p.depth)
	for name, d := range laneNames {
		if d == p.depth {
			depth = name
		}
	}
	return itemAnswer{p.track, strconv.Itoa(p.track) + "." + depth, p.index, int64(it.begin - base),
		int64(it.end - base), it.name, it.flags}
}

// eventAnswer is an event of the recording.
type eventAnswer struct {
	Time   string        `json:"time"` // as Record.Time
	System string        `json:"system"`
	Name   string        `json:"name"`
	CPU    int32         `json:"cpu"`
	Task   int32         `json:"task"`
	Comm   string        `json:"comm"`
	Lost   int64         `json:"lost"`
	Text   string        `json:"text"`
	Fields []fieldAnswer `json:"fields"`
	Error  string        `json:"error,omitempty"`
}

type fieldAnswer struct {
	Name   string `json:"name"`
	Decl   string `json:"decl"`
	Value  string `json:"value"`
	Named  string `json:"named,omitempty"`
	Common bool   `json:"common,omitempty"`
}

// item answers with an item and the events at its begin and its end.
func (s *Server) item(q *query) any {
	track, depth := q.laneName(q.values.Get("lane"))
	number := q.number("index", 0, 1<<32-1)
	if q.err != nil {
		return nil
	}
	x := s.index
	x.mu.RLock()
	it, ok := x.item(track, depth, uint32(number))
	base := x.base
	var t trackKey
	switch {
	case ok && depth == statesOf: // a state begins and ends with events of other threads
		t = trackKey{timeline.Unknown, -1, -1}
	case ok && depth == runs:
		t = trackKey{timeline.CPU, int32(it.name), -1}
	case ok:
		t = trackKey{x.tracks[track].kind, x.tracks[track].id, x.tracks[track].cpu}
	}
	x.mu.RUnlock()
	if !ok {
		q.fail("no such item, or it was not kept")
		return nil
	}
	a := struct {
		Item  itemAnswer    `json:"item"`
		Begin []eventAnswer `json:"begin"`
		End   []eventAnswer `json:"end"`
		Error string        `json:"error,omitempty"`
	}{Item: newItemAnswer(place{it.begin, track, depth, int(number)}, it, base), Begin: []eventAnswer{},
		End: []eventAnswer{}}
	var err, err2 error
	if it.flags&unseen == 0 {
		a.Begin, err = s.eventsAt(q.ctx, it.begin, t)
	}
	if it.flags&cut == 0 && it.end > it.begin {
		a.End, err2 = s.eventsAt(q.ctx, it.end, t)
	}
	for _, e := range []error{err, err2} {
		if e != nil {
			a.Error = shown(e.Error())
		}
	}
	return a
}

// item returns an item of a lane.
func (x *index) item(track, depth int, number uint32) (item, bool) {
	l := x.lane(track, depth)
	if l == nil {
		return item{}, false
	}
	i := l.holding(number)
	if i < 0 {
		return item{}, false
	}
	items := l.decode(x.store, i, &scratch{})
	if j := number - l.at(i).index; int(j) < len(items) {
		return items[j], true
	}
	return item{}, false
}

// trackKey identifies the events of a track.
type trackKey struct {
	kind timeline.TrackKind
	id   int32
	cpu  int32 // processor of an idle thread
}

func (t trackKey) has(ev *tracec.Event) bool {
	switch t.kind {
	case timeline.Thread, timeline.Functions:
		return ev.Task == t.id && (t.cpu < 0 || ev.CPU == t.cpu)
	case timeline.CPU, timeline.Interrupt:
		return ev.CPU == t.id
	}
	return true
}

// eventsAt reads the events of a track at a time from the recording.
func (s *Server) eventsAt(ctx context.Context, at uint64, t trackKey) ([]eventAnswer, error) {
	r, err := s.open(record.Options{Context: ctx, Since: at, Until: at + 1}, tracec.WithThreads())
	if err != nil {
		return nil, err
	}
	list := []eventAnswer{}
	for ev := range r.All() {
		if !t.has(ev) {
			continue
		}
		if list = append(list, newEventAnswer(ev)); len(list) == maxEvents {
			break
		}
	}
	return list, r.Err()
}

func newEventAnswer(ev *tracec.Event) eventAnswer {
	a := eventAnswer{
		Time: strconv.FormatUint(ev.Time, 10), System: shown(ev.Type.System), Name: shown(ev.Type.Label), CPU: ev.CPU,
		Task: ev.Task,
		Comm: shown(ev.Comm()), Lost: ev.Lost, Fields: []fieldAnswer{},
	}
	if text, ok := ev.AppendText(nil); ok {
		a.Text = shown(string(text))
	}
	if ev.Type.Err != nil {
		a.Error = shown(ev.Type.Err.Error())
	}
	for f, v := range ev.Fields() {
		named, _ := v.AppendName(nil)
		a.Fields = append(a.Fields, fieldAnswer{shown(f.Name), shown(f.Decl), shown(string(v.AppendShown(nil))),
			shown(string(named)), f.Common})
	}
	return a
}
