package plugin

import (
	"github.com/tracec/tracec/compiler/interp"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
)

// maxGraphDepth bounds the indentation, which a damaged record may set. The kernel follows at most
// 50 nested calls of a task (kernel/trace/fgraph.c: FTRACE_RETFUNC_DEPTH).
const maxGraphDepth = 256

// graphExits finds the layout of funcgraph_exit for the records that the entry handler peeks at.
type graphExits struct {
	byID map[uint32]*graphExit // nil for other events
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
			if y := newGraphExitFields(c, l); !l.missing {
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
	value                *interp.Reader // the return value; nil if not shown
	hex, dec, narrow     bool
	comment              bool // in the kernel's form: " /* ret=0x0 */"
	need                 int
}

func newGraphExitFields(c *Context, l *layout) graphExit {
	x := graphExit{
		fn: l.num("func"), depth: l.num("depth"),
		call: l.num("calltime"), ret: l.num("rettime"),
	}
	if o := c.options(); !o.RetvalSkip && (o.RetvalHex || o.RetvalDec || c.Style >= V33) && l.has("retval") {
		x.value, x.narrow = l.num("retval"), l.target.WordSize == 4
		x.hex, x.dec, x.comment = o.RetvalHex, o.RetvalDec, c.Style < V33
	}
	return x
}

// signed reads a word of the recorded machine as a signed number: errors are negative.
func (x *graphExit) signed(v uint64) int64 {
	if x.narrow {
		return int64(int32(v))
	}
	return int64(v)
}

// maxErrno is the largest error number. Return values from -maxErrno to -1 are shown in decimal
// (include/linux/err.h: MAX_ERRNO).
const maxErrno = 4095

// putValue appends the return value, if it is known and shown.
func (x *graphExit) putValue(dst, data []byte) []byte {
	if x.value == nil {
		return dst
	}
	v := x.value.Uint(data)
	s := x.signed(v)
	open, end := " (ret=", ")"
	if x.comment {
		open, end = " /* ret=", " */"
	}
	dst = append(dst, open...)
	if x.hex || !x.dec && (s >= 0 || s < -maxErrno) {
		dst = putHex(dst, "0x", v)
	} else {
		dst = render.Dec(dst, s)
	}
	return append(dst, end...)
}

func (x *graphExit) duration(data []byte) uint64 { return x.ret.Uint(data) - x.call.Uint(data) }

// leaf returns the return of fn if it is the record after r, and consumes it. The reference does
// not compare the CPUs. All CPUs share the pid of the idle thread, so an idle thread sometimes gets
// the duration of another CPU's call.
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

// newGraphEntry prints ` 0.891 us | name();` for a function during which nothing else was recorded
// on any CPU, else ` | name() {`.
func newGraphEntry(c *Context, l *layout) Handler {
	e := newGraphEntryFields(c, l)
	return e.put
}

// newGraphRetaddrEntry prints the same with ` /* <-caller */` after the name, for kernels that
// record the return address. Before 3.4 trace-cmd printed the print fmt of this event.
func newGraphRetaddrEntry(c *Context, l *layout) Handler {
	if c.Style < V34 {
		return nil
	}
	e := newGraphEntryFields(c, l)
	e.caller = l.num("retaddr")
	return e.put
}

// graphEntry holds the data of a function's entry for its text.
type graphEntry struct {
	c         *Context
	fn, depth *interp.Reader
	caller    *interp.Reader // return address; nil if not recorded
	args      *funcArgs      // nil if arguments are not shown
	showDepth bool
}

func newGraphEntryFields(c *Context, l *layout) *graphEntry {
	return &graphEntry{
		c: c, fn: l.num("func"), depth: l.num("depth"), args: newFuncArgs(c, l), showDepth: c.options().Depth,
	}
}

func (e *graphEntry) put(dst []byte, r *record.Record) []byte {
	addr, deep := e.fn.Uint(r.Data), int64(e.depth.Uint(r.Data))
	exit, data := e.c.leaf(r, addr)
	if exit != nil {
		dst = e.c.putDuration(dst, exit.duration(data))
	} else {
		dst = append(dst, noDuration...)
	}
	dst = putGraphIndent(dst, deep)
	dst = e.putCall(dst, r.Data, addr)
	if exit == nil {
		dst = append(e.putCaller(dst, r.Data), " {"...)
	} else {
		dst = append(dst, ';')
	}
	if e.showDepth {
		dst = putDepth(dst, deep)
	}
	if exit != nil {
		dst = exit.putValue(e.putCaller(dst, r.Data), data)
	}
	return dst
}

// putCall appends `name(arguments)`.
func (e *graphEntry) putCall(dst, data []byte, addr uint64) []byte {
	name, _, known := e.c.symbol(addr)
	dst = append(e.c.putModule(e.c.nameOrHex(dst, addr), addr), '(')
	if known && e.args.has(data) {
		dst = e.args.put(dst, data, name)
	}
	return append(dst, ')')
}

// putCaller appends the function at the return address. It appends nothing for an address without a
// name.
func (e *graphEntry) putCaller(dst, data []byte) []byte {
	if e.caller == nil {
		return dst
	}
	addr := e.caller.Uint(data)
	if name, _, known := e.c.symbol(addr); known {
		dst = append(append(dst, " /* <-"...), name...)
		dst = append(e.c.putModule(dst, addr), " */"...)
	}
	return dst
}

// newGraphExit prints `+ 13.640 us | }`.
func newGraphExit(c *Context, l *layout) Handler {
	opts := c.options()
	x := newGraphExitFields(c, l)
	return func(dst []byte, r *record.Record) []byte {
		deep := int64(x.depth.Uint(r.Data))
		dst = c.putDuration(dst, x.duration(r.Data))
		dst = putGraphIndent(dst, deep)
		dst = append(dst, '}')
		if opts.TailPrint {
			addr := x.fn.Uint(r.Data)
			name, _, ok := c.symbol(addr)
			if !ok { // as in trace-cmd, without the depth
				return x.putValue(dst, r.Data)
			}
			dst = append(append(dst, " /* "...), name...)
			dst = append(c.putModule(dst, addr), " */"...)
		}
		if opts.Depth {
			dst = putDepth(dst, deep)
		}
		return x.putValue(dst, r.Data)
	}
}

// noDuration is as wide as a duration of up to seven characters.
const noDuration = "             "

// putDuration appends ns as microseconds after a mark for long durations, and blanks up to the bar:
// ` 0.891 us `, `* 21656.97 us `. It cuts digits of the fraction to limit the number to seven
// characters (kernel/trace/trace_functions_graph.c: trace_find_mark and
// trace_print_graph_duration). The reference keeps all of them up to seven digits before the point:
// `# 21656.977 us `.
func (c *Context) putDuration(dst []byte, ns uint64) []byte {
	dst = append(dst, c.durationMark(ns), ' ')
	start := len(dst)
	us, rest := ns/1000, ns%1000
	dst = render.Udec(dst, us)
	digits := len(dst) - start
	if digits < 7 {
		dst = append(dst, '.', byte('0'+rest/100), byte('0'+rest/10%10), byte('0'+rest%10))
		if !c.Reference && digits > 4 {
			dst = dst[:start+8]
		}
	}
	width := len(dst) - start
	dst = append(dst, " us "...)
	for ; width < 7; width++ {
		dst = append(dst, ' ')
	}
	return dst
}

// durationMark returns the letter before a duration. The reference has no letters for durations
// above 10 ms.
func (c *Context) durationMark(ns uint64) byte {
	switch {
	case ns > 1e9:
		return '$'
	case ns > 1e8 && !c.Reference:
		return '@'
	case ns > 1e7 && !c.Reference:
		return '*'
	case ns > 1e6:
		return '#'
	case ns > 1e5:
		return '!'
	case ns > 1e4:
		return '+'
	}
	return ' '
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
