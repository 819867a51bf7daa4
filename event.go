package tracec

import (
	"iter"

	"github.com/tracec/tracec/internal/programs"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
)

// Event is one event of a recording.
type Event struct {
	// Record has the time, the processor, the task and the data as recorded.
	*record.Record
	// Entry holds the container's own data of the record: *perf.Entry, *uftrace.Entry, *aix.Entry,
	// *lttng.Entry or *ctf.Entry. It is nil for ftrace.
	Entry any
	// Type is the type of the event. All events of a type share it.
	Type *Type

	named    named
	symbols  render.Symbols      // names of addresses; nil without symbols
	chain    callChain           // call chain of an event whose type has one
	stack    []uint64            // buffer of AppendFrames
	printers []*programs.Printer // by Type.machine
	text     textFunc
	values   []Value // values from decode
	has      []bool
	current  []*parts // by slot: the current structure or list in values
	decoded  known
	frames   frameList
}

// known records which values of an event are decoded.
type known uint8

const (
	fieldValues known = 1 << iota // Event.values
	frameValues                   // Event.frames
)

// Field returns the value of the field with that name. It returns false if the type has no such
// field, or the record has no value of the field.
func (e *Event) Field(name string) (Value, bool) {
	i := e.Type.Index(name)
	if i < 0 {
		return Value{}, false
	}
	return e.At(i)
}

// At returns the value of field i of the type. It returns false if the record does not hold the
// field: it is too short, or the field is optional.
func (e *Event) At(i int) (Value, bool) {
	if i+1 == e.Type.frames {
		return e.chainFrames()
	}
	if e.Type.decode == nil {
		return e.read(i)
	}
	if e.decoded&fieldValues == 0 {
		e.decode()
	}
	return e.values[i], e.has[i]
}

// Bits returns the bits of field i of the type, an integer or a float. An integer is extended to 64
// bits by its sign. A float is as recorded: see Field.Kind. Bits returns false if the record does
// not hold the field, or the field is of another kind. It is cheaper than At.
func (e *Event) Bits(i int) (bits uint64, ok bool) {
	if e.Type.decode != nil {
		if e.decoded&fieldValues == 0 {
			e.decode()
		}
		return e.values[i].bits, e.has[i]
	}
	if i >= len(e.Type.readers) { // the frames of a stack
		return 0, false
	}
	return e.Type.readers[i].Bits(e.Data)
}

// TextIs reports whether field i of the type is a Text equal to s. s must not contain NUL. It is
// cheaper than At.
func (e *Event) TextIs(i int, s string) bool {
	if e.Type.Fields[i].Kind != Text {
		return false
	}
	if e.Type.decode == nil {
		return e.Type.readers[i].TextIs(e.Data, s)
	}
	v, ok := e.At(i)
	return ok && string(v.bytes) == s
}

// Whole reports whether the record has a value of every field that is not optional.
func (e *Event) Whole() bool {
	t := e.Type
	if t.decode != nil {
		for i := range t.Fields {
			if _, ok := e.At(i); !ok && !t.Fields[i].Optional {
				return false
			}
		}
		return true
	}
	if len(e.Data) < t.least {
		return false
	}
	for _, i := range t.located {
		if t.readers[i].Bytes(e.Data) == nil {
			return false
		}
	}
	return true
}

// Fields returns an iterator over the fields that have a value in the record, in the order of the
// description.
func (e *Event) Fields() iter.Seq2[*Field, Value] {
	return func(yield func(*Field, Value) bool) {
		for i := range e.Type.Fields {
			if v, ok := e.At(i); ok && !yield(&e.Type.Fields[i], v) {
				return
			}
		}
	}
}

// A textFunc appends the text of an event, for containers that add to its description.
type textFunc func(e *Event, dst []byte) ([]byte, bool)

// AppendText appends the text of the event as its description prints it. For an event without a
// text it returns false and dst unchanged: see [Event.Fields]. Call it at most once for each event
// of AIX, since templates start and end timers.
func (e *Event) AppendText(dst []byte) ([]byte, bool) { return e.text(e, dst) }

// plainText is the textFunc for events whose text comes from the description alone.
func plainText(e *Event, dst []byte) ([]byte, bool) {
	p := e.Type.program
	if p == nil || !p.Text().HasText() {
		return dst, false
	}
	return e.printer().Append(dst, p, e.Data), true
}

// read returns the value of a field that has a place in the record.
func (e *Event) read(i int) (Value, bool) {
	f, r := &e.Type.Fields[i], e.Type.readers[i]
	if f.Kind == Int || f.Kind == Uint {
		bits, ok := r.Bits(e.Data)
		return Value{kind: f.Kind, hex: f.Hex, bits: bits, names: f.names}, ok
	}
	v := Value{kind: f.Kind, names: f.names}
	switch f.Kind {
	case Text:
		v.bytes = r.Text(e.Data)
	case List:
		v.array, v.signed = r, f.field.Signed
		fallthrough
	default:
		v.bytes = r.Bytes(e.Data)
	}
	if v.bytes == nil {
		return Value{}, false
	}
	return v, true
}

// decode runs the program that yields the values.
func (e *Event) decode() {
	n := len(e.Type.Fields)
	for len(e.values) < n {
		e.values, e.has = append(e.values, Value{}), append(e.has, false)
	}
	clear(e.has[:n])
	for len(e.current) < len(e.Type.slots) {
		e.current = append(e.current, nil)
	}
	clear(e.current[:len(e.Type.slots)])
	e.printer().Machine.AppendText(nil, e.Type.decode, e.Data)
	e.decoded |= fieldValues
}

// use sets the text function and the printers of later events.
func (e *Event) use(text textFunc, printers ...*programs.Printer) {
	e.text, e.printers = text, printers
	for _, p := range printers {
		p.Machine.Keep = e.keep
	}
}

// printer returns the Printer of the machine that recorded the event.
func (e *Event) printer() *programs.Printer { return e.printers[e.Type.machine] }

// keep stores the value of a slot.
func (e *Event) keep(n int, bits uint64, b []byte) {
	s := &e.Type.slots[n]
	f, v := s.field, e.place(n)
	kind := f.Kind
	if s.elem {
		kind = f.Elem
	}
	if kind == Struct || kind == List && f.reader == nil {
		e.begin(n, v, kind)
		return
	}
	*v = Value{kind: kind, size: uint8(f.Size), hex: f.Hex, bits: bits, bytes: b, parts: v.parts, names: f.names}
	switch {
	case kind == Text:
		v.bytes = render.Text(b)
	case kind == List:
		v.array, v.signed = f.reader, f.Elem == Int
	}
}

// place returns the place of the next value of a slot. A list begins with its first element.
func (e *Event) place(n int) *Value {
	s := &e.Type.slots[n]
	if s.parent < 0 {
		e.has[s.member] = true
		return &e.values[s.member]
	}
	around := e.current[s.parent]
	if around == nil {
		around = e.begin(s.parent, e.place(s.parent), List)
	}
	if len(around.has) == 0 { // a list
		return around.next()
	}
	around.has[s.member] = true
	return &around.values[s.member]
}

// begin makes v an empty structure or list, the current one of its slot.
func (e *Event) begin(n int, v *Value, kind Kind) *parts {
	p := v.parts
	if p == nil {
		p = new(parts)
	}
	s := &e.Type.slots[n]
	p.begin(kind, s.field.Fields)
	*v = Value{kind: kind, parts: p}
	clear(e.current[n:s.end])
	e.current[n] = p
	return p
}
