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
			if y := newGraphExitFields(l); !l.missing {
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
	need                 int
}

func newGraphExitFields(l *layout) graphExit {
	return graphExit{
		fn: l.num("func"), depth: l.num("depth"),
		call: l.num("calltime"), ret: l.num("rettime"),
	}
}

func (x *graphExit) duration(data []byte) uint64 { return x.ret.Uint(data) - x.call.Uint(data) }

// leaf returns how long fn ran when next is its return. The reference does not compare the CPUs, so that
// an idle thread, whose pid all CPUs share, gets the duration of another CPU's call now and then.
func (c *Context) leaf(r, next *record.Record, fn uint64) (ns uint64, ok bool) {
	if next == nil || next.Task != r.Task || next.CPU != r.CPU {
		return 0, false
	}
	x := c.exits.of(next.ID, c)
	if x == nil || len(next.Data) < x.need || x.fn.Uint(next.Data) != fn {
		return 0, false
	}
	return x.duration(next.Data), true
}

// newGraphEntry is `  0.891 us   |    name();` for a function during which nothing else was recorded on any
// CPU, else `             |    name() {`.
func newGraphEntry(c *Context, l *layout) Handler {
	fn, depth := l.num("func"), l.num("depth")
	showDepth := c.options().Depth
	return func(dst []byte, r *record.Record) []byte {
		addr, deep := fn.Uint(r.Data), int64(depth.Uint(r.Data))
		tail := "() {"
		if ns, ok := c.peekLeaf(r, addr); ok {
			dst = putDuration(dst, ns)
			tail = "();"
		} else {
			dst = append(dst, noDuration...)
		}
		dst = putGraphIndent(dst, deep)
		dst = c.nameOrHex(dst, addr)
		dst = append(dst, tail...)
		if showDepth {
			dst = putDepth(dst, deep)
		}
		return dst
	}
}

func (c *Context) peekLeaf(r *record.Record, fn uint64) (ns uint64, ok bool) {
	if c.Peek == nil {
		return 0, false
	}
	if ns, ok = c.leaf(r, c.Peek(), fn); ok && c.Consume != nil {
		c.Consume()
	}
	return ns, ok
}

// newGraphExit is `+ 13.640 us  |    }`.
func newGraphExit(c *Context, l *layout) Handler {
	x := newGraphExitFields(l)
	opts := c.options()
	return func(dst []byte, r *record.Record) []byte {
		deep := int64(x.depth.Uint(r.Data))
		dst = putDuration(dst, x.duration(r.Data))
		dst = putGraphIndent(dst, deep)
		dst = append(dst, '}')
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
