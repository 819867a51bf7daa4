package view

import (
	"slices"
	"sync"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/timeline"
)

// Bounds of an index for hostile recordings. Items beyond them are only counted.
const (
	maxTracks = 1 << 17
	maxDepth  = 1024
	maxLosses = 1 << 16
	baseChunk = 64      // initial number of items in a chunk
	manyChunk = 1 << 18 // number of chunks of one size: later chunks are twice as large
	maxChunk  = 4096
	maxBelow  = 32 // maximum distance of a span's lane from its depth
)

// index holds the items of all tracks. One goroutine adds to it while holding the lock. Any number
// of goroutines read.
type index struct {
	mu     sync.RWMutex
	store  *store
	tracks []*track
	names  []name
	begun  bool   // base is known
	base   uint64 // time of the first item
	first  uint64 // earliest begin: a span that began unseen may become known later
	now    uint64 // time of the last item
	items  uint64
	left   uint64 // number of items beyond the bounds
	chunks int
	size   uint32 // number of items of a chunk
	rate   rates

	events  eventPlaces
	plays   bool              // some events are not items
	threads map[threadKey]int // tracks of threads that run on processors
	losses  []loss
	sampled sampled

	states  uint64 // number of items in lanes of states
	causes  []cause
	causeOf map[cause]uint32
}

// threadKey identifies a thread.
type threadKey struct{ id, cpu int32 }

// keyOf returns the key of a thread. Only idle threads need their processor.
func keyOf(id, cpu int32) threadKey {
	if id != 0 {
		cpu = -1
	}
	return threadKey{id, cpu}
}

// name is a copy of a timeline.Name.
type name struct {
	text, category string
	count          uint64
}

// track is a copy of a timeline.Track.
type track struct {
	kind        timeline.TrackKind
	process, id int32
	cpu         int32 // processor of an idle thread and of a CPU track; otherwise -1
	name        string
	spans       []lane // by depth
	instants    lane
	runs        lane   // times on processors: names are numbers of processors
	states      lane   // states of the thread: names are numbers of causes
	open        []item // open spans
	ran         uint64 // total time in runs
	items       uint64
}

// Depths of lanes other than lanes of spans.
const (
	instants = -1
	runs     = -2
	statesOf = -3
)

// loss is a place with missing events.
type loss struct {
	time  uint64
	track int
	cpu   int32 // -1 if unknown
	count int64 // or record.LostUnknown
}

func newIndex(memory int64) *index {
	return &index{store: newStore(memory), size: baseChunk, threads: map[threadKey]int{}, causeOf: map[cause]uint32{}}
}

// add adds an item of the timeline.
func (x *index) add(it *timeline.Item) {
	// The picture starts after the records of perf that have no time.
	if !x.begun && (it.Time > 0 || it.Event == nil || it.Event.Type.System != "") {
		x.begun, x.base, x.first, x.now = true, it.Time, it.Time, it.Time
	}
	if it.Span != nil {
		x.first = min(x.first, it.Span.Begin)
	}
	x.now = max(x.now, it.Time)
	if it.Event != nil && !it.Again && !x.plays {
		x.events.add(it.Event.Time)
	}
	if it.Event != nil && it.Event.Type.Stack() == tracec.CallChain {
		x.sampled.see(it.Event.Type)
	}
	x.lose(it)
	t := x.track(it.Track)
	if t == nil {
		x.left++
		return
	}
	n := x.name(it.Name)
	switch it.Kind {
	case timeline.Begin:
		t.open = append(t.open[:min(len(t.open), len(it.Track.Open)-1)],
			item{begin: it.Span.Begin, name: n, flags: open})
		return
	case timeline.End:
		depth := len(it.Track.Open)
		t.open = t.open[:min(len(t.open), depth)]
		if depth >= maxDepth {
			x.left++
			return
		}
		span := item{begin: it.Span.Begin, end: it.Span.End, name: n}
		if it.Span.Cut {
			span.flags |= cut
		}
		if it.Span.Unseen {
			span.flags |= unseen
		}
		x.append(t.free(depth, span), span)
		x.rate.add(max(it.Span.Begin, x.base) - x.base)
		if t.kind != timeline.CPU {
			break
		}
		if i, ok := x.threads[keyOf(it.Span.Thread(), -1)]; ok {
			thread := x.tracks[i]
			thread.ran += span.end - span.begin
			span.name = uint32(t.id)
			x.append(&thread.runs, span)
		}
	default:
		x.append(&t.instants, item{begin: it.Time, end: it.Time, name: n})
		x.rate.add(max(it.Time, x.base) - x.base)
	}
	t.items++
	x.items++
	x.names[n].count++
}

