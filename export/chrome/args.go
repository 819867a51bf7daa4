package chrome

import (
	"encoding/hex"
	"math"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/columns"
	"github.com/tracec/tracec/export/timeline"
)

// arguments caches the layouts of the fields of events. It is for one goroutine.
type arguments struct {
	layouts *layouts
	types   []*typeArgs // by Type.Number
	scratch []byte
	stack   []tracec.Frame
}

func newArguments() *arguments {
	return &arguments{layouts: &layouts{byType: map[*tracec.Type]*layout{}}}
}

// another returns arguments for another goroutine.
func (a *arguments) another() *arguments { return &arguments{layouts: a.layouts} }

// typeArgs holds the layout of the fields of a type.
type typeArgs struct {
	*layout
	begin  *tracec.Type // the type that shared refers to
	shared []bool       // by field: whether the type that began the span also has it
}

// layouts are the layouts that all goroutines share.
type layouts struct {
	mu     sync.Mutex
	byType map[*tracec.Type]*layout
}

// layout is the part of a type's layout that does not depend on the span that ends.
type layout struct {
	fields []argument
	stack  bool // the event is a stack
	chain  bool // the event has a stack
	cpu    bool
	pair   atomic.Pointer[tracec.Type] // the type of the first span that such an event has ended; nil before
}

// argument is a field.
type argument struct {
	place int
	kind  tracec.Kind
	named bool
	hex   bool
	name  string
	key   []byte // such as `"name":`
	end   []byte // such as `"end_name":`
}

// of returns the typeArgs of a type.
func (a *arguments) of(typ *tracec.Type) *typeArgs {
	for len(a.types) <= typ.Number {
		a.types = append(a.types, nil)
	}
	t := a.types[typ.Number]
	if t == nil {
		t = &typeArgs{layout: a.layouts.of(typ)}
		a.types[typ.Number] = t
	}
	return t
}

func (l *layouts) of(typ *tracec.Type) *layout {
	l.mu.Lock()
	defer l.mu.Unlock()
	t := l.byType[typ]
	if t == nil {
		t = newLayout(typ)
		l.byType[typ] = t
	}
	return t
}

// ends prepares for an event that ends a span.
func (t *typeArgs) ends(begin *tracec.Type) {
	t.begin, t.shared = begin, t.shared[:0]
	for i := range t.fields {
		t.shared = append(t.shared, begin.Index(t.fields[i].name) >= 0)
	}
}

// omitted holds the fields that are omitted, since the span or the track shows them.
var omitted = map[string][]string{
	"funcgraph_entry": {"func", "depth"}, "fgraph_retaddr_entry": {"func", "depth"},
	"funcgraph_exit": {"func", "depth", "overrun", "calltime", "rettime"},
}

func newLayout(typ *tracec.Type) *layout {
	kind := typ.Stack()
	t := &layout{stack: kind == tracec.KernelStack || kind == tracec.UserStack, chain: kind == tracec.CallChain,
		cpu: typ.Index("cpu") < 0}
	for i := range typ.Fields {
		f := &typ.Fields[i]
		if i == typ.StackField() || f.Common || f.Name == "__syscall_nr" ||
			typ.System == "ftrace" && slices.Contains(omitted[typ.Name], f.Name) {
			continue
		}
		t.fields = append(t.fields, argument{
			place: i, kind: f.Kind, named: f.Named, hex: f.Hex, name: f.Name,
			key: append(columns.AppendJSON(nil, f.Name), ':'), end: append(columns.AppendJSON(nil, "end_"+f.Name), ':'),
		})
	}
	return t
}

// event appends the arguments of an event, such as `,"args":{"ret":3}`, or nothing. If the event
// ends a span, begin is the type of the event that began it.
func (x *writer) event(dst []byte, it *timeline.Item, begin *tracec.Type, note string) []byte {
	start := len(dst)
	dst = append(dst, `,"args":{`...)
	first := len(dst)
	if it.Event != nil && !x.opts.NoArgs {
		dst = x.fields(dst, it, begin)
	}
	if dst = append(dst, note...); note != "" {
		dst = append(dst, ',')
	}
	if len(dst) == first {
		return dst[:start]
	}
	dst[len(dst)-1] = '}' // replaces a comma
	return dst
}

// fields appends the fields of an event, each followed by a comma. Workers have written most of
// them in advance.
func (x *writer) fields(dst []byte, it *timeline.Item, begin *tracec.Type) []byte {
	ev := it.Event
	t := x.args.of(ev.Type)
	ends := begin
	if begin == ev.Type || t.stack {
		ends = nil
	}
	pair := t.pair.Load()
	if pair == nil && ends != nil {
		t.pair.Store(ends)
	}
	if b := it.Bytes; ends == nil && b[0] == alone || ends != nil && b[0] == paired && ends == pair {
		dst = append(dst, b[1:]...)
	} else {
		dst = x.args.append(dst, ev, ends)
	}
	if t.cpu && !t.stack && ev.CPU >= 0 && begin == nil {
		dst = append(strconv.AppendInt(append(dst, `"cpu":`...), int64(ev.CPU), 10), ',')
	}
	return dst
}

