// Package timeline converts events to spans and instants on tracks, one track for each thread and
// CPU. Viewers, traces and profiles use it.
//
// [New] takes a reader of package tracec, which [tracec.Recording.Reader] returns.
//
//	tl, err := timeline.New(r)
//	...
//	for it := range tl.All() {
//		if it.Kind == timeline.End {
//			self[it.Name.Text] += it.Span.Self()
//		}
//	}
//	err = tl.Err()
//
// Spans are:
//   - calls of functions, of uftrace and of the tracer function_graph. Calls of uftrace are the
//     calls in uftrace replay, with the time off the processor as linux:schedule: patterns of the
//     reader select functions and their callees
//   - system calls (sys_enter_X and sys_exit_X, syscall_entry and syscall_exit), and sections
//     between B|… and E that programs write to trace_marker
//   - interrupts, of a processor
//   - the occupation of a processor by a thread, from one switch to the next
//   - the time between any other two events on one thread with names that differ only in their
//     ends, such as X_begin and X_end, or PICK BEGIN and PICK END
//
// Open spans of a thread end with it: at its last switch, or, after an event that announces its
// exit, at its last event. If only the end of a function_graph call was recorded, the call still
// encloses its callees: their depth reveals it, and the end has its name and duration. Work that
// the kernel does once at a time, such as soft interrupts, is not nested in a span of its kind
// without an end. Concurrent operations, from X_start to X_done, are instants.
//
// Every event is in the timeline once: as the begin or the end of a span, or as an instant. A
// switch is both the end and the begin of a span, and an instant of its thread. An end without a
// recorded begin is an instant, except for calls: see Span.Unseen.
//
// Times are the times of the records.
package timeline

import (
	"errors"
	"iter"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/runtime/uftrace"
)

// Kind is the kind of an item.
type Kind uint8

// The kinds.
const (
	Instant Kind = iota
	Begin        // the begin of a span, which is the innermost of its track until its End
	End          // the end of the innermost span of the track
)

// Item is the begin or the end of a span, or an instant. The item and its Span and Event are valid
// until the next item. Name and Track remain valid.
type Item struct {
	Kind Kind
	// Time is a time as in Record.Time. It may be before the times of earlier items for the Begin
	// of an Unseen span and for the End of a Cut one.
	Time  uint64
	Track *Track
	Name  *Name // name of the instant or the span
	// Span is the span that begins or has ended. It is nil for an instant.
	Span *Span
	// Event is the event of the item. It is nil for items without a recorded event: see Span.Cut
	// and Span.Unseen.
	Event *tracec.Event
	// Again is set if an earlier item had the same event.
	Again bool
	// Lost is the number of events that were lost before this one, or record.LostUnknown. If an
	// event has several items, only the first has Lost.
	Lost int64
	// Bytes holds the bytes that the function of [Timeline.AllWith] appended for the event.
	Bytes []byte
}

// Name is a name with its category. Each name exists once, so names can be compared by pointer, and
// Index identifies them.
type Name struct {
	Index    int    // from 0, in order of first use
	Text     string // may hold any bytes
	Category string // the system of the events, such as sched, syscalls or irq; for a function its module
}

// A Span is the time between a begin and an end.
type Span struct {
	Name  *Name
	Begin uint64
	End   uint64 // set if the span has ended
	Child uint64 // time in inner spans that have ended
	// Cut is set if the end was not recorded: it was lost or jumped over, or the recording ends
	// before.
	Cut bool
	// Call is set for calls of functions. Their ends are always recorded: a call that is Cut at the
	// end of the recording has lasted until then. Ends of other spans may be missing, as for
	// sys_enter_X without sys_exit_X.
	Call bool
	// Left is set, together with Cut, if longjmp or exec jumped over a call. Its time counts for
	// the call around it, as in uftrace report.
	Left bool
	// Unseen is set if the begin was not recorded. Begin is then the first known time. A call that
	// first encloses other calls has the name UnseenName until its End, which may also have an
	// earlier Begin.
	Unseen bool

	key   uint32 // the key of its end
	exits bool   // the span has no end, since the thread exits
	depth int32  // depth of a call of function_graph; kind of events of a system call
	call  uint64 // number of a system call with rawSyscall
}

// Thread returns the thread that runs on a processor, for a span on a CPU track.
func (s *Span) Thread() int32 { return int32(s.key) }

// Total returns the length of a span that has ended, in the units of Record.Time.
func (s *Span) Total() uint64 { return s.End - min(s.Begin, s.End) }

// Self returns Total without the time in inner spans.
func (s *Span) Self() uint64 { return s.Total() - min(s.Child, s.Total()) }

// A Timeline is the timeline of one recording. It is for one goroutine.
type Timeline struct {
	r      *tracec.Reader
	tracks trackTable
	names  nameTable
	rules  []*rule // by Type.Number
	pairs  pairs
	graph  graph
	states [1024]uint8 // states of threads, by number: isAlive, isDead; 0 if unknown

	item  Item
	span  Span // the last span that has ended
	now   uint64
	given bool // an item has the current event, with the losses before it
	bytes []byte
	// appends Item.Bytes for the first item of an event, in recordings of uftrace; may be nil
	append func(dst []byte, ev *tracec.Event) []byte
	yield  func(*Item) bool
	stop   bool
	err    error
}

