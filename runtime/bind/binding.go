package bind

import (
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
)

// Target is the generated dispatch of one package. E is what a container knows of a record beside [record.Record].
type Target[E any] interface {
	// Batch calls the callback of each record: that of the slot that b.Slot finds, or b.Move, for the data that are then in the compiled
	// layout. Data of an event with fields at offsets are long enough; where sequential data are not, Batch calls b.Short. It returns the first
	// error.
	Batch(b *Binding[E], records []record.Record, entries []E) error
}

// Renderer is a Target whose package was generated with text.
type Renderer[E any] interface {
	// Text appends the text of data that are laid out as compiled, and long enough where fields have offsets. It returns false if
	// the event has no text.
	Text(slot int, dst []byte, data *[]byte, x *E, env *render.Env) ([]byte, bool)
}

// Part is what one generated package contributes to a Binding.
type Part[E any] struct {
	// Events has the compiled layout of every slot.
	Events []Event
	// Target decodes them. If it is a Renderer too, events without a callback are bound as well.
	Target Target[E]
	// Callbacks points to a struct whose first fields are the callbacks, in the order of Events.
	Callbacks any
}

// Options are what a Decoder has beside the callbacks of events.
type Options[E any] struct {
	// Other, if non-nil, receives the records without a callback, as recorded.
	Other func(r *record.Record, x *E) error
	// Short, if non-nil, receives damaged records, which end before their event does. If nil, Other does.
	Short func(r *record.Record, x *E) error
	// Missing, if non-nil, is called for each event with a callback that cannot be bound. If nil, Bind returns these errors.
	Missing func(event string, err error)
	// Optional lets Bind pass over events that the recording does not have.
	Optional bool
	// Narrow allows numbers to be cut to their compiled size where the recording has wider ones.
	Narrow bool
}

// Stats counts the records that no callback of an event received.
type Stats struct {
	Other uint64 // records without a callback that were dispatched: see [Binding.Records]
	Short uint64 // records that end before their event does
}

// Binding is the dense table from record id to event that a Decoder runs on. It belongs to one recording
// and one goroutine. The zero value has nothing bound: every record is Other.
//
// A copy of it, and so of a Decoder, would call the callbacks of the one that was bound: go vet finds those who copy it.
type Binding[E any] struct {
	_     noCopy
	Stats Stats
	tables
	targets   []Target[E]   // by part
	renderers []Renderer[E] // the same; nil: generated without text
	opts      Options[E]

	asked []asked     // by part
	whole bool        // all that was asked for is bound
	like  *Binding[E] // for the next Bind

	ended  bool             // by a callback: the last walk
	run    []record.Record  // that is dispatched; nil: the records are the caller's
	owed   map[int32]int64  // by Record.Stream: what was lost before the last record of its last run, which nobody received
	losers []*record.Record // of run: those that have another Lost for now
	before []int64          // what they had

	data, shown []byte  // of the callback and of the text that run, where they are not as recorded
	moved, said scratch // what these are in
}

// noCopy is what go vet takes for a lock.
type noCopy struct{}

// Lock is never called.
func (*noCopy) Lock() {}

// Unlock is never called.
func (*noCopy) Unlock() {}

// tables say which event a record is. They stay as they are once they are made, and several goroutines may read them.
type tables struct {
	// table and texts are what dispatch looks at, by record id less first: of events with a callback, and of events with a text.
	table, texts []entry
	first        uint32
	ids          []uint32 // of the records that have a callback
	sequential   []int32  // slots of the sequential ones with a callback that need no relocation, -1 for all others
	bound        []bound  // parallel to table and texts
}

// entry is small, so that the table of a kernel fits the cache.
type entry struct {
	min  uint32 // bytes of a record that can be used in place, rarely or never
	slot uint32 // part<<slotBits | slot
}

const (
	slotBits = 20
	slotMask = 1<<slotBits - 1
	never    = 1<<32 - 1 // in entry.min: the event has no callback, or no text
	rarely   = 1<<32 - 2 // in entry.min: records must be relocated
	// maxIDs bounds the table: ids of ftrace have 16 bits, and a large program has a million symbols.
	maxIDs = 1 << 24
)

// bound is an event in the form that the slow paths need.
type bound struct {
	event *Event // nil: not compiled in
	plan  plan   // nil: used in place
	wide  int    // what is added to the slot of records that are moved: 0, or the number of events where the plan is to Event.Wide
	size  int    // bytes that every recorded record has
}

// plan copies records into the compiled layout. It stays as it is, and several goroutines may use it.
type plan interface {
	// relocate writes a record in the compiled layout over s.buf, and returns it. It returns false when data ends
	// before what the decoder needs.
	relocate(s *scratch, data []byte) ([]byte, bool)
}

// scratch is what a record is relocated in. It is used again and again, by one goroutine.
type scratch struct {
	buf   []byte
	spans []span // where the values of a payload are
}

// newPlan compares a compiled event with its recorded description. A nil plan without an error means that
// records can be used in place. wide reports whether they are copied to want.Wide, which is so only where want itself is too narrow.
func newPlan(want, have *Event, narrow bool) (p plan, wide bool, err error) {
	if want.Wide == nil {
		p, err = planTo(want, want, have, narrow)
		return p, false, err
	}
	if p, err = planTo(want, want, have, false); err == nil {
		return p, false, nil
	}
	p, err = planTo(want, want.Wide, have, narrow)
	return p, true, err
}

// planTo is newPlan for one of the layouts of an event.
func planTo(want, to, have *Event, narrow bool) (plan, error) {
	if want.Sequential != have.Sequential && len(want.Fields) > 0 {
		return nil, &Error{Event: want.Label(), Err: ErrIncompatible}
	}
	if want.Sequential {
		if to == want && want.samePayload(have) {
			return nil, nil
		}
		p, err := payloadPlanTo(to, have, narrow)
		if err != nil {
			return nil, err
		}
		return p, nil
	}
	if p, err := newFixedPlan(want, to, have, narrow); p != nil || err != nil {
		return p, err
	}
	return nil, nil
}

// Fits returns why records of have cannot be decoded as want, nil if they can. narrow allows numbers to be cut.
func Fits(want, have *Event, narrow bool) error {
	_, _, err := newPlan(want, have, narrow)
	return err
}
