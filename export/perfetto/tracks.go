package perfetto

import (
	"cmp"
	"io"
	"math"
	"strconv"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/timeline"
	"github.com/tracec/tracec/runtime/record"
)

// trackWriter writes recordings as slices and instants on tracks. All packets are in one sequence,
// with clock values relative to the previous packet.
type trackWriter struct {
	w       io.Writer
	machine record.Machine
	clock   uint64 // Perfetto's clock for the times of the recording
	also    uint64 // a clock of Perfetto with the same times, or 0
	begun   bool
	now     uint64 // current time of the sequence's clock
	out     []byte
	pending []byte // InternedData for the next packet

	tracks     []track // by Track.Index
	processes  map[int32]bool
	names      []bool // by Name.Index: whether it is interned
	categories map[string]uint64
	counts     map[counterKey]uint64 // uuids of counters
	values     annotator
	renamed    bool // the slice that ends began under another name
}

// track is the state of a written track.
type track struct {
	described bool
	thread    bool   // the track is a thread of a known process
	uuid      uint64 // uuid of its descriptor
	name      string
	process   int32
	last      uint64 // time of the last item
	outside   level
	open      []level
}

// level is an open slice, or the level outside of all slices.
type level struct {
	name  int32  // by Name.Index
	least uint64 // the time of the previous item
	first uint64 // the time of the first item inside; none if the slice is empty
}

const none = math.MaxUint64

// Numbers that tracec assigns.
const (
	trackSequence = 1
	deltaClock    = 64 // the first number for a clock of a sequence
	firstTrack    = 1  // uuid
	firstProcess  = 1 << 32
	firstCounter  = 1 << 34
	threadTrack   = 1 << 35 // uuids of tracks whose process was unknown at first
	flushBytes    = 256 << 10
)

// writeTracks writes a recording of any kind.
func writeTracks(to io.Writer, r *tracec.Reader) error {
	tl, err := timeline.New(r)
	if err != nil {
		return err
	}
	m := r.Recording().Machine()
	w := newTrackWriter(to, m, clockIDs[m.Clock])
	for it := range tl.All() {
		w.item(it)
		w.counters(it)
		if len(w.out) >= flushBytes {
			if err = w.flush(); err != nil {
				return err
			}
		}
	}
	if !w.begun {
		w.begin(0)
	}
	if err = w.flush(); err != nil {
		return err
	}
	return tl.Err()
}

// newTrackWriter returns a writer. Clock 0 is BOOTTIME.
func newTrackWriter(to io.Writer, m record.Machine, clock uint64) *trackWriter {
	w := &trackWriter{w: to, machine: m, clock: cmp.Or(clock, clockBoottime), processes: map[int32]bool{},
		categories: map[string]uint64{}, counts: map[counterKey]uint64{}}
	w.values.names = map[string]uint64{}
	return w
}

func (w *trackWriter) flush() error {
	_, err := w.w.Write(w.out)
	w.out = w.out[:0]
	return err
}

// begin appends the data before all events: the machine, the clocks and the defaults of packets in
// the sequence.
func (w *trackWriter) begin(first uint64) {
	w.begun, w.now = true, first
	w.out = appendSystem(w.out, &w.machine, w.machine.Host, trackSequence, 0)
	var packet, in int
	w.out, packet = begin(w.out, tracePacket)
	w.out = appendUint(w.out, packetSequence, trackSequence)
	w.out = appendUint(w.out, packetSequenceFlags, sequenceCleared)
	w.out = appendUint(w.out, packetFirstOnSequence, 1)
	w.out, in = begin(w.out, packetDefaults)
	w.out = appendUint(w.out, packetTimestampClock, deltaClock)
	var track int
	w.out, track = begin(w.out, defaultsTrackEvent)
	w.out = end(end(appendUint(w.out, eventTrack, firstTrack), track), in)
	w.out = end(w.out, packet)

	w.out, packet = begin(w.out, tracePacket)
	w.out = appendUint(w.out, packetSequence, trackSequence)
	w.out = appendUint(appendUint(w.out, packetTimestamp, first), packetTimestampClock, w.clock)
	w.out, in = begin(w.out, packetClockSnapshot)
	w.out = appendClock(w.out, w.clock, first)
	if w.also != 0 {
		w.out = appendClock(w.out, w.also, first)
	}
	if wall, ok := w.machine.WallTime(first); ok {
		w.out = appendClock(w.out, clockRealtime, uint64(wall.UnixNano()))
	}
	var delta int
	w.out, delta = begin(w.out, snapshotClock)
	w.out = appendUint(appendUint(appendUint(w.out, clockID, deltaClock), clockTime, first), clockRelative, 1)
	w.out = end(w.out, delta)
	w.out = end(appendUint(w.out, snapshotPrimary, w.clock), in)
	w.out = end(w.out, packet)
}