// New returns the timeline of the events of a reader. The reader must not be used otherwise.
func New(r *tracec.Reader) (*Timeline, error) {
	if r.Records().IDs != nil {
		if _, ok := r.Recording().(*uftrace.Recording); ok {
			return nil, errors.New("timeline: calls are selected by patterns, not by ids")
		}
	}
	return &Timeline{r: r, tracks: newTrackTable(), names: newNameTable(), pairs: newPairs(r)}, nil
}

// All returns an iterator over the items in time order. Open spans end at the end of the recording,
// with Cut. Call All only once.
func (t *Timeline) All() iter.Seq[*Item] { return t.AllWith(1, nil) }

// AllWith is [Timeline.All] with bytes that several workers append for each event, while one
// goroutine reads ahead. The bytes are in Item.Bytes. See [tracec.Reader.AllWith] for newAppender.
// For recordings of uftrace everything runs on the goroutine of the caller.
func (t *Timeline) AllWith(workers int, newAppender func() func(dst []byte, ev *tracec.Event) []byte) iter.Seq[*Item] {
	return func(yield func(*Item) bool) {
		t.yield = yield
		if rec, ok := t.r.Recording().(*uftrace.Recording); ok {
			if newAppender != nil {
				t.append = newAppender()
			}
			t.calls(rec)
			return
		}
		for ev, bytes := range t.r.AllWith(workers, newAppender) {
			t.bytes = bytes
			if t.event(ev); t.stop {
				return
			}
		}
		t.err = t.r.Err()
		for _, tr := range t.tracks.list {
			t.close(tr)
		}
	}
}

// Plays reports whether a player of calls makes the items. Some events of the reader are then not
// on the timeline.
func (t *Timeline) Plays() bool {
	_, ok := t.r.Recording().(*uftrace.Recording)
	return ok
}

// Err returns the joined errors of streams that All has read.
func (t *Timeline) Err() error { return t.err }

// Tracks returns the tracks so far, by Index.
func (t *Timeline) Tracks() []*Track { return t.tracks.list }

// Names returns the names so far, by Index.
func (t *Timeline) Names() []*Name { return t.names.list }

// emit passes an item to the caller.
func (t *Timeline) emit(kind Kind, time uint64, tr *Track, n *Name, span *Span, ev *tracec.Event) {
	if t.stop {
		return
	}
	it := &t.item
	it.Kind, it.Time, it.Track, it.Name, it.Span, it.Event = kind, time, tr, n, span, ev
	it.Again, it.Lost, it.Bytes = false, 0, nil
	if ev != nil {
		if !t.given && t.append != nil {
			t.bytes = t.append(t.bytes[:0], ev)
		}
		it.Bytes, it.Again = t.bytes, t.given
		if ev.Record != nil && !t.given {
			it.Lost = ev.Lost
		}
		t.given = true
	}
	t.stop = !t.yield(it)
}

// instant adds an instant.
func (t *Timeline) instant(tr *Track, n *Name, ev *tracec.Event) {
	t.emit(Instant, ev.Time, tr, n, nil, ev)
}

// begin opens a span.
func (t *Timeline) begin(tr *Track, s Span, ev *tracec.Event) {
	if len(tr.Open) >= maxOpen { // only in a damaged recording
		t.cut(tr, 0, s.Begin)
	}
	tr.Open = append(tr.Open, s)
	t.emit(Begin, s.Begin, tr, s.Name, &tr.Open[len(tr.Open)-1], ev)
}

// end closes the innermost span of a track.
func (t *Timeline) end(tr *Track, time uint64, ev *tracec.Event) {
	n := len(tr.Open) - 1
	tr.Open[n].End = max(time, tr.Open[n].Begin)
	t.finish(tr, ev)
}

// finish closes the innermost span of a track. Its End is already set.
func (t *Timeline) finish(tr *Track, ev *tracec.Event) {
	n := len(tr.Open) - 1
	t.span = tr.Open[n]
	tr.ended = t.span.End
	if tr.Open = tr.Open[:n]; n > 0 {
		tr.Open[n-1].Child += t.span.Total()
	}
	t.emit(End, t.span.End, tr, t.span.Name, &t.span, ev)
}

// close ends the open spans at the end of the recording. The spans of a thread with an announced
// exit end at its last event.
func (t *Timeline) close(tr *Track) {
	if tr.dying {
		t.leave(tr, tr.last)
	}
	for i := range tr.Open {
		if tr.Open[i].exits {
			t.cut(tr, i, tr.last)
			break
		}
	}
	t.leave(tr, t.now)
}

// leave closes all spans of a track, without recorded ends.
func (t *Timeline) leave(tr *Track, time uint64) {
	tr.before = tr.last
	for len(tr.Open) > 0 {
		t.graphCut(tr, time)
	}
}

// cut closes spans until n are left.
func (t *Timeline) cut(tr *Track, n int, time uint64) {
	for len(tr.Open) > n {
		tr.Open[len(tr.Open)-1].Cut = true
		t.end(tr, time, nil)
	}
}