// free returns the lane for a span at a depth. A span without a recorded begin may have begun
// before ended spans at its depth. If all of these are inside it, as at the start of a recording,
// it gets a lane above them, otherwise a lane below.
func (t *track) free(depth int, it item) *lane {
	for len(t.spans) <= depth {
		t.spans = append(t.spans, lane{})
	}
	l := &t.spans[depth]
	if it.flags&unseen == 0 || l.last <= it.begin {
		return l
	}
	if it.begin <= l.at(0).first && len(t.spans) < maxDepth {
		t.spans = slices.Insert(t.spans, depth, lane{})
		return &t.spans[depth]
	}
	for d := depth; d < min(depth+maxBelow, maxDepth); d++ {
		if d == len(t.spans) {
			t.spans = append(t.spans, lane{})
		}
		if t.spans[d].last <= it.begin {
			return &t.spans[d]
		}
	}
	return &t.spans[depth]
}

func (x *index) append(l *lane, it item) {
	n := len(l.chunks)
	l.add(x.store, x.size, it)
	if len(l.chunks) == n {
		return
	}
	if x.chunks++; x.chunks%manyChunk == 0 {
		x.size = min(2*x.size, maxChunk)
	}
}

// track returns the index of a track, or nil if there are too many.
func (x *index) track(t *timeline.Track) *track {
	for len(x.tracks) <= t.Index {
		if len(x.tracks) == maxTracks {
			return nil
		}
		x.tracks = append(x.tracks, nil)
	}
	own := x.tracks[t.Index]
	if own == nil {
		own = &track{kind: t.Kind, id: t.ID, cpu: t.CPU}
		x.tracks[t.Index] = own
		if t.Kind == timeline.Thread && t.ID >= 0 {
			x.threads[keyOf(t.ID, t.CPU)] = t.Index
		}
	}
	if own.name != t.Name || own.process != t.Process {
		own.name, own.process = t.Name, t.Process
	}
	return own
}

// name returns the number of a name.
func (x *index) name(n *timeline.Name) uint32 {
	for len(x.names) <= n.Index {
		x.names = append(x.names, name{})
	}
	if own := &x.names[n.Index]; own.text == "" && own.category == "" {
		own.text, own.category = n.Text, n.Category
	}
	return uint32(n.Index)
}

// lose notes losses before an item.
func (x *index) lose(it *timeline.Item) {
	if it.Lost == 0 {
		return
	}
	l := loss{time: it.Time, cpu: -1, count: it.Lost}
	if it.Event != nil && it.Event.Record != nil {
		l.cpu = it.Event.CPU
	}
	l.track = it.Track.Index
	if len(x.losses) < maxLosses {
		x.losses = append(x.losses, l)
	} else {
		x.left++
	}
}

// lane returns a lane, or nil.
func (x *index) lane(track, depth int) *lane {
	if track < 0 || track >= len(x.tracks) || x.tracks[track] == nil {
		return nil
	}
	t := x.tracks[track]
	switch {
	case depth == instants:
		return &t.instants
	case depth == runs:
		return &t.runs
	case depth == statesOf:
		return &t.states
	case depth >= 0 && depth < len(t.spans):
		return &t.spans[depth]
	}
	return nil
}

// depth returns the number of lanes of spans that a track has, or will have once its open spans
// end.
func (t *track) depth() int { return min(max(len(t.spans), len(t.open)), maxDepth) }

// rates counts items in intervals of equal length. The number of intervals stays between half of
// the maximum and the maximum.
type rates struct {
	counts [2048]uint32
	shift  uint
}

// add counts an item some time after the first.
func (r *rates) add(t uint64) {
	for t>>r.shift >= uint64(len(r.counts)) {
		for i := range len(r.counts) / 2 {
			r.counts[i] = r.counts[2*i] + r.counts[2*i+1]
		}
		clear(r.counts[len(r.counts)/2:])
		r.shift++
	}
	r.counts[t>>r.shift]++
}
