package chrome

import (
	"encoding/hex"
	"math"
	"slices"
	"strconv"

	"github.com/tracec/tracec/compiler/dynamic"
	"github.com/tracec/tracec/export/columns"
	"github.com/tracec/tracec/export/timeline"
)

// arguments knows how the fields of events are written.
type arguments struct {
	types   []*typeArgs // by Type.Number
	scratch []byte
	stack   []uint64
}

// typeArgs is what is written of the events of a type.
type typeArgs struct {
	fields []argument
	cpu    bool
	begin  *dynamic.Type // of the span that the last event ended
	shared []bool        // fields that it has, too
}

// argument is a field.
type argument struct {
	place int
	kind  dynamic.Kind
	named bool
	name  string
	key   []byte // `"name":`
	end   []byte // `"end_name":`
}

func newArguments() *arguments { return &arguments{} }

// of returns what is written of a type.
func (a *arguments) of(typ *dynamic.Type) *typeArgs {
	for len(a.types) <= typ.Number {
		a.types = append(a.types, nil)
	}
	t := a.types[typ.Number]
	if t == nil {
		t = newTypeArgs(typ)
		a.types[typ.Number] = t
	}
	return t
}

// ends prepares for an event that ends a span.
func (t *typeArgs) ends(begin *dynamic.Type) {
	t.begin, t.shared = begin, t.shared[:0]
	for i := range t.fields {
		t.shared = append(t.shared, begin.Index(t.fields[i].name) >= 0)
	}
}

// said are the fields that say what the span or the track says.
var said = map[string][]string{
	"funcgraph_entry": {"func", "depth"}, "fgraph_retaddr_entry": {"func", "depth"},
	"funcgraph_exit": {"func", "depth", "overrun", "calltime", "rettime"},
}

func newTypeArgs(typ *dynamic.Type) *typeArgs {
	t := &typeArgs{cpu: typ.Index("cpu") < 0}
	for i := range typ.Fields {
		f := &typ.Fields[i]
		if f.Common || f.Name == "__syscall_nr" || typ.System == "ftrace" && slices.Contains(said[typ.Name], f.Name) {
			continue
		}
		t.fields = append(t.fields, argument{
			place: i, kind: f.Kind, named: f.Named, name: f.Name,
			key: append(columns.AppendJSON(nil, f.Name), ':'), end: append(columns.AppendJSON(nil, "end_"+f.Name), ':'),
		})
	}
	return t
}

// event writes the arguments of an event: `,"args":{"ret":3}`, or nothing. begin is the type of the event that began the span that it ends.
func (x *writer) event(it *timeline.Item, begin *dynamic.Type, note string) {
	start := len(x.out)
	x.out = append(x.out, `,"args":{`...)
	first := len(x.out)
	if it.Event != nil && !x.opts.NoArgs {
		x.fields(it.Event, begin)
	}
	if x.out = append(x.out, note...); note != "" {
		x.out = append(x.out, ',')
	}
	if len(x.out) == first {
		x.out = x.out[:start]
		return
	}
	x.out[len(x.out)-1] = '}' // in place of a comma
}

// fields writes the fields of an event, each with a comma after it.
func (x *writer) fields(ev *dynamic.Event, begin *dynamic.Type) {
	t := x.args.of(ev.Type)
	if ev.Type.Stack() != dynamic.NoStack {
		x.stack(ev)
		return
	}
	ends := begin != nil && begin != ev.Type
	if ends && t.begin != begin {
		t.ends(begin)
	}
	for i := range t.fields {
		f := &t.fields[i]
		key := f.key
		if ends && t.shared[i] {
			key = f.end
		}
		if f.kind <= dynamic.Uint && !f.named {
			if bits, ok := ev.Bits(f.place); ok {
				x.out = append(appendInteger(append(x.out, key...), bits, f.kind == dynamic.Int), ',')
			}
			continue
		}
		if v, ok := ev.At(f.place); ok {
			x.out = append(x.args.value(append(x.out, key...), v, f.named), ',')
		}
	}
	if t.cpu && ev.CPU >= 0 && begin == nil {
		x.out = append(strconv.AppendInt(append(x.out, `"cpu":`...), int64(ev.CPU), 10), ',')
	}
}

// value appends a value.
func (a *arguments) value(dst []byte, v dynamic.Value, named bool) []byte {
	switch v.Kind() {
	case dynamic.Int, dynamic.Uint:
		if named {
			if name, ok := v.AppendName(a.scratch[:0]); ok {
				a.scratch = name
				return columns.AppendJSON(dst, name)
			}
		}
		return appendInteger(dst, v.Uint(), v.Kind() == dynamic.Int)
	case dynamic.Float:
		return appendFloat(dst, v.Float())
	case dynamic.Text:
		return columns.AppendJSON(dst, v.Bytes())
	case dynamic.Bytes:
		return append(hex.AppendEncode(append(dst, '"'), v.Bytes()), '"')
	}
	dst = append(dst, '[')
	for i := range v.Len() {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = a.value(dst, v.Elem(i), named)
	}
	return append(dst, ']')
}

// appendInteger appends an integer: a string beyond what a float holds.
func appendInteger(dst []byte, bits uint64, signed bool) []byte {
	const most = 1 << 53
	switch n := int64(bits); {
	case signed && n < 0 && n >= -most:
		return strconv.AppendInt(dst, n, 10)
	case bits <= most:
		return strconv.AppendUint(dst, bits, 10)
	case signed:
		return append(strconv.AppendInt(append(dst, '"'), n, 10), '"')
	}
	return append(strconv.AppendUint(append(dst, '"'), bits, 10), '"')
}

// appendFloat appends a float: a string where JSON has no number, and of those next to 0, which Perfetto of 2021 refuses with all of their event.
func appendFloat(dst []byte, f float64) []byte {
	const normal = 0x1p-1022
	if math.IsNaN(f) || math.IsInf(f, 0) || f != 0 && math.Abs(f) < normal {
		return append(strconv.AppendFloat(append(dst, '"'), f, 'g', -1, 64), '"')
	}
	return strconv.AppendFloat(dst, f, 'g', -1, 64)
}

// stack writes the functions of a stack sample, innermost first.
func (x *writer) stack(ev *dynamic.Event) {
	x.out = append(x.out, `"stack":[`...)
	x.args.stack = ev.AppendStack(x.args.stack[:0])
	for i, addr := range x.args.stack {
		if i > 0 {
			x.out = append(x.out, ',')
		}
		name, offset, ok := "", uint64(0), false
		if ev.Type.Stack() == dynamic.KernelStack {
			name, offset, ok = ev.Symbol(addr)
		}
		b := x.args.scratch[:0]
		if ok {
			b = append(append(b, name...), '+')
			addr = offset
		}
		b = strconv.AppendUint(append(b, "0x"...), addr, 16)
		x.args.scratch = b
		x.out = columns.AppendJSON(x.out, b)
	}
	x.out = append(x.out, "],"...)
}
