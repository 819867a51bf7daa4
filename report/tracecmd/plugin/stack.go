package plugin

import (
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
)

// newKernelStack prints `<stack trace >` and a line `=> name (address)` per caller. It prints all
// recorded addresses, even beyond the dimension of the array in the format. An address of all ones
// ends the list. (kernel/trace/trace.c: __ftrace_trace_stack)
func newKernelStack(c *Context, l *layout) Handler {
	at, size := l.start("caller"), c.wordSize()
	big, offsets := c.Target.BigEndian, c.options().Offset
	return func(dst []byte, r *record.Record) []byte {
		dst = append(dst, "<stack trace >"...)
		for i := at; i+size <= len(r.Data); i += size {
			addr := word(r.Data[i:i+size], big)
			// A 64-bit reader may also find the end mark of a 32-bit kernel.
			if addr == 1<<64-1 || addr == 1<<32-1 {
				break
			}
			dst = append(dst, "\n=> "...)
			name, off, ok := c.symbol(addr)
			if addr == trampolineMarker && !c.Reference {
				dst = append(dst, "[FTRACE TRAMPOLINE]"...)
				continue
			}
			if !ok {
				dst = render.HexLower(dst, addr)
				continue
			}
			dst = append(dst, name...)
			if offsets {
				dst = append(render.HexLower(append(dst, "+0x"...), off), ' ')
			}
			dst = append(dst, " ("...)
			dst = render.HexLower(dst, addr)
			dst = append(dst, ')')
		}
		return dst
	}
}

// newRawData prints `# id` and the bytes that were written to trace_marker_raw, including the
// padding of the record.
func newRawData(_ *Context, l *layout) Handler { return rawData(l, "") }

// rawData prints the id, a label and the bytes.
func rawData(l *layout, label string) Handler {
	id, at := l.num("id"), l.start("buf")
	return func(dst []byte, r *record.Record) []byte {
		dst = append(dst, "# "...)
		dst = append(render.HexLower(dst, id.Uint(r.Data)), label...)
		if at < len(r.Data) {
			for _, b := range r.Data[at:] {
				dst = append(dst, ' ', hexDigits[b>>4], hexDigits[b&15])
			}
		}
		return dst
	}
}

const hexDigits = "0123456789abcdef"
