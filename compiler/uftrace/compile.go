package uftrace

import (
	"strconv"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/compiler/sequence"
)

// Form is the notation of values.
type Form uint8

// The forms.
const (
	// Replay is the text between the parentheses of a call, `1, 2.500000, "str"`, or after the
	// equals sign of a return.
	Replay Form = iota
	// Dump has one or more lines for each value: `  args[0] i32: 0x00000001`. Each ends with a
	// newline.
	Dump
	// JSON is Replay, escaped for use inside a JSON string.
	JSON
)

// Function describes the payload of one record of a function: the arguments of an entry or the
// results of an exit.
type Function struct {
	Module string // base name
	Name   string
	Exit   bool
	Values []Value // the arguments, or the results, in the order of the payload
}

// Options control the compilation.
type Options struct {
	Form   Form
	Enums  []Enums // in the order of lookup
	Colors *Colors // for Replay; nil: no colours
	// BigEndian is the byte order of the recording. A long double has two parts in this order.
	BigEndian bool
}

// Colors are escape sequences printed before values of a kind.
type Colors struct {
	Text   string // strings and characters
	Enum   string // enumerators
	Joint  string // the bar between two of them
	Symbol string // pointers that hit a symbol, and names of structures
	Reset  string // after each
}

// Compile returns the event of a function. Its Group is the module. Values have the names in the
// description, arg1, fparg2 or retval. If a name occurs twice, a number is appended. If a value
// cannot be compiled, the error names it, and the event has only the payload.
func Compile(f Function, o Options) (*ir.Event, error) {
	ev := &ir.Event{Group: f.Module, Name: f.Name, Exit: f.Exit}
	data := &ir.Field{Name: "data", CType: "char[]", Kind: ir.Tail, Elem: 1}
	ev.Fields = []*ir.Field{data}
	for _, v := range f.Values {
		if err := v.check(); err != nil {
			ev.Why = err.Error()
			return ev, err
		}
		if v.isString() {
			ev.Slots = sequence.Slots
		}
	}
	ev.HasText = true
	ev.Text = text(f, o, data)
	decode(ev, f.Values, o, data)
	return ev, nil
}

// decode writes the fields and the program that yields their values.
func decode(ev *ir.Event, values []Value, o Options, data *ir.Field) {
	taken := make(map[string]bool)
	for _, v := range values {
		name := v.name()
		for n := 2; taken[name]; n++ {
			name = v.name() + "_" + strconv.Itoa(n)
		}
		taken[name] = true
		ev.Fields = append(ev.Fields, v.field(name, o))
	}
	l := newLayout(data)
	l.bigEndian = o.BigEndian
	l.walk(values, func(p place) []ir.Stmt {
		k := &ir.Keep{Field: ev.Fields[1+p.index]}
		switch {
		case p.value.isExtended():
			k.V = p.extended()
		case p.value.isBytes():
			k.Of = p.bytes()
		default:
			k.V = p.meaning(k.Field.Type())
		}
		return []ir.Stmt{k}
	})
	ev.Decode = l.Out
}

// text writes the program that prints the values. Replay shows only the first result (uftrace.md
// 2.4).
func text(f Function, o Options, data *ir.Field) []ir.Stmt {
	values := f.Values
	if f.Exit && o.Form != Dump && len(values) > 1 {
		values = values[:1]
	}
	l := newLayout(data)
	w := writer{o, f.Exit}
	l.walk(values, func(p place) []ir.Stmt {
		if o.Form == Dump {
			return w.dump(p)
		}
		s := w.show(p)
		if p.index > 0 {
			s = append([]ir.Stmt{&ir.Lit{S: ", "}}, s...)
		}
		return s
	})
	return l.Out
}
