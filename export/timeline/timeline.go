// Package timeline turns the events of a recording of any kind into what happens on tracks, one for each thread and processor: spans that begin
// and end, and instants. Chrome's trace, Perfetto's tracks, profiles and the viewer are made of it.
//
//	tl, err := timeline.New(r) // a dynamic.Reader
//	for it := range tl.All() {
//		if it.Kind == timeline.End {
//			self[it.Span.Name.Text] += it.Span.Self()
//		}
//	}
//
// Spans are calls of functions (uftrace, function_graph), system calls, interrupts, and what a processor runs; the tables in spans.go say which
// events begin and end one. Times are those of the records.
package timeline

import (
	"iter"

	"github.com/tracec/tracec/compiler/dynamic"
)

// Kind is what happens.
type Kind uint8

// The kinds.
const (
	Instant Kind = iota
	Begin        // of a span, which is the innermost of its track until its End
	End          // of the innermost span of the track
)

// Item is one thing that happens. It and all it points to but Name and Track are valid until the next one.
type Item struct {
	Kind  Kind
	Time  uint64 // as Record.Time has it
	Track *Track
	Name  *Name // of the instant or the span
	// Span is what begins or has ended; nil for an instant.
	Span *Span
	// Event is the event that says so. It is nil for the end of a span that the recording does not have: see Span.Cut.
	Event *dynamic.Event
}

// Name is a name with its kind. There is one of each, so that names can be compared and numbered by Index.
type Name struct {
	Index    int    // from 0, in the order they come
	Text     string // may hold any bytes
	Category string // sched, syscall, function, irq: the system of the events
}

// Span is what is between a begin and an end.
type Span struct {
	Name  *Name
	Begin uint64
	End   uint64 // of one that has ended
	Child uint64 // time in the spans within that have ended
	// Cut says that the end was not recorded: that something was lost, or that the recording ends before.
	Cut bool
	// Unseen says that the begin was not recorded: Begin is the first that is known of the track.
	Unseen bool
}

// Total returns the length of a span that has ended.
func (s *Span) Total() uint64 { return s.End - s.Begin }

// Self returns Total without the time in spans within.
func (s *Span) Self() uint64 { return s.Total() - min(s.Child, s.Total()) }

// TrackKind is what a track is of.
type TrackKind uint8

// The kinds of tracks.
const (
	Thread    TrackKind = iota
	CPU                 // what a processor runs: a span for each thread
	Interrupt           // what interrupts a processor
	Unknown             // of events that say neither a thread nor a processor
)

// Track is where things happen one after the other, or within each other.
type Track struct {
	Index   int // from 0, in the order they come
	Kind    TrackKind
	Process int32  // of a thread; -1 when it is not known
	ID      int32  // of the thread or the processor
	Name    string // of the thread as it is now; may be empty
	// Open are the spans that have begun, outermost first. At a Begin the last is the one that begins; at an End the one that ends is
	// not among them.
	Open []Span
}

// Timeline is that of one recording. It is for one goroutine.
type Timeline struct{}

// New returns the timeline of the events that a reader yields.
func New(r *dynamic.Reader) (*Timeline, error) { return &Timeline{}, nil }

// All returns an iterator over what happens, in time order. At the end of the recording the spans that are open end, with Cut. It is called
// once.
func (t *Timeline) All() iter.Seq[*Item] { return func(func(*Item) bool) {} }

// Err returns the errors of streams that All has met, joined.
func (t *Timeline) Err() error { return nil }

// Tracks returns the tracks so far, by Index, and Names the names.
func (t *Timeline) Tracks() []*Track { return nil }

// Names returns the names so far, by Index.
func (t *Timeline) Names() []*Name { return nil }
