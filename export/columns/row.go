package columns

import (
	"encoding/hex"
	"math"
	"strconv"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/runtime/render"
)

// Style defines the text of values in a format.
type Style struct {
	Null string // text for a missing value
	// Text appends a text, which may hold any bytes.
	Text func(dst, text []byte) []byte
	// List appends a JSON array or object. If nil, it is appended unchanged.
	List func(dst, json []byte) []byte
	// Quote64 puts times and all integers of 8 bytes in quotes.
	Quote64 bool
}

// A Cell is a column and its prefix, such as its name.
type Cell struct {
	Before string
	Column Column
	// Skip omits the cell and its prefix if there is no value. It must not be set for columns that
	// always have one.
	Skip bool
}

// Layout is the layout of the rows of a type.
type Layout struct {
	Cells []Cell
	End   string // text after the last cell
}

// Nested returns a column that is an object in its own style. It is appended unchanged.
func Nested(name string, object Layout, style *Style) Column {
	return Column{Name: name, kind: nested, nested: newRow(object, style)}
}

// Writer appends rows. It is for one goroutine.
type Writer struct {
	style  *Style
	layout func(*tracec.Type) Layout
	rows   []*row // by Type.Number

	scratch []byte
	wall    wall
	comms   [64]quotedComm // by low bits of Record.Task
}

// NewWriter returns a Writer of events. layout returns the layout of their types. wallOffset is
// record.Machine.Wall.
func NewWriter(style *Style, wallOffset int64, layout func(*tracec.Type) Layout) *Writer {
	return &Writer{style: style, layout: layout, wall: wall{offset: wallOffset}}
}

// Append appends an event.
func (w *Writer) Append(dst []byte, ev *tracec.Event) []byte {
	for ev.Type.Number >= len(w.rows) {
		w.rows = append(w.rows, nil)
	}
	r := w.rows[ev.Type.Number]
	if r == nil {
		r = newRow(w.layout(ev.Type), w.style)
		w.rows[ev.Type.Number] = r
	}
	return w.append(dst, r, ev)
}

// row is a Layout prepared for writing.
type row struct {
	style *Style
	cells []cell
	end   []byte
}

type cell struct {
	before []byte
	key    []byte // end of the prefix that is omitted with a missing value; nil if nothing is omitted
	Column
	quoted bool
	known  *[cached]valueName
}

// newRow prepares a layout: constants become part of the next cell's prefix.
func newRow(l Layout, style *Style) *row {
	r := &row{style: style}
	var before []byte
	for _, c := range l.Cells {
		var key []byte
		if c.Skip {
			key = []byte(c.Before)
		} else {
			before = append(before, c.Before...)
		}
		switch c.Column.kind {
		case constant:
			before = style.Text(before, []byte(c.Column.text))
		case null:
			before = append(before, style.Null...)
		case literal:
			before = append(before, c.Column.text...)
		default:
			n := cell{before: before, key: key, Column: c.Column}
			n.quoted = style.Quote64 && (c.Column.kind == recordedTime || c.Column.wide)
			if c.Column.kind == name {
				n.known = new([cached]valueName)
			}
			r.cells = append(r.cells, n)
			before = nil
		}
	}
	r.end = append(before, l.End...)
	return r
}

// append appends an event as a row.
func (w *Writer) append(dst []byte, r *row, ev *tracec.Event) []byte {
	for i := range r.cells {
		c := &r.cells[i]
		dst = append(dst, c.before...)
		at := len(dst)
		dst = append(dst, c.key...)
		ok := true
		switch c.kind {
		case signed, unsigned, recordedTime:
			dst, ok = c.integer(dst, ev)
		case text:
			var v tracec.Value
			if v, ok = c.value(ev); ok {
				dst = r.style.Text(dst, v.Bytes())
			}
		case name:
			dst, ok = c.name(dst, r.style, ev)
		case comm:
			dst, ok = w.comm(dst, r, ev)
		case cpu:
			dst, ok = number(dst, ev.CPU)
		case task:
			dst, ok = number(dst, ev.Task)
		case process:
			dst, ok = number(dst, ev.Process())
		case nested:
			dst = w.append(dst, c.nested, ev)
		case lost:
			dst = render.Dec(dst, ev.Lost)
		default:
			dst, ok = w.other(dst, r, c, ev)
		}
		if !ok {
			if dst = dst[:at]; c.key == nil {
				dst = append(dst, r.style.Null...)
			}
		}
	}
	return append(dst, r.end...)
}

// other appends rare or slow values.
func (w *Writer) other(dst []byte, r *row, c *cell, ev *tracec.Event) ([]byte, bool) {
	switch c.kind {
	case wallTime:
		w.scratch = w.wall.append(w.scratch[:0], ev.Time)
		return r.style.Text(dst, w.scratch), true
	case eventText:
		var ok bool
		w.scratch, ok = ev.AppendText(w.scratch[:0])
		if !ok {
			return dst, false
		}
		return r.style.Text(dst, w.scratch), true
	case data:
		if len(ev.Data) == 0 {
			return dst, false
		}
		return w.hex(dst, r, ev.Data), true
	}
	v, ok := c.value(ev)
	if !ok {
		return dst, false
	}
	switch c.kind {
	case floating:
		return w.float(dst, r, v.Float(), c.of.Size), true
	case bytes:
		return w.hex(dst, r, v.Bytes()), true
	}
	if r.style.List == nil {
		return appendValue(dst, c.of, v, r.style.Quote64), true
	}
	w.scratch = appendValue(w.scratch[:0], c.of, v, r.style.Quote64)
	return r.style.List(dst, w.scratch), true
}

// value returns the value of the field or the member.
func (c *Column) value(ev *tracec.Event) (tracec.Value, bool) {
	v, ok := ev.At(c.field)
	for _, i := range c.path {
		if !ok {
			break
		}
		v, ok = v.At(i)
	}
	return v, ok
}

// bits returns the bits of a number.
func (c *Column) bits(ev *tracec.Event) (uint64, bool) {
	if c.path == nil {
		return ev.Bits(c.field)
	}
	v, ok := c.value(ev)
	return v.Uint(), ok
}

// integer appends an integer, or the time.
func (c *cell) integer(dst []byte, ev *tracec.Event) ([]byte, bool) {
	v, ok := ev.Time, true
	if c.kind != recordedTime {
		if v, ok = c.bits(ev); !ok {
			return dst, false
		}
	}
	if c.quoted {
		dst = append(dst, '"')
	}
	if c.kind == signed {
		dst = render.Dec(dst, int64(v))
	} else {
		dst = render.Udec(dst, v)
	}
	if c.quoted {
		dst = append(dst, '"')
	}
	return dst, true
}

// number appends a number. Negative numbers are unknown, and it then returns false.
func number(dst []byte, v int32) ([]byte, bool) {
	if v < 0 {
		return dst, false
	}
	return render.Udec(dst, uint64(v)), true
}

func (w *Writer) hex(dst []byte, r *row, b []byte) []byte {
	w.scratch = hex.AppendEncode(w.scratch[:0], b)
	return r.style.Text(dst, w.scratch)
}

func (w *Writer) float(dst []byte, r *row, v float64, size int) []byte {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return r.style.Text(dst, []byte(special64(v)))
	}
	return strconv.AppendFloat(dst, v, 'g', -1, 8*size)
}

// special64 returns the word for a float without a JSON number.
func special64(v float64) string {
	switch {
	case math.IsNaN(v):
		return "NaN"
	case v > 0:
		return "Infinity"
	}
	return "-Infinity"
}
