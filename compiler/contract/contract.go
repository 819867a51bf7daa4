// Package contract compares what two sides say of trace events, such as two kernels: which events and fields came, went, moved and changed, and
// what that means for a decoder that was generated from the first.
//
// # Classes
//
// The class of an event is what [bind.Bind] does when a decoder of the old side, which is asked for the
// event, is bound to a recording of the new one, on the machine that compares: [Compare] asks
// [bind.Match], which Bind works by. Changes do not decide it.
//
// # Sides
//
// A side is described by a recording, by files of descriptions, or by the layout table of a generated package, which has no texts and no types of
// C. Traces of AIX do not describe their events: binding finds hooks by their ids alone, so that a decoder of an old template reads other values
// without noticing. Such events are [Misreads].
package contract

import (
	"slices"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/runtime/bind"
)

// Side is what is compared.
type Side struct {
	Name string // for messages
	// Unit says what machine and what kind of events the side has. Its Events are not used.
	Unit   ir.Unit
	Events []Event
	// Recorded is what binding asks a recording of the side.
	Recorded bind.Source
	// Undescribed says that recordings describe no values: Recorded knows that an event is there, and nothing else.
	Undescribed bool
	// IDs says that the ids of events are known and of use to people.
	IDs bool
}

// Event is an event of a side.
type Event struct {
	// Layout is how recordings of the side lay the event out, its common fields in Fields. Of a generated package it is the compiled layout.
	Layout bind.Event
	// Text is what the description has of the text of the event, as written; empty when that is not known.
	Text string
	// Plain says that Text names no values, so that nothing needs to be compiled for it.
	Plain bool
	// Source is all of the description but the id, or empty. Where it is the same on both sides of the same machine, nothing is compiled.
	Source string
	// Type returns the type of a field as the description has it. It may be nil.
	Type func(field string) string
	// Compile compiles the event. It is nil of a generated package, and may return nil.
	Compile func() *ir.Event
	// Compiled is the layout in a generated package.
	Compiled *bind.Event
	// Place is where the event is described, if that is known.
	Place Place

	ir       *ir.Event
	compiled bool
}

// Place is a place in a file. Line and Col count from 1; 0 is unknown.
type Place struct {
	File      string
	Line, Col int
}

// compile compiles the event once. It returns nil where that cannot be done.
func (e *Event) compile() *ir.Event {
	if e.Compile != nil && !e.compiled {
		e.ir, e.compiled = e.Compile(), true
	}
	return e.ir
}

// Class is what becomes of an event when a decoder of the old side reads the new one.
type Class uint8

// The classes, from good to bad.
const (
	Added     Class = iota // the old side does not have the event
	Absent                 // the new side does not have it, which Options.Optional allows
	Binds                  // records are decoded where they are
	Relocates              // records are copied into the compiled layout
	Misreads               // the decoder binds, and reads other values than are meant: see Side.Undescribed
	Loses                  // Bind returns an error, because of some fields; a decoder of the others binds
	Unbound                // Bind returns an error: the event is gone, or nothing of it is left
)

var classNames = [...]string{"added", "absent", "binds", "relocates", "misreads", "loses-fields", "unbound"}

// String returns the name of the class in JSON.
func (c Class) String() string { return classNames[c] }

// Kind is how something changed.
type Kind string

// The kinds of changes. A field may have several.
const (
	EventAdded   Kind = "event-added"
	EventRemoved Kind = "event-removed"
	ID           Kind = "id"
	Text         Kind = "text"   // the print text of the event
	Places       Kind = "places" // of the values of a hook
	FieldAdded   Kind = "field-added"
	FieldRemoved Kind = "field-removed"
	Moved        Kind = "moved" // to another offset or, of values one after another, to another position
	Widened      Kind = "widened"
	Narrowed     Kind = "narrowed"
	Sign         Kind = "sign"
	Type         Kind = "type"       // the type as written, or the shape of the value
	EnumAdded    Kind = "enum-added" // the text names another value of the field
	EnumRemoved  Kind = "enum-removed"
	EnumChanged  Kind = "enum-changed" // a name stands for another value
)

// Change is one difference. Old and New are what it was and is, as text; offsets and sizes are bytes.
type Change struct {
	Kind  Kind   `json:"kind"`
	Field string `json:"field,omitempty"`
	Old   string `json:"old,omitempty"`
	New   string `json:"new,omitempty"`
}

// Result is what became of one event.
type Result struct {
	Group, Name string
	Exit        bool
	Class       Class
	// Lost are the fields that keep a decoder from binding.
	Lost []string
	// Err is what Bind returns.
	Err     error
	Changes []Change
}

// Label returns the name of the event, group:name.
func (r *Result) Label() string {
	e := bind.Event{Group: r.Group, Name: r.Name, Exit: r.Exit}
	return e.Label()
}

// Diff is the result of a comparison: of all events of both sides, those of the old one first, both in the order of group and name.
type Diff struct {
	Old, New *Side
	Results  []Result
}

// Count returns how many events have a class.
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
