package timeline

import (
	"strconv"
)

// maxOpen bounds the open spans of a track, since a damaged recording may have millions of begins
// without an end. Recorders stop far below.
const maxOpen = 1 << 16

// TrackKind is the kind of a track.
type TrackKind uint8

// The kinds of tracks.
const (
	Thread    TrackKind = iota
	Functions           // calls of functions of the kernel by a thread
	CPU                 // the occupation of a processor, with a span for each thread
	Interrupt           // the interrupts of a processor
	Unknown             // events without a thread, by processor, which is -1 if unknown
)

// String returns the name of the kind.
func (k TrackKind) String() string {
	if names := [...]string{"thread", "functions", "cpu", "interrupt", "unknown"}; int(k) < len(names) {
		return names[k]
	}
	return "track(" + strconv.Itoa(int(k)) + ")"
}

// Track is a sequence of spans and instants. Its spans are nested.
type Track struct {
	Index   int // from 0, in order of first use
	Kind    TrackKind
	Process int32  // process of a thread; -1 if unknown
	ID      int32  // number of the thread or the processor
	CPU     int32  // processor of a CPU's track, and of an idle thread, whose ID is 0 on all processors; otherwise -1
	Name    string // current name of the thread; may be empty
	// Open are the open spans, outermost first. At a Begin the last one is the span that begins. At
	// an End the span that ends is no longer in Open.
	Open []Span

	last   uint64 // time of the last event of a thread
	before uint64 // time of the previous event of a thread
	ended  uint64 // end of the last span
	losses int    // number of places with missing events at the last search for callers, + 1
	dying  bool   // the thread has announced its exit
}

// around returns the number of spans around the innermost span with a key, or -1 if none is open.
// It searches Open, since few spans are open. A pair.Table would have to be updated for every span
// that is cut because an outer one ends.
func (tr *Track) around(key uint32) int {
	for i := len(tr.Open) - 1; i >= 0; i-- {
		if tr.Open[i].key == key {
			return i
		}
	}
	return -1
}

// trackKey identifies a track by one number.
type trackKey uint64

func keyOf(kind TrackKind, id, cpu int32) trackKey {
	return trackKey(kind)<<61 | trackKey(uint32(cpu)&(1<<28-1))<<32 | trackKey(uint32(id))
}

// trackTable finds tracks. The few tracks in use are found without a map.
type trackTable struct {
	list  []*Track
	byKey map[trackKey]*Track
	last  [64]struct {
		key   trackKey
		track *Track
	}
}

func newTrackTable() trackTable { return trackTable{byKey: map[trackKey]*Track{}} }

// find returns the track of a thread, or nil.
func (t *trackTable) find(kind TrackKind, id int32) *Track { return t.byKey[keyOf(kind, id, -1)] }

// at returns the track of a thread or a processor.
func (t *trackTable) at(kind TrackKind, id, cpu int32) *Track {
	if kind <= Functions && id != 0 {
		cpu = -1
	}
	key := keyOf(kind, id, cpu)
	slot := &t.last[(key^key>>57)%trackKey(len(t.last))]
	if slot.track != nil && slot.key == key {
		return slot.track
	}
	tr := t.byKey[key]
	if tr == nil {
		tr = &Track{Index: len(t.list), Kind: kind, Process: -1, ID: id, CPU: cpu}
		t.byKey[key] = tr
		t.list = append(t.list, tr)
	}
	slot.key, slot.track = key, tr
	return tr
}

// nameTable holds one Name for each text and category.
type nameTable struct {
	list []*Name
	byID map[string]map[string]*Name // by category and text
}

func newNameTable() nameTable { return nameTable{byID: map[string]map[string]*Name{}} }

// maxNames bounds the number of names, for recordings with numeric or damaged names. Later items
// have the name of their kind.
const maxNames = 1 << 20

// of returns a name.
func (t *nameTable) of(category, text string) *Name {
	if n := t.byID[category][text]; n != nil {
		return n
	}
	return t.add(category, text)
}

// ofBytes is of without an allocation for known names.
func (t *nameTable) ofBytes(category string, text []byte) *Name {
	if n := t.byID[category][string(text)]; n != nil {
		return n
	}
	return t.add(category, string(text))
}

func (t *nameTable) add(category, text string) *Name {
	if len(t.list) >= maxNames {
		text = "…"
		if n := t.byID[category][text]; n != nil {
			return n
		}
	}
	n := &Name{Index: len(t.list), Text: text, Category: category}
	m := t.byID[category]
	if m == nil {
		m = map[string]*Name{}
		t.byID[category] = m
	}
	m[text] = n
	t.list = append(t.list, n)
	return n
}