// item appends an item. A slice without a recorded begin is written when it ends, since its end has
// its name and its begin.
func (w *trackWriter) item(it *timeline.Item) {
	if !w.begun {
		w.begin(it.Time)
	}
	w.describe(it.Track)
	t := &w.tracks[it.Track.Index]
	switch {
	case it.Kind == timeline.Begin:
		if t.enter(it); !it.Span.Unseen {
			w.event(it, typeBegin, it.Time)
		}
	case it.Kind == timeline.End:
		begin, name := t.leave(it)
		if it.Span.Unseen {
			w.event(&timeline.Item{Kind: timeline.Begin, Track: it.Track, Name: it.Name, Span: it.Span}, typeBegin,
				begin)
			name = int32(it.Name.Index)
		}
		w.renamed = name != int32(it.Name.Index)
		w.event(it, typeEnd, it.Time)
		w.renamed = false
	default:
		t.note(it.Time)
		w.event(it, typeInstant, it.Time)
	}
}

// event appends the packet of a TrackEvent.
func (w *trackWriter) event(it *timeline.Item, kind byte, time uint64) {
	var packet, event int
	nameID, category := uint64(0), uint64(0)
	if kind != typeEnd {
		nameID, category = w.intern(it.Name)
	}
	w.out, packet = begin(w.out, tracePacket)
	w.time(time)
	w.out = append(w.out, packetSequence<<3, trackSequence, packetSequenceFlags<<3, sequenceNeeds)
	w.out, event = begin(w.out, packetTrackEvent)
	w.out = append(w.out, eventType<<3, kind)
	if uuid := w.tracks[it.Track.Index].uuid; uuid != firstTrack {
		w.out = appendUint(w.out, eventTrack, uuid)
	}
	if nameID > 0 {
		w.out = protowire.AppendVarint(append(w.out, eventName<<3), nameID)
		w.out = protowire.AppendVarint(append(w.out, eventCategory<<3), category)
	}
	if w.renamed {
		w.out = w.values.string(w.out, "name", it.Name.Text)
	}
	w.out = w.values.append(w.out, it)
	w.out = end(w.out, event)
	if more := w.values.take(&w.pending); len(more) > 0 {
		w.out = appendBytes(w.out, packetInternedData, more)
	}
	w.out = end(w.out, packet)
}

// inner returns the innermost open level.
func (t *track) inner() *level {
	if n := len(t.open); n > 0 {
		return &t.open[n-1]
	}
	return &t.outside
}

// note notes the time of an item on the track.
func (t *track) note(time uint64) {
	in := t.inner()
	in.first = min(in.first, time)
	t.last = max(t.last, time)
}

// enter opens the level of a slice. If the begin was not recorded, its time is known only at the
// end.
func (t *track) enter(it *timeline.Item) {
	l := level{name: int32(it.Name.Index), least: t.last, first: none}
	if !it.Span.Unseen {
		t.note(it.Time)
	}
	t.open = append(t.open, l)
}

// leave closes the level of a slice. It returns the name at the begin of the slice and, if that was
// not recorded, the time of its begin. The trace processor nests slices with equal begins in the
// order of writing, so the slice begins a nanosecond before the slices within it. If that is before
// earlier items, it contains nothing and begins after them.
func (t *track) leave(it *timeline.Item) (begin uint64, name int32) {
	l := *t.inner()
	t.open = t.open[:len(t.open)-1]
	if it.Span.Unseen {
		if begin = max(min(it.Span.Begin, l.first-min(l.first, 1)), l.least); begin >= l.first {
			begin = max(t.last, l.least)
		}
		begin = min(begin, it.Time)
		t.note(begin)
	}
	t.last = max(t.last, it.Time)
	return begin, l.name
}

