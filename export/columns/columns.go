// Package columns converts the events of a recording to rows of columns for text formats: ndjson
// and csv. It defines the columns, their order and their names, and appends their values.
//
// Columns that all events have, in this order:
//
//	time     Record.Time: nanoseconds, or units of the recording's clock if it has no scale; on
//	         request wall-clock time instead: 2006-01-02T15:04:05.000000000Z
//	cpu      the number of the processor
//	task     the id of the thread
//	process  the id of its process
//	comm     the name of the thread
//	system   the system of the event: sched; a module; a channel; aix
//	event    the name of the event
//	label    the usual name, if event is a key: in AIX and uftrace only
//	exit     whether the event is a return from a function: in uftrace only
//	lost     the number of events lost before this one; -1 if unknown
//	text     the text of the event, on request
//
// Unknown values are null. process and comm are known only to readers with tracec.WithThreads.
//
// The fields of an event follow. common_type and common_pid of ftrace are omitted: they are event
// and task. An integer with named values is followed by a column with the name: state_name after
// state. An event with data but without a description has the column data with its bytes.
//
// Samples of perf have a column stack, or stack_ if they have a field stack: the frames, innermost
// first, as a list of structures with addr, function, offset, file and file_offset.
//
// Integers are decimal, floats the shortest decimal that gives the same float, bytes hexadecimal,
// lists JSON arrays, structures JSON objects, also within lists. Members of structures are like
// fields of the event. NaN, Infinity and -Infinity are texts, since JSON has no such numbers.
//
// Texts are bytes that need not be UTF-8. A byte that is not part of a valid sequence becomes \x
// and two hexadecimal digits, and a backslash that would begin such four characters itself becomes
// \x5c. Thus every text has one form, and most are unchanged. To restore the recorded text, replace
// \xNN by the byte NN.
//
// Formats without objects have [Members] instead of structures: a column for each member, id.x for
// the member x of the field id.
package columns

import (
	"errors"
	"fmt"
	"slices"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/runtime/record"
)

// Time is the format of times.
type Time uint8

// The formats of times.
const (
	Recorded Time = iota // as in Record.Time
	Wall                 // wall-clock time: an error if the recording has none
)

// ErrWall reports that wall-clock times were requested and the recording has none.
var ErrWall = errors.New("the recording has no wall-clock time")

// Options select the columns.
type Options struct {
	Time Time
	Text bool // include the text of events
}

// Check reports options that a recording cannot support.
func (o Options) Check(rec record.Recording) error {
	m := rec.Machine()
	if _, ok := m.WallTime(0); o.Time == Wall && !ok {
		return fmt.Errorf("%s: %w", rec.Name(), ErrWall)
	}
	return nil
}

// Column is one column of the events of a type.
type Column struct {
	Name string // may hold any bytes

	kind   kind
	field  int           // index of the field
	path   []int         // for a member: the indexes in the structures of the field
	of     *tracec.Field // the field, or the member
	wide   bool          // an integer of 8 bytes
	text   string        // text of a constant
	nested *row
}

type kind uint8

const (
	recordedTime kind = iota
	wallTime
	cpu
	task
	process
	comm
	lost
	eventText
	data
	null
	constant // a text
	literal  // a text without quotes
	signed
	unsigned
	floating
	text
	bytes
	list
	structure
	name // the name of a value
	nested
)

// Common returns the columns that all events of a recording have, for the events of a type.
func Common(r *tracec.Reader, t *tracec.Type, o Options) []Column {
	c := []Column{{Name: "time", kind: recordedTime}, {Name: "cpu", kind: cpu}, {Name: "task", kind: task},
		{Name: "process", kind: process},
		{Name: "comm", kind: comm}, {Name: "system", kind: constant, text: t.System},
		{Name: "event", kind: constant, text: t.Name}}
	if o.Time == Wall {
		c[0].kind = wallTime
	}
	if t.System == "" {
		c[5].kind = null
	}
	if r.Labels() {
		c = append(c, Column{Name: "label", kind: constant, text: t.Label})
	}
	if r.Exits() {
		c = append(c, Column{Name: "exit", kind: literal, text: fmt.Sprint(t.Exit)})
	}
	c = append(c, Column{Name: "lost", kind: lost})
	if o.Text {
		c = append(c, Column{Name: "text", kind: eventText})
	}
	return c
}

// Fields returns the columns of the fields of a type, with unique names.
func Fields(t *tracec.Type) []Column {
	var c []Column
	for i := range t.Fields {
		if f := &t.Fields[i]; !f.Common || f.Name != "common_type" && f.Name != "common_pid" {
			c = appendField(c, t.Fields, Column{Name: f.Name, field: i, of: f})
		}
	}
	return c
}

// Members is Fields with a column for each member instead of structures.
func Members(t *tracec.Type) []Column {
	var list []Column
	taken := map[string]bool{}
	for _, c := range Fields(t) {
		taken[c.Name] = true
	}
	for _, c := range Fields(t) {
		list = appendMembers(list, c, taken)
	}
	return list
}

func appendMembers(list []Column, c Column, taken map[string]bool) []Column {
	if c.kind != structure {
		return append(list, c)
	}
	var members []Column
	for i := range c.of.Fields {
		m := &c.of.Fields[i]
		at := Column{Name: m.Name, field: c.field, path: append(slices.Clip(c.path), i), of: m}
		members = appendField(members, c.of.Fields, at)
	}
	for _, m := range members {
		m.Name = free(c.Name+"."+m.Name, func(name string) bool { return taken[name] })
		taken[m.Name] = true
		list = appendMembers(list, m, taken)
	}
	return list
}

// appendField appends the columns of a field: c, and a column of names if its values have names.
func appendField(list []Column, fields []tracec.Field, c Column) []Column {
	f := c.of
	c.kind, c.wide = kindOf(f), f.Size == 8 && (f.Elem == tracec.Int || f.Elem == tracec.Uint)
	list = append(list, c)
	if hasNames(f) {
		c.Name, c.kind, c.wide = nameOf(fields, f.Name), name, false
		list = append(list, c)
	}
	return list
}

// hasNames reports whether a field has a column of names.
func hasNames(f *tracec.Field) bool {
	return f.Named && (f.Kind == tracec.Int || f.Kind == tracec.Uint)
}

// nameOf returns the name of the column for names of the values of a field. It is different from
// the names of all fields.
func nameOf(fields []tracec.Field, field string) string {
	return free(field+"_name", func(name string) bool {
		return slices.ContainsFunc(fields, func(f tracec.Field) bool { return f.Name == name })
	})
}

// free returns a name that is not taken: the name itself, or the name and a number.
func free(name string, taken func(string) bool) string {
	try := name
	for i := 2; taken(try); i++ {
		try = fmt.Sprintf("%s_%d", name, i)
	}
	return try
}

// Data returns the column of the bytes of events without a description. It returns false for types
// that have fields.
func Data(t *tracec.Type) (Column, bool) {
	return Column{Name: "data", kind: data}, len(t.Fields) == 0
}

func kindOf(f *tracec.Field) kind {
	switch f.Kind {
	case tracec.Int:
		return signed
	case tracec.Uint:
		return unsigned
	case tracec.Float:
		return floating
	case tracec.Text:
		return text
	case tracec.Bytes:
		return bytes
	case tracec.Struct:
		return structure
	}
	return list
}
