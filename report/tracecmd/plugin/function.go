package plugin

import (
	"github.com/tracec/tracec/compiler/interp"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
)

// maxDepth bounds the stack for the indentation of functions per CPU. Kernel stacks are less than
// 100 calls deep. The reference has no bound.
const maxDepth = 512

// callStack is a guess at the active functions on one CPU, outermost first. Function events are
// recorded on entry only. So an entry remains until another call at the same depth.
type callStack struct{ names []string }

// callStacks holds the stack of each CPU.
type callStacks struct {
	byCPU map[int32]*callStack
}

func (s *callStacks) of(cpu int32) *callStack {
	if st := s.byCPU[cpu]; st != nil {
		return st
	}
	if s.byCPU == nil {
		s.byCPU = make(map[int32]*callStack)
	}
	st := &callStack{names: make([]string, 0, 32)}
	s.byCPU[cpu] = st
	return st
}

// call notes that parent called child and returns the depth of parent. It compares names instead of
// addresses, since the call site is after the start of parent. A child with an empty name is not
// noted.
func (s *callStack) call(parent, child string) int {
	depth := 0
	for i, name := range s.names {
		if name == parent {
			depth = i
			goto found
		}
	}
	s.set(0, parent)
found:
	if child != "" {
		s.set(depth+1, child)
	}
	return depth
}

func (s *callStack) set(depth int, name string) {
	switch {
	case depth < len(s.names):
		s.names[depth] = name
	case depth < maxDepth:
		s.names = append(s.names, name)
	}
}

// caller is a pair of function addresses.
type caller struct {
	c          *Context
	ip, parent *interp.Reader
	args       *funcArgs // nil if arguments are not shown
	opts       Options
}

func newCaller(c *Context, l *layout) caller {
	return caller{c, l.num("ip"), l.num("parent_ip"), newFuncArgs(c, l), c.options()}
}

// put appends the function, indented below its caller.
func (f *caller) put(dst []byte, r *record.Record) []byte {
	ip, parent := f.ip.Uint(r.Data), f.parent.Uint(r.Data)
	name, off, known := f.c.symbol(ip)
	if !known {
		name = ""
	}
	if !f.opts.NoIndent || f.opts.Parent {
		parentName, parentOff, parentKnown := f.c.symbol(parent)
		if !f.opts.NoIndent && parentKnown {
			depth := f.c.stacks.of(r.CPU).call(parentName, name)
			for range depth {
				dst = append(dst, "   "...)
			}
		}
		dst = f.putCall(dst, r.Data, ip, name, off, known)
		if f.opts.Parent {
			dst = append(dst, " <-- "...)
			dst = f.putFunction(dst, parent, parentName, parentOff, parentKnown)
		}
		return dst
	}
	return f.putCall(dst, r.Data, ip, name, off, known)
}

// putCall appends the function with its arguments. trace-cmd shows arguments only for functions
// with a name.
func (f *caller) putCall(dst, data []byte, addr uint64, name string, off uint64, known bool) []byte {
	dst = f.putFunction(dst, addr, name, off, known)
	if known && f.args.has(data) {
		dst = append(f.args.put(append(dst, '('), data, name), ')')
	}
	return dst
}

func (f *caller) putFunction(dst []byte, addr uint64, name string, off uint64, known bool) []byte {
	if !known {
		dst = append(dst, "0x"...)
		return render.HexLower(dst, addr)
	}
	dst = append(dst, name...)
	if f.opts.Offset {
		dst = append(dst, "+0x"...)
		dst = render.HexLower(dst, off)
		dst = append(dst, ' ')
	}
	return dst
}

// newFunction prints `name`, indented.
func newFunction(c *Context, l *layout) Handler {
	f := newCaller(c, l)
	return f.put
}

// newFuncRepeats prints `name (count: 3 last_ts: 1.000016)`.
func newFuncRepeats(c *Context, l *layout) Handler {
	f := newCaller(c, l)
	count, top, bottom := l.num("count"), l.num("top_delta_ts"), l.num("bottom_delta_ts")
	return func(dst []byte, r *record.Record) []byte {
		dst = f.put(dst, r)
		delta := top.Uint(r.Data)<<32 | bottom.Uint(r.Data)
		dst = append(dst, " (count: "...)
		dst = render.Udec(dst, count.Uint(r.Data))
		dst = append(dst, "  last_ts: "...)
		dst = putSeconds(dst, r.Time-delta)
		return append(dst, ')')
	}
}

// putSeconds appends ns as seconds, right-aligned to 5 characters, and rounded microseconds.
func putSeconds(dst []byte, ns uint64) []byte {
	secs, usecs := ns/1e9, (ns%1e9+500)/1000
	if usecs == 1e6 {
		secs, usecs = secs+1, 0
	}
	dst = render.Uint(dst, secs, render.Spec{Verb: 'd', Width: 5, Prec: -1})
	dst = append(dst, '.')
	return render.Uint(dst, usecs, render.Spec{Verb: 'd', Zero: true, Width: 6, Prec: -1})
}
