package parquet

import (
	"math"

	pq "github.com/parquet-go/parquet-go"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/runtime/uftrace"
)

// Calls of functions are in two tables instead of one for each function. A program has thousands of
// functions, whose columns differ only in a few arguments. Arguments are lists of named values.
const (
	callEvent   = "uftrace.call"
	returnEvent = "uftrace.return"
)

// entryOf returns uftrace's entry of a call or a return, or nil for other events.
func entryOf(ev *tracec.Event) *uftrace.Entry {
	if x, ok := ev.Entry.(*uftrace.Entry); ok && (x.Kind == uftrace.Enter || x.Kind == uftrace.Leave) {
		return x
	}
	return nil
}

// calls follows the calls of the threads of a recording, to compute their durations.
type calls struct {
	tasks map[int32]*stack
	ended *frame // the call that the current return ends; nil if unknown
}

// stack holds the open calls of a thread.
type stack struct {
	frames []frame
	off    uint64 // time of leaving the processor; 0 while on it
}

// frame is a call that has not returned.
type frame struct {
	known bool
	sym   *uftrace.Symbol
	begin uint64
	child uint64 // time in inner calls, and off the processor
	took  uint64 // duration, set on return
}

// deepest bounds the depth of the stack of a thread.
const deepest = 4096

// follow processes the next event.
func (c *calls) follow(ev *tracec.Event) {
	c.ended = nil
	x, ok := ev.Entry.(*uftrace.Entry)
	if !ok {
		return
	}
	s := c.tasks[ev.Task]
	if s == nil {
		s = &stack{}
		c.tasks[ev.Task] = s
	}
	depth := int(x.Depth)
	switch {
	case x.Kind == uftrace.Event:
		s.schedule(ev.ID, ev.Time)
	case x.Kind == uftrace.Lost || ev.Lost != 0 || depth >= deepest:
		s.frames = s.frames[:0]
	case x.Kind == uftrace.Enter:
		for len(s.frames) < depth {
			s.frames = append(s.frames, frame{})
		}
		s.frames = append(s.frames[:depth], frame{known: true, sym: x.Sym, begin: ev.Time})
	case depth < len(s.frames):
		f := &s.frames[depth]
		if s.frames = s.frames[:depth]; f.known && f.sym == x.Sym && f.begin <= ev.Time {
			f.took = ev.Time - f.begin
			c.ended = f
			if depth > 0 {
				s.frames[depth-1].child += f.took
			}
		}
	}
}

// schedule notes whether the thread runs. As in uftrace report, time off the processor does not
// count for the function.
func (s *stack) schedule(id uint32, time uint64) {
	switch id {
	case uftrace.EventSchedOut, uftrace.EventSchedOutPre:
		s.off = time
	case uftrace.EventSchedIn:
		if n := len(s.frames); n > 0 && s.off > 0 && s.off <= time {
			s.frames[n-1].child += time - s.off
		}
		s.off = 0
	}
}

// fields returns the columns of calls or of returns. With values it includes a column for their
// values.
func (c *calls) fields(o *shape, exit, values, nulls bool) []*field {
	list := o.common(nulls)
	list = append(list,
		symbolName("module", func(ev *tracec.Event, x *uftrace.Entry) string { return ev.Type.System }),
		symbolName("function", func(ev *tracec.Event, x *uftrace.Entry) string { return symbolText(x, ev.Type.Label) }),
		symbolName("symbol", func(ev *tracec.Event, x *uftrace.Entry) string { return symbolText(x, ev.Type.Name) }),
		number("address", pq.Uint(64), wide, nulls,
			func(ev *tracec.Event, x *uftrace.Entry) (uint64, bool) { return x.Addr, true }),
		number("depth", pq.Uint(16), narrow, nulls,
			func(ev *tracec.Event, x *uftrace.Entry) (uint64, bool) { return uint64(x.Depth), true }),
	)
	as := "args"
	if exit {
		as = "result"
		list = append(list,
			number("duration", pq.Int(64), wide, true, func(*tracec.Event, *uftrace.Entry) (uint64, bool) {
				if c.ended == nil {
					return 0, false
				}
				return c.ended.took, true
			}),
			number("self", pq.Int(64), wide, true, func(*tracec.Event, *uftrace.Entry) (uint64, bool) {
				if c.ended == nil {
					return 0, false
				}
				return c.ended.took - min(c.ended.child, c.ended.took), true
			}),
		)
	}
	if values {
		list = append(list, arguments(as)...)
	}
	if o.text {
		list = append(list, texts())
	}
	return list
}

