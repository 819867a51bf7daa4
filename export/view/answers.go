package view

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tracec/tracec/runtime/record"
)

// status is the progress of reading and the size of the data read so far.
type status struct {
	Title   string   `json:"title"`
	Tracks  int      `json:"tracks"`
	Names   int      `json:"names"`
	Items   uint64   `json:"items"`
	States  uint64   `json:"states"` // number of states of threads
	Events  uint64   `json:"events"`
	Losses  int      `json:"losses"`
	Left    uint64   `json:"left"`
	Damage  uint64   `json:"damage"`
	Samples []string `json:"samples"` // names of the sampled events
	statusTimes
	statusReading
	statusStore
}

// statusTimes holds the bounds of the times, and their unit.
type statusTimes struct {
	Base  string `json:"base"`
	Zero  string `json:"zero"`
	First int64  `json:"first"` // at most base
	Now   uint64 `json:"now"`
	Ticks bool   `json:"ticks"`
}

// statusReading describes the progress of reading the recording.
type statusReading struct {
	Read    int64   `json:"read"`
	Size    int64   `json:"size"`
	Done    bool    `json:"done"`
	Seconds float64 `json:"seconds"`
	Error   string  `json:"error,omitempty"`
}

// statusStore describes where the items are: in memory, and in a temporary file.
type statusStore struct {
	Memory int64 `json:"memory"`
	File   int64 `json:"file"`
	Chunks int   `json:"chunks"`
}

// status answers with the progress of reading. Times in answers are numbers relative to the first
// item. Base is the recorded time of that item, in text, since it may have more digits than numbers
// of a browser. Zero is its time since the first event of the recording.
func (s *Server) status(_ *query) any {
	var a status
	s.mu.Lock()
	a.Title, a.Done, a.Seconds = shown(s.o.Title), s.done, s.duration.Seconds()
	if s.err != nil {
		a.Error = shown(s.err.Error())
	}
	reader := s.reader
	s.mu.Unlock()
	if reader != nil {
		rec := reader.Recording()
		a.Read, a.Size = reader.Position()
		a.Ticks = rec.Machine().Ticks
		a.Damage = uint64(len(rec.Damage()))
	}
	x := s.index
	x.mu.RLock()
	a.Base, a.Zero = "0", "0"
	if len(x.tracks) > 0 {
		a.Base = strconv.FormatInt(int64(x.base-s.o.Origin), 10)
		if s.o.First > 0 {
			a.Zero = strconv.FormatInt(int64(x.base-s.o.First), 10)
		}
	}
	a.Now, a.Items, a.States, a.Events = x.now-x.base, x.items, x.states, x.events.count
	a.Tracks, a.Names = len(x.tracks), len(x.names)
	a.First = int64(x.first - x.base)
	a.Losses, a.Left, a.Chunks = len(x.losses), x.left, x.chunks
	a.Samples = []string{}
	for _, name := range x.sampled.names {
		a.Samples = append(a.Samples, shown(name))
	}
	a.Memory, a.File = x.store.bytes()
	if x.store.err != nil && a.Error == "" {
		a.Error = "only summaries are kept after some time: " + shown(x.store.err.Error())
	}
	x.mu.RUnlock()
	return a
}

// options answers with command-line options that select a window of time.
func (s *Server) options(q *query) any {
	x := s.index
	x.mu.RLock()
	from, to := q.time("from", x.base), q.time("to", x.base)
	x.mu.RUnlock()
	if q.err != nil {
		return nil
	}
	recorded, since := s.o.Window(from, to)
	return struct {
		Recorded string `json:"recorded"`
		Since    string `json:"since"`
	}{recorded, since}
}