// The first byte of the output of appendProbable.
const (
	alone  = iota // the event ends no span, or a span of its own type
	paired        // the event ends a span of the type in layout.pair, which does not change any more
)

// appendProbable appends the fields of an event in their probable form, before it is known which
// span the event ends.
func (a *arguments) appendProbable(dst []byte, ev *tracec.Event) []byte {
	pair := a.of(ev.Type).pair.Load()
	if pair == nil {
		return a.append(append(dst, alone), ev, nil)
	}
	return a.append(append(dst, paired), ev, pair)
}

// append appends the fields of an event, each followed by a comma. If the event ends a span, ends
// is the type of the event that began it. It is nil if no field has the name of a field of the
// begin.
func (a *arguments) append(dst []byte, ev *tracec.Event, ends *tracec.Type) []byte {
	t := a.of(ev.Type)
	if t.stack {
		return a.appendStack(dst, ev)
	}
	if ends != nil && t.begin != ends {
		t.ends(ends)
	}
	for i := range t.fields {
		f := &t.fields[i]
		key := f.key
		if ends != nil && t.shared[i] {
			key = f.end
		}
		if f.kind <= tracec.Uint && !f.named && !f.hex {
			if bits, ok := ev.Bits(f.place); ok {
				dst = append(appendInteger(append(dst, key...), bits, f.kind == tracec.Int), ',')
			}
			continue
		}
		if v, ok := ev.At(f.place); ok {
			dst = append(a.value(append(dst, key...), v, f), ',')
		}
	}
	if t.chain {
		dst = a.appendStack(dst, ev)
	}
	return dst
}

// value appends a value.
func (a *arguments) value(dst []byte, v tracec.Value, f *argument) []byte {
	switch v.Kind() {
	case tracec.Int, tracec.Uint:
		if f.hex {
			return append(strconv.AppendUint(append(dst, `"0x`...), v.Uint(), 16), '"')
		}
		if f.named {
			if name, ok := v.AppendName(a.scratch[:0]); ok {
				a.scratch = name
				return columns.AppendJSON(dst, name)
			}
		}
		return appendInteger(dst, v.Uint(), v.Kind() == tracec.Int)
	case tracec.Float:
		return appendFloat(dst, v.Float())
	case tracec.Text:
		return columns.AppendJSON(dst, v.Bytes())
	case tracec.Bytes:
		return append(hex.AppendEncode(append(dst, '"'), v.Bytes()), '"')
	case tracec.Struct:
		return a.structure(dst, v)
	}
	dst = append(dst, '[')
	for i := range v.Len() {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = a.value(dst, v.Elem(i), f)
	}
	return append(dst, ']')
}

// structure appends the members that are in the record.
func (a *arguments) structure(dst []byte, v tracec.Value) []byte {
	dst = append(dst, '{')
	first := len(dst)
	for m, value := range v.Fields() {
		if len(dst) > first {
			dst = append(dst, ',')
		}
		dst = append(columns.AppendJSON(dst, m.Name), ':')
		dst = a.value(dst, value, &argument{hex: m.Hex, named: m.Named})
	}
	return append(dst, '}')
}

// appendInteger appends an integer, as a string if a float cannot hold it.
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

// appendFloat appends a float. It is a string if JSON has no such number, or if the float is
// subnormal: Perfetto of 2021 rejects an event with such a number.
func appendFloat(dst []byte, f float64) []byte {
	const normal = 0x1p-1022
	if math.IsNaN(f) || math.IsInf(f, 0) || f != 0 && math.Abs(f) < normal {
		return append(strconv.AppendFloat(append(dst, '"'), f, 'g', -1, 64), '"')
	}
	return strconv.AppendFloat(dst, f, 'g', -1, 64)
}

// appendStack appends the functions of a stack sample, innermost first.
func (a *arguments) appendStack(dst []byte, ev *tracec.Event) []byte {
	dst = append(dst, `"stack":[`...)
	a.stack = ev.AppendFrames(a.stack[:0])
	for i := range a.stack {
		if i > 0 {
			dst = append(dst, ',')
		}
		f := &a.stack[i]
		b, addr := a.scratch[:0], f.Addr
		if f.Function != "" {
			b, addr = append(append(b, f.Function...), '+'), f.Offset
		}
		b = strconv.AppendUint(append(b, "0x"...), addr, 16)
		a.scratch = b
		dst = columns.AppendJSON(dst, b)
	}
	return append(dst, "],"...)
}
