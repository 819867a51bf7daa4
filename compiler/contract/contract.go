// Package contract compares the event types of two sources, such as two kernels. It finds the
// events and fields that were added, removed, moved or changed, and their effect on a decoder that
// was generated from the first source.
//
// # Classes
//
// The class of an event is the result of [bind.Bind] when a decoder of the old side is bound to a
// recording of the new one on this machine, with this event. [Compare] calls [bind.Match], on which
// Bind is based. The class does not depend on the list of changes.
//
// # Sides
//
// A side is described by a recording, by files of descriptions, or by the layout table of a
// generated package, which has no texts and no types of C. Traces of AIX do not describe their
// events. Binding finds hooks only by their ids, so a decoder of an old template reads wrong values
// without noticing. Such events are [Misreads].
package contract

import (
	"slices"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/runtime/bind"
)

// A Side is one side of a comparison.
type Side struct {
	Name string // for messages
	// Unit holds the machine and the language of the side. Its Events are not used.
	Unit   ir.Unit
	Events []Event
	// Recorded returns the events of a recording of the side, for binding.
	Recorded bind.Source
	// Undescribed reports that recordings do not describe values. Recorded then has only the
	// existence of events.
	Undescribed bool
	// IDs reports that the ids of events are known and useful to print.
	IDs bool
}

// Event is an event of a side.
type Event struct {
	// Layout is the layout of the event in recordings of the side. Its common fields are in Fields.
	// For a generated package, it is the compiled layout.
	Layout bind.Event
	// Text is the text of the event in its description, as written. It is empty if unknown.
	Text string
	// Plain reports that Text has no names of values, so that nothing needs to be compiled for it.
	Plain bool
	// Source is the whole description except for the id, or empty. If it is the same on both sides
	// of the same machine, nothing is compiled.
	Source string
	// Type returns the type of a field in the description. It may be nil.
	Type func(field string) string
	// Compile compiles the event. It is nil for a generated package, and may return nil.
	Compile func() *ir.Event
	// Compiled is the layout in a generated package.
	Compiled *bind.Event
	// Place is where the event is described, if known.
	Place Place

	ir       *ir.Event
	compiled bool
}

// A Place is a place in a file. Line and Col count from 1; 0 is unknown.
type Place struct {
	File      string
	Line, Col int
}

// compile compiles the event once. If that fails, it returns nil.
func (e *Event) compile() *ir.Event {
	if e.Compile != nil && !e.compiled {
		e.ir, e.compiled = e.Compile(), true
	}
	return e.ir
}

// A Class is the effect on an event when a decoder of the old side reads the new one.
type Class uint8

// The classes, from good to bad.
const (
	Added     Class = iota // the event is only on the new side
	Absent                 // the event is only on the old side, which Options.Optional allows
	Binds                  // records are decoded in place
	Relocates              // records are copied into the compiled layout
	Misreads               // the decoder binds, but reads wrong values: see Side.Undescribed
	Loses                  // Bind returns an error about some fields; a decoder of the other fields binds
	Unbound                // Bind returns an error: the event is gone, or none of its fields bind
)

var classNames = [...]string{"added", "absent", "binds", "relocates", "misreads", "loses-fields", "unbound"}

// String returns the name of the class in JSON.
func (c Class) String() string { return classNames[c] }

// A Kind is the kind of a change.
type Kind string

// The kinds of changes. A field may have several kinds.
const (
	EventAdded   Kind = "event-added"
	EventRemoved Kind = "event-removed"
	ID           Kind = "id"
	Text         Kind = "text"   // the print text of the event
	Places       Kind = "places" // of the values of a hook
	FieldAdded   Kind = "field-added"
	FieldRemoved Kind = "field-removed"
	Moved        Kind = "moved" // to another offset or, for values one after another, to another position
	Widened      Kind = "widened"
	Narrowed     Kind = "narrowed"
	Sign         Kind = "sign"
	Type         Kind = "type"       // the type as written, or the shape of the value
	EnumAdded    Kind = "enum-added" // the text names another value of the field
	EnumRemoved  Kind = "enum-removed"
	EnumChanged  Kind = "enum-changed" // a name has another value
)

// A Change is one difference. Old and New are the states before and after, as text. Offsets and
// sizes are in bytes.
type Change struct {
	Kind  Kind   `json:"kind"`
	Field string `json:"field,omitempty"`
	Old   string `json:"old,omitempty"`
	New   string `json:"new,omitempty"`
}

// A Result is the comparison of one event.
type Result struct {
	Group, Name string
	Exit        bool
	Class       Class
	// Lost are the fields that keep a decoder from binding.
	Lost []string
	// Err is the error of Bind.
	Err     error
	Changes []Change
}

// Label returns the name of the event, group:name.
func (r *Result) Label() string {
	e := bind.Event{Group: r.Group, Name: r.Name, Exit: r.Exit}
	return e.Label()
}

// A Diff is the result of a comparison: the events of both sides. The events of the old side come
// first. Each side is in the order of group and name.
type Diff struct {
	Old, New *Side
	Results  []Result
}

// Count returns the number of events of a class.
func (d *Diff) Count(c Class) int {
	n := 0
	for i := range d.Results {
		if d.Results[i].Class == c {
			n++
		}
	}
	return n
}

// Changed reports whether anything differs.
func (d *Diff) Changed() bool {
	return slices.ContainsFunc(d.Results, func(r Result) bool { return len(r.Changes) > 0 })
}
