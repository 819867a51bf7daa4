package parquet

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	pq "github.com/parquet-go/parquet-go"

	"github.com/tracec/tracec"
)

// field describes a column of a table.
type field struct {
	name     string
	within   []string // for a value in structures: the names of members, down to its own
	around   []bool   // for a value in structures: whether each may be missing, from the outermost
	storage  storage
	optional bool
	node     pq.Node // type of a value that is not null
	float    bool
	unsigned bool
	elem     *field        // elements of a list
	member   []string      // for elements that are structures: the names of members, down to its own
	names    *tracec.Field // the field with names of the values; nil for none
	wall     int64         // added to the column time for wall-clock time; see hasWall
	hasWall  bool
	owner    identity // for the column time: the ID of the recording, which is a column of its own
	decl     string   // declaration in the recording; empty for columns that all tables have
	// bits is the field of the type whose Bits are the values, or one of the constants below. Other
	// values come from put.
	bits int
	// put appends the value of an event. If the value is missing and the column is not optional, it
	// returns false and appends nothing.
	put func(ev *tracec.Event, c *column) bool
}

// Sources of numbers other than fields of a type.
const (
	ofPut = -1 - iota
	ofTime
	ofCPU
	ofTask
	ofProcess
	ofLost
)

// boolean reports whether the values are booleans.
func (f *field) boolean() bool { return f.node.Type() == pq.BooleanType }

// ofNumbers reports whether the values come from a field that is a number in every event.
func (f *field) ofNumbers() bool { return f.bits >= 0 && !f.optional }

// level returns the definition level of values: how many of the value and the structures around it
// may be missing.
func (f *field) level() (n uint8) {
	if f.optional {
		n++
	}
	for _, missing := range f.around {
		if missing {
			n++
		}
	}
	return n
}

// orNull appends a null if the column is optional.
func (c *column) orNull() bool { return c.orNullIn(0) }

// orNullIn is orNull for a value in structures: see putNullIn.
func (c *column) orNullIn(level uint8) bool {
	if c.optional {
		c.putNullIn(level)
	}
	return c.optional
}

// common returns the columns that all tables have. With nulls, all of them are optional.
func (o *shape) common(nulls bool) []*field {
	time := &field{
		name: "time", storage: wide, optional: nulls, node: pq.Int(64), wall: o.wall, hasWall: o.hasWall,
		owner: o.recording, bits: ofTime,
	}
	cpu := &field{name: "cpu", optional: nulls, node: pq.Int(32), bits: ofCPU}
	task := &field{name: "task", optional: nulls, node: pq.Int(32), bits: ofTask}
	process := &field{name: "process", optional: true, node: pq.Int(32), bits: ofProcess}
	comm := &field{name: "comm", storage: text, optional: true, node: pq.String(), bits: ofPut}
	comm.put = func(ev *tracec.Event, c *column) bool {
		name := ev.Comm()
		if name == "" {
			return c.orNull()
		}
		c.putString(name)
		return true
	}
	return []*field{time, cpu, task, process, comm}
}

// texts returns the column of the text of events.
func texts() *field {
	return &field{name: "text", storage: text, optional: true, node: pq.String(), bits: ofPut,
		put: func(ev *tracec.Event, c *column) bool {
			at := len(c.bytes)
			b, ok := ev.AppendText(c.bytes)
			if c.bytes = b[:at]; !ok {
				return c.orNull()
			}
			if made := b[at:]; utf8.Valid(made) {
				c.bytes = b
				c.endText()
			} else {
				c.putText(slices.Clone(made))
			}
			return true
		}}
}

// data returns the column of the bytes of events without a description.
func data() *field {
	return &field{name: "data", storage: text, node: pq.Leaf(pq.ByteArrayType), bits: ofPut,
		put: func(ev *tracec.Event, c *column) bool {
			c.putBytes(ev.Data)
			return true
		}}
}

// fieldsAt returns the columns of field i of a type. A structure has a column for each member.
// Their names begin with the field.
func fieldsAt(t *tracec.Type, i int, nulls bool) []*field {
	d := &t.Fields[i]
	switch d.Kind {
	case tracec.Int, tracec.Uint, tracec.Float:
		f := &field{optional: nulls || d.Optional, bits: i}
		f.shape(d.Kind, d.Size)
		f.declare(d)
		return []*field{f}
	}
	return valueFields(d, nulls, func(ev *tracec.Event) (v tracec.Value, level uint8, ok bool) {
		v, ok = ev.At(i)
		return v, 0, ok
	})
}

// declare sets the name, the declaration and the names of values from d.
func (f *field) declare(d *tracec.Field) {
	f.name, f.decl = d.Name, d.Decl
	if d.Named && (d.Kind == tracec.Int || d.Kind == tracec.Uint) {
		f.names = d
	}
}

// putter returns the function that appends a value of a kind.
func (f *field) putter(k tracec.Kind) func(c *column, v tracec.Value) {
	switch {
	case k == tracec.Float && f.storage == narrow:
		return func(c *column, v tracec.Value) { c.putBits(uint64(math.Float32bits(float32(v.Float())))) }
	case k == tracec.Float:
		return func(c *column, v tracec.Value) { c.putBits(math.Float64bits(v.Float())) }
	case k == tracec.Int, k == tracec.Uint:
		return func(c *column, v tracec.Value) { c.putBits(v.Uint()) }
	case k == tracec.Text:
		return func(c *column, v tracec.Value) { c.putText(v.Bytes()) }
	}
	return func(c *column, v tracec.Value) { c.putBytes(v.Bytes()) }
}

// shape sets the storage for values of a kind and size.
func (f *field) shape(k tracec.Kind, size int) {
	switch {
	case size <= 0 || size > 4:
		size = 8
	case size == 3:
		size = 4
	}
	if f.storage = narrow; size == 8 {
		f.storage = wide
	}
	switch k {
	case tracec.Int:
		f.node = pq.Int(8 * size)
	case tracec.Uint:
		f.node, f.unsigned = pq.Uint(8*size), true
	case tracec.Float:
		if f.node, f.float = pq.Leaf(pq.DoubleType), true; f.storage == narrow {
			f.node = pq.Leaf(pq.FloatType)
		}
	case tracec.Text:
		f.storage, f.node = text, pq.String()
	default:
		f.storage, f.node = text, pq.Leaf(pq.ByteArrayType)
	}
}

// reserved holds names that fields cannot have: columns of all tables, partitions, and columns that
// DuckDB adds.
var reserved = []string{"time", "wall", "cpu", "task", "process", "comm", "text", "data", "recording", "host", "date",
	"event"}

// columnNames holds the names of the columns of a table. SQL ignores the case of names.
type columnNames map[string]bool

func newNames() columnNames {
	n := columnNames{}
	for _, name := range reserved {
		n[name] = true
	}
	return n
}

// take returns a unique name for a column: the name of the field, or with field_ before it, or with
// a number after it.
func (n columnNames) take(name string) string {
	name = string(appendValid(nil, name))
	free := func(s string) bool { return s != "" && !n[strings.ToLower(s)] }
	if !free(name) && free("field_"+name) {
		name = "field_" + name
	}
	return n.number(name)
}

// number returns a unique name: the name itself, or with a number after it.
func (n columnNames) number(name string) string {
	try := string(appendValid(nil, name))
	for i := 2; try == "" || n[strings.ToLower(try)]; i++ {
		try = fmt.Sprintf("%s_%d", name, i)
	}
	n[strings.ToLower(try)] = true
	return try
}