// tracks answers with the list of tracks.
func (s *Server) tracks(_ *query) any {
	type track struct {
		Index    int    `json:"index"`
		Kind     string `json:"kind"`
		CPU      int32  `json:"cpu"`
		Process  int32  `json:"process"`
		ID       int32  `json:"id"`
		Name     string `json:"name"`
		Depth    int    `json:"depth"` // number of lanes of spans
		Instants bool   `json:"instants"`
		Runs     bool   `json:"runs"`
		States   bool   `json:"states"`
		Ran      uint64 `json:"ran"` // time on processors
		Items    uint64 `json:"items"`
	}
	x := s.index
	list := []track{}
	x.mu.RLock()
	for i, t := range x.tracks {
		if t != nil {
			list = append(list, track{i, t.kind.String(), t.cpu, t.process, t.id, shown(t.name), t.depth(),
				t.instants.count() > 0, t.runs.count() > 0, t.states.count() > 0, t.ran, t.items})
		}
	}
	x.mu.RUnlock()
	return list
}

// names answers with the names of items from a number on: pairs of name and category.
func (s *Server) names(q *query) any {
	from := q.number("from", 0, 1<<32)
	if q.err != nil {
		return nil
	}
	x := s.index
	list := [][2]string{}
	x.mu.RLock()
	for _, n := range x.names[min(int(from), len(x.names)):] {
		list = append(list, [2]string{shown(n.text), shown(n.category)})
	}
	x.mu.RUnlock()
	return list
}

// rates answers with the number of items that begin in intervals of equal length from base on.
func (s *Server) rates(_ *query) any {
	x := s.index
	x.mu.RLock()
	a := struct {
		Width  float64  `json:"width"`
		Counts []uint32 `json:"counts"`
	}{float64(uint64(1) << x.rate.shift), slices.Clone(x.rate.counts[:])}
	used := min((x.now-x.base)>>x.rate.shift+1, uint64(len(a.Counts)))
	x.mu.RUnlock()
	a.Counts = a.Counts[:used]
	return a
}

// losses answers with the places of losses. Losses of the same track, processor, and interval of
// length 1<<level are one place, with their sum.
func (s *Server) losses(q *query) any {
	type place struct {
		Time  int64 `json:"time"`
		Track int   `json:"track"`
		CPU   int32 `json:"cpu"`   // -1 for none
		Count int64 `json:"count"` // -1 if unknown
	}
	x := s.index
	level := uint(q.number("level", 0, 63))
	x.mu.RLock()
	defer x.mu.RUnlock()
	from, to := q.time("from", x.base), q.time("to", x.base)
	if q.err != nil {
		return nil
	}
	type source struct {
		track int
		cpu   int32
	}
	list := []place{}
	last := map[source]int{} // indexes in list
	for _, l := range x.losses {
		if l.time < from || l.time >= to || len(list) > 1<<15 {
			continue
		}
		at, of := int64(l.time-x.base), source{l.track, l.cpu}
		if i, ok := last[of]; ok && list[i].Time>>level == at>>level {
			if p := &list[i]; p.Count == record.LostUnknown || l.count == record.LostUnknown {
				p.Count = record.LostUnknown
			} else {
				p.Count += l.count
			}
			continue
		}
		last[of] = len(list)
		list = append(list, place{at, l.track, l.cpu, l.count})
	}
	return list
}

// about answers with the facts about the recording, and its errors.
func (s *Server) about(_ *query) any {
	s.mu.Lock()
	reader := s.reader
	s.mu.Unlock()
	type pair struct {
		Name string `json:"name"`
		Text string `json:"text"`
	}
	a := struct {
		About  []pair   `json:"about"`
		Damage []string `json:"damage"`
	}{[]pair{}, []string{}}
	if reader == nil {
		return a
	}
	rec := reader.Recording()
	m := rec.Machine()
	add := func(name, text string) {
		if text != "" {
			a.About = append(a.About, pair{name, shown(text)})
		}
	}
	add("recording", rec.Name())
	add("host", m.Host)
	add("system", strings.TrimSpace(m.System+" "+m.Release))
	add("architecture", m.Arch)
	if m.CPUs > 0 {
		add("processors", strconv.Itoa(m.CPUs))
	}
	add("clock", m.Clock)
	s.index.mu.RLock()
	if t, ok := m.WallTime(s.index.base); ok {
		add("begins", t.Format("2006-01-02 15:04:05.000000 MST"))
	}
	s.index.mu.RUnlock()
	for _, d := range rec.Damage() {
		a.Damage = append(a.Damage, shown(d.Error()))
	}
	return a
}
