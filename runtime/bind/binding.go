package bind

import (
	"unsafe"

	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
)

// Package is the part of a [Decoder] for one generated package.
type Package[E any] struct {
	// Events has the compiled layout of every event. The index of an event is its slot.
	Events []Event
	// InPlace has a nil pointer to the struct of every event that is the record itself. For such an
	// event, a Decoder returns a pointer of this type into the record. InPlace is nil for all other
	// events, and may be shorter than Events.
	InPlace []any
	// New returns a Target for one Decoder, which decodes the other events.
	New func() Target[E]
	// Texts has a function for every event that has values and a text. If Texts is not nil, all
	// events are bound, for their text.
	Texts []Text[E]
	// Head returns the size of the head of a record. It is nil if Texts check the size themselves.
	Head func(x *E) int
}

// Target decodes the records of one package. Only generated code implements it.
type Target[E any] interface {
	// Decode returns the event of a slot that is not in place. data is r.Data or a copy of it in
	// the compiled layout. It is long enough for an event with fields at offsets. Decode returns
	// nil if it is too short for a sequential event. The event is valid until the next call.
	Decode(slot int, data []byte, r *record.Record, x *E, env *render.Env) any
}

// Text appends the text of an event. data is a payload in the compiled layout. It is long enough
// for an event with fields at offsets, and for the head of a record.
type Text[E any] func(dst, data []byte, x *E, env *render.Env) []byte

// Stats counts records without an event.
type Stats struct {
	Other uint64 // of events that the Decoder does not decode; containers skip most of them
	Short uint64 // that end before their event does
}

// tables find the event of a record. They do not change, and several goroutines may read them.
type tables struct {
	// table and texts are indexed by record id less first. table is for events that are decoded,
	// texts for events that have a text. texts is nil if no event has a text.
	table, texts []entry
	bound        []bound // parallel to both
	first        uint32
	ids          []uint32 // of the records that are decoded
}

// entry is small, so that the table of a kernel fits the cache.
type entry struct {
	min  uint32   // bytes of a record that can be used in place, rarely or never
	slot uint32   // package<<slotBits | slot
	typ  typeWord // of an event in place
}

// typeWord is the first word of an interface, which is its type.
type typeWord unsafe.Pointer

// view returns data as an event in place. This is the value
// (*T)(unsafe.Pointer(unsafe.SliceData(data))) in an interface. typ is the type word of a *T, by
// typeOf. An interface that holds a pointer consists of this word and the pointer. Go does not
// promise that, so TestView checks it. A switch over the slots in generated code needs no such
// promise. But with it, typed decode took a tenth longer, and a kernel's package most of its
// compile time.
func view(typ typeWord, data []byte) (event any) {
	*(*[2]unsafe.Pointer)(unsafe.Pointer(&event)) = [2]unsafe.Pointer{unsafe.Pointer(typ),
		unsafe.Pointer(unsafe.SliceData(data))}
	return event
}

// typeOf returns the type word of an interface, or nil for a nil interface.
func typeOf(pointer any) typeWord {
	return typeWord((*[2]unsafe.Pointer)(unsafe.Pointer(&pointer))[0])
}

const (
	slotBits = 20
	slotMask = 1<<slotBits - 1
	// maxEvents bounds the events of a package.
	maxEvents = 1 << slotBits
	never     = 1<<32 - 1 // in entry.min: the event is not decoded, or has no text
	rarely    = 1<<32 - 2 // in entry.min: records must be relocated
	// maxIDs bounds the table: ids of ftrace have 16 bits, and a large program has a million
	// symbols.
	maxIDs = 1 << 24
)

// bound is an event in the form that the slow paths need.
type bound struct {
	event *Event // nil: not compiled in
	plan  plan   // nil: used in place
	size  int    // bytes that every recorded record has
}

// plan copies records into the compiled layout. It does not change, and several goroutines may use
// it.
type plan interface {
	// relocate writes a record in the compiled layout over s.buf, and returns it. It returns false
	// if data end before a value that the decoder needs.
	relocate(s *scratch, data []byte) ([]byte, bool)
}

// scratch is the memory for relocated records. One goroutine reuses it for all records.
type scratch struct {
	buf     []byte
	spans   []span   // where the values of a payload are
	numbers []uint64 // of a payload, see numbers
}

// newPlan compares a compiled event with its recorded description. A nil plan without an error
// means that records can be used in place.
func newPlan(want, have *Event, narrow bool) (plan, error) {
	if want.Sequential != have.Sequential && len(want.Fields) > 0 {
		return nil, &Error{Event: want.Label(), Err: ErrIncompatible}
	}
	if want.Sequential {
		if p, err := newPayloadPlan(want, have, narrow); p != nil || err != nil {
			return p, err
		}
		return nil, nil
	}
	if p, err := newFixedPlan(want, have, narrow); p != nil || err != nil {
		return p, err
	}
	return nil, nil
}

// Fits returns nil if records of have can be decoded as want, or else the reason why not. narrow
// allows numbers to be truncated.
func Fits(want, have *Event, narrow bool) error {
	_, err := newPlan(want, have, narrow)
	return err
}