func symbolText(x *uftrace.Entry, text string) string {
	if x.Sym == nil {
		return ""
	}
	return text
}

// symbolName returns a column of names. An empty name is null.
func symbolName(as string, get func(*tracec.Event, *uftrace.Entry) string) *field {
	return &field{name: as, storage: text, optional: true, node: pq.String(), bits: ofPut,
		put: func(ev *tracec.Event, c *column) bool {
			s := get(ev, ev.Entry.(*uftrace.Entry))
			if s == "" {
				return c.orNull()
			}
			c.putString(s)
			return true
		}}
}

func number(
	name string, node pq.Node, s storage, optional bool, get func(*tracec.Event, *uftrace.Entry) (uint64, bool),
) *field {
	return &field{name: name, storage: s, optional: optional, node: node, bits: ofPut,
		put: func(ev *tracec.Event, c *column) bool {
			v, ok := get(ev, ev.Entry.(*uftrace.Entry))
			if !ok {
				return c.orNull()
			}
			c.putBits(v)
			return true
		}}
}

// argument is a member of the elements of a list of arguments. Apart from the name, only the
// members that apply to the argument are not null.
type argument struct {
	member string
	field
	put func(c *column, d *tracec.Field, v tracec.Value) bool
}

// arguments returns the columns of a list of values with their names.
func arguments(list string) []*field {
	members := []argument{
		{member: "name", field: field{storage: text, node: pq.String()},
			put: func(c *column, d *tracec.Field, _ tracec.Value) bool {
				c.putString(d.Name)
				return true
			}},
		{member: "int", field: field{storage: wide, node: pq.Int(64)},
			put: func(c *column, d *tracec.Field, v tracec.Value) bool {
				if v.Kind() == tracec.Int {
					c.putBits(v.Uint())
				}
				return v.Kind() == tracec.Int
			}},
		{member: "uint", field: field{storage: wide, node: pq.Uint(64)},
			put: func(c *column, d *tracec.Field, v tracec.Value) bool {
				if v.Kind() == tracec.Uint {
					c.putBits(v.Uint())
				}
				return v.Kind() == tracec.Uint
			}},
		{member: "float", field: field{storage: wide, float: true, node: pq.Leaf(pq.DoubleType)},
			put: func(c *column, d *tracec.Field, v tracec.Value) bool {
				if v.Kind() == tracec.Float {
					c.putBits(math.Float64bits(v.Float()))
				}
				return v.Kind() == tracec.Float
			}},
		{member: "text", field: field{storage: text, node: pq.String()}, put: putArgumentText},
	}
	var fields []*field
	for _, m := range members {
		elem := m.field
		elem.optional, elem.bits, elem.member = m.member != "name", ofPut, []string{m.member}
		fields = append(fields, &field{
			name: list, storage: repeated, optional: true, node: elem.node, elem: &elem, bits: ofPut,
			put: func(ev *tracec.Event, c *column) bool {
				if len(ev.Type.Fields) == 0 {
					return c.orNull()
				}
				for i := range ev.Type.Fields {
					v, ok := ev.At(i)
					if ok && !m.put(c.elem, &ev.Type.Fields[i], v) {
						c.elem.putNull()
					}
				}
				c.endList()
				return true
			},
		})
	}
	return fields
}

// putArgumentText appends a text, the name of a number, or the text of any other value.
func putArgumentText(c *column, d *tracec.Field, v tracec.Value) bool {
	switch v.Kind() {
	case tracec.Int, tracec.Uint:
		name, ok := v.AppendName(nil)
		if ok {
			c.putText(name)
		}
		return ok
	case tracec.Float:
		return false
	case tracec.Text:
		c.putText(v.Bytes())
	default:
		c.putText(v.Append(nil))
	}
	return true
}
