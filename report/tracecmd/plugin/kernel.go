package plugin

import (
	"github.com/tracec/tracec/compiler/interp"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
)

// kernelMakers makes the texts of the kernel's own trace file for events of its tracers. The print
// fmt of these events is for tools. The kernel prints them with its own handlers
// (kernel/trace/trace_output.c).
var kernelMakers = map[string]maker{
	"ftrace:function":        newKernelFunction,
	"ftrace:func_repeats":    newKernelRepeats,
	"ftrace:kernel_stack":    newKernelStackTrace,
	"ftrace:user_stack":      newKernelUserStack,
	"ftrace:raw_data":        newKernelRawData,
	"ftrace:wakeup":          newKernelWakeup,
	"ftrace:context_switch":  newKernelSwitch,
	"ftrace:hwlat":           newKernelHwlat,
	"ftrace:osnoise":         newKernelOsnoise,
	"ftrace:timerlat":        newKernelTimerlat,
	"ftrace:mmiotrace_rw":    newKernelMMIO,
	"ftrace:mmiotrace_map":   newKernelMap,
	"ftrace:funcgraph_entry": newGraphEntry,
	"ftrace:funcgraph_exit":  newGraphExit,
	"ftrace:" + BlkTrace:     newBlkTrace,
}

// NewKernel returns the handler for the kernel's own text of ev. It is nil if that text is the
// print fmt, or if a field is missing or has an unexpected shape.
func NewKernel(ev *ir.Event, c *Context) Handler {
	m := kernelMakers[ev.Group+":"+ev.Name]
	if m == nil {
		return newKernelProbe(ev, c)
	}
	return build(m, ev, c)
}

// putSymbol appends the name at addr, or the address in at least 8 digits (trace_seq_print_sym).
func (c *Context) putSymbol(dst []byte, addr uint64) []byte {
	if addr == 0 {
		return append(dst, '0')
	}
	if name, _, ok := c.symbol(addr); ok {
		return append(dst, name...)
	}
	dst = append(dst, "0x"...)
	return render.Uint(dst, addr, render.Spec{Verb: 'x', Zero: true, Width: 8, Prec: -1})
}

// kernelCall prints `vfs_write <-ksys_write`, with the arguments if they were recorded
// (print_fn_trace).
type kernelCall struct {
	c          *Context
	ip, parent *interp.Reader
	args       *funcArgs
}

func (f kernelCall) put(dst []byte, r *record.Record) []byte {
	ip := f.ip.Uint(r.Data)
	dst = f.c.putSymbol(dst, ip)
	if f.args.has(r.Data) {
		name, _, _ := f.c.symbol(ip)
		dst = append(f.args.put(append(dst, '('), r.Data, name), ')')
	}
	if parent := f.parent.Uint(r.Data); parent != 0 {
		dst = append(dst, " <-"...)
		dst = f.c.putSymbol(dst, parent)
	}
	return dst
}

func newKernelFunction(c *Context, l *layout) Handler {
	return kernelCall{c, l.num("ip"), l.num("parent_ip"), newFuncArgs(c, l)}.put
}

// newKernelRepeats prints `schedule <-do_wait (repeats: 2, last_ts: 20.931594)`.
func newKernelRepeats(c *Context, l *layout) Handler {
	f := kernelCall{c: c, ip: l.num("ip"), parent: l.num("parent_ip")}
	count, top, bottom := l.num("count"), l.num("top_delta_ts"), l.num("bottom_delta_ts")
	return func(dst []byte, r *record.Record) []byte {
		dst = append(f.put(dst, r), " (repeats: "...)
		dst = render.Udec(dst, count.Uint(r.Data))
		dst = append(dst, ", last_ts: "...)
		dst = putSeconds(dst, r.Time-(top.Uint(r.Data)<<32|bottom.Uint(r.Data)))
		return append(dst, ')')
	}
}

// trampolineMarker represents ftrace's own code in stacks (kernel/trace/trace.h:
// FTRACE_TRAMPOLINE_MARKER, INT_MAX).
const trampolineMarker = 1<<31 - 1

// newKernelStackTrace prints `<stack trace>` and a line ` => name` per caller.
func newKernelStackTrace(c *Context, l *layout) Handler {
	at, size, big := l.start("caller"), c.wordSize(), c.Target.BigEndian
	return func(dst []byte, r *record.Record) []byte {
		dst = append(dst, "<stack trace>"...)
		for i := at; i+size <= len(r.Data); i += size {
			addr := word(r.Data[i:i+size], big)
			if addr == 1<<(8*uint(size))-1 {
				break
			}
			dst = append(dst, "\n => "...)
			if addr == trampolineMarker {
				dst = append(dst, "[FTRACE TRAMPOLINE]"...)
				continue
			}
			dst = c.putSymbol(dst, addr)
		}
		return dst
	}
}

// newKernelUserStack prints `<user stack trace>` and a line ` => <00007f…>` per caller. The names
// of files are not recorded.
func newKernelUserStack(c *Context, l *layout) Handler {
	at, size, big := l.start("caller"), c.wordSize(), c.Target.BigEndian
	spec := render.Spec{Verb: 'x', Zero: true, Width: 2 * size, Prec: -1}
	return func(dst []byte, r *record.Record) []byte {
		dst = append(dst, "<user stack trace>"...)
		for i := at; i+size <= len(r.Data); i += size {
			addr := word(r.Data[i:i+size], big)
			if addr == 0 {
				break
			}
			dst = append(dst, "\n =>  <"...)
			dst = append(render.Uint(dst, addr, spec), '>')
		}
		return dst
	}
}

// newKernelRawData prints `# 4030201 buf: 72 61 77 00`.
func newKernelRawData(_ *Context, l *layout) Handler { return rawData(l, " buf:") }