// time appends a time: relative to the last one, or as a value of the clock if it is earlier.
func (w *trackWriter) time(t uint64) {
	if t >= w.now {
		w.out = protowire.AppendVarint(append(w.out, packetTimestamp<<3), t-w.now)
		w.now = t
		return
	}
	w.out = appendUint(appendUint(w.out, packetTimestamp, t), packetTimestampClock, w.clock)
}

// intern returns the numbers of a name and its category.
func (w *trackWriter) intern(n *timeline.Name) (name, category uint64) {
	name = uint64(n.Index + 1)
	category, ok := w.categories[n.Category]
	if !ok {
		category = uint64(len(w.categories) + 1)
		w.categories[n.Category] = category
		w.pending = appendInterned(w.pending, internedEventCategories, category, n.Category)
	}
	for n.Index >= len(w.names) {
		w.names = append(w.names, false)
	}
	if !w.names[n.Index] {
		w.names[n.Index] = true
		w.pending = appendInterned(w.pending, internedEventNames, name, n.Text)
	}
	return name, category
}

// appendInterned appends an entry of InternedData.
func appendInterned(dst []byte, field protowire.Number, id uint64, text string) []byte {
	dst, at := begin(dst, field)
	return end(appendText(appendUint(dst, internedID, id), internedText, text), at)
}

// describe appends the descriptor of a track, unless the written one is still valid.
func (w *trackWriter) describe(t *timeline.Track) {
	for t.Index >= len(w.tracks) {
		w.tracks = append(w.tracks, track{outside: level{first: none}})
	}
	was := &w.tracks[t.Index]
	if was.described && (was.name == t.Name && was.process == t.Process || was.thread && t.Process < 0) {
		return
	}
	thread := t.Kind == timeline.Thread && t.Process >= 0 && (!was.described || was.thread || len(was.open) == 0)
	switch {
	case !was.described:
		was.uuid = firstTrack + uint64(t.Index)
	// The process is now known. A track cannot become a track of a thread, so there is a new one.
	case thread != was.thread:
		was.uuid = threadTrack + uint64(t.Index)
	}
	was.described, was.thread, was.name, was.process = true, thread, t.Name, t.Process
	if thread && (!w.processes[t.Process] || t.ID == t.Process) { // the first thread provides the name
		w.processes[t.Process] = true
		w.descriptor(firstProcess+uint64(t.Process), func() {
			var at int
			w.out, at = begin(w.out, descriptorProcess)
			w.out = appendUint(w.out, trackPID, uint64(t.Process))
			if t.ID == t.Process && t.Name != "" {
				w.out = appendText(w.out, trackProcessName, t.Name)
			}
			w.out = end(w.out, at)
		})
	}
	w.descriptor(was.uuid, func() {
		if !thread {
			w.out = appendText(w.out, descriptorTrackName, trackName(t))
			return
		}
		var at int
		w.out, at = begin(w.out, descriptorThread)
		w.out = appendUint(appendUint(w.out, trackPID, uint64(t.Process)), trackTID, uint64(t.ID))
		if t.Name != "" {
			w.out = appendText(w.out, trackThreadName, t.Name)
		}
		w.out = end(w.out, at)
	})
}

// descriptor appends the packet of a TrackDescriptor.
func (w *trackWriter) descriptor(uuid uint64, content func()) {
	var packet, in int
	w.out, packet = begin(w.out, tracePacket)
	w.out = appendUint(w.out, packetSequence, trackSequence)
	w.out, in = begin(w.out, packetTrackDescriptor)
	w.out = appendUint(w.out, descriptorUUID, uuid)
	content()
	w.out = end(end(w.out, in), packet)
}

// trackName is the name of a track that is not of a thread with a process.
func trackName(t *timeline.Track) string {
	id := strconv.Itoa(int(t.ID))
	switch t.Kind {
	case timeline.CPU:
		return "CPU " + id
	case timeline.Interrupt:
		return "CPU " + id + " interrupts"
	case timeline.Unknown:
		if t.ID < 0 {
			return "no thread"
		}
		return "CPU " + id + " no thread"
	case timeline.Functions:
		id += " functions"
	}
	if t.CPU >= 0 {
		id += " on CPU " + strconv.Itoa(int(t.CPU))
	}
	if t.Name == "" {
		return "thread " + id
	}
	return t.Name + " " + id
}
