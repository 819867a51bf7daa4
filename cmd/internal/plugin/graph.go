package plugin

import (
	"github.com/tracec/tracec/compiler/interp"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
)

// maxGraphDepth bounds the indentation that a damaged record can ask for; the kernel follows at most 50
// nested calls of a task (kernel/trace/fgraph.c: FTRACE_RETFUNC_DEPTH).
const maxGraphDepth = 256

// graphExits finds the layout of funcgraph_exit for the records that the entry handler peeks at.
type graphExits struct {
	byID map[uint32]*graphExit // nil values: other events
}

func (g *graphExits) of(id uint32, c *Context) *graphExit {
	x, seen := g.byID[id]
	if seen {
		return x
	}
	if g.byID == nil {
		g.byID = make(map[uint32]*graphExit)
	}
	if c.Event != nil {
		if ev := c.Event(id); ev != nil && ev.Group == "ftrace" && ev.Name == "funcgraph_exit" {
			l := &layout{ev: ev, target: c.Target}
			if y := newGraphExitFields(l, c.options()); !l.missing {
				y.need = l.end
				x = &y
			}
		}
	}
	g.byID[id] = x
	return x
}

// graphExit is the part of a funcgraph_exit record that text needs.
type graphExit struct {
	fn, depth, call, ret *interp.Reader
	value                *interp.Reader // what the function returned; nil when that is not to be shown
	hex, narrow          bool
	need                 int
}

func newGraphExitFields(l *layout, o Options) graphExit {
	x := graphExit{
		fn: l.num("func"), depth: l.num("depth"),
		call: l.num("calltime"), ret: l.num("rettime"),
	}
	if (o.RetvalHex || o.RetvalDec) && !o.RetvalSkip && l.has("retval") {
		x.value, x.hex, x.narrow = l.num("retval"), o.RetvalHex, l.target.WordSize == 4
	}
	return x
}

// signed reads a word of the recorded machine as a number with a sign: errors are negative.
func (x *graphExit) signed(v uint64) int64 {
	if x.narrow {
		return int64(int32(v))
	}
	return int64(v)
}

// putValue appends what the function returned, when that is known and wanted.
func (x *graphExit) putValue(dst, data []byte) []byte {
	switch {
	case x.value == nil:
		return dst
	case x.hex:
		dst = putHex(dst, " /* ret=0x", x.value.Uint(data))
	default:
		dst = append(dst, " /* ret="...)
		dst = render.Dec(dst, x.signed(x.value.Uint(data)))
	}
	return append(dst, " */"...)
}

func (x *graphExit) duration(data []byte) uint64 { return x.ret.Uint(data) - x.call.Uint(data) }

// leaf returns the return of fn when that is the record behind r, and consumes it. The reference does not
// compare the CPUs, so that an idle thread, whose pid all CPUs share, gets the duration of another CPU's call
// now and then.
func (c *Context) leaf(r *record.Record, fn uint64) (*graphExit, []byte) {
	if c.Peek == nil {
		return nil, nil
	}
	next := c.Peek()
	if next == nil || next.Task != r.Task || next.CPU != r.CPU {
		return nil, nil
	}
	x := c.exits.of(next.ID, c)
	if x == nil || len(next.Data) < x.need || x.fn.Uint(next.Data) != fn {
		return nil, nil
	}
	if c.Consume != nil {
		c.Consume()
	}
	return x, next.Data
}

// newGraphEntry is `  0.891 us   |    name();` for a function during which nothing else was recorded on any
// CPU, else `             |    name() {`.
func newGraphEntry(c *Context, l *layout) Handler {
	fn, depth := l.num("func"), l.num("depth")
	showDepth := c.options().Depth
	return func(dst []byte, r *record.Record) []byte {
		addr, deep := fn.Uint(r.Data), int64(depth.Uint(r.Data))
		exit, data := c.leaf(r, addr)
		if exit != nil {
			dst = putDuration(dst, exit.duration(data))
		} else {
			dst = append(dst, noDuration...)
		}
		dst = putGraphIndent(dst, deep)
		dst = c.nameOrHex(dst, addr)
		if exit != nil {
			dst = append(dst, "();"...)
			dst = exit.putValue(dst, data)
		} else {
			dst = append(dst, "() {"...)
		}
		if showDepth {
			dst = putDepth(dst, deep)
		}
		return dst
	}
}

// newGraphExit is `+ 13.640 us  |    }`.
func newGraphExit(c *Context, l *layout) Handler {
	opts := c.options()
	x := newGraphExitFields(l, opts)
	return func(dst []byte, r *record.Record) []byte {
		deep := int64(x.depth.Uint(r.Data))
		dst = putDuration(dst, x.duration(r.Data))
		dst = putGraphIndent(dst, deep)
		dst = append(dst, '}')
		dst = x.putValue(dst, r.Data)
		if opts.TailPrint {
			name, _, ok := c.symbol(x.fn.Uint(r.Data))
			if !ok {
				return dst
			}
			dst = append(dst, " /* "...)
			dst = append(dst, name...)
			dst = append(dst, " */"...)
		}
		if opts.Depth {
			dst = putDepth(dst, deep)
		}
		return dst
	}
}

// noDuration is as wide as a duration of up to seven characters.
const noDuration = "             "

// putDuration appends ns as microseconds behind a mark for long ones. The fraction goes when seven digits
// are reached, and the columns up to the bar are filled: `  0.891 us   `, `$ 1000000 us `.
func putDuration(dst []byte, ns uint64) []byte {
	mark := byte(' ')
	switch {
	case ns > 1e9:
		mark = '$'
	case ns > 1e6:
		mark = '#'
	case ns > 1e5:
		mark = '!'
	case ns > 1e4:
		mark = '+'
	}
	dst = append(dst, mark, ' ')
	start := len(dst)
	us, rest := ns/1000, ns%1000
	dst = render.Udec(dst, us)
	if us < 1e6 {
		dst = append(dst, '.', byte('0'+rest/100), byte('0'+rest/10%10), byte('0'+rest%10))
	}
	width := len(dst) - start
	dst = append(dst, " us "...)
	for ; width < 7; width++ {
		dst = append(dst, ' ')
	}
	return dst
}

func putGraphIndent(dst []byte, depth int64) []byte {
	dst = append(dst, "|  "...)
	for i := int64(0); i < depth && i < maxGraphDepth; i++ {
		dst = append(dst, "  "...)
	}
	return dst
}

func putDepth(dst []byte, depth int64) []byte {
	dst = append(dst, " ("...)
	dst = render.Udec(dst, uint64(uint32(depth)))
	return append(dst, ')')
}
