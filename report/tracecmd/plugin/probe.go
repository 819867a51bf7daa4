package plugin

import (
	"bytes"

	"github.com/tracec/tracec/compiler/interp"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
)

// newKernelProbe prints the kernel's text of the events that users define at an address:
// `(vfs_write+0x4) file=…`, and for returns `(ksys_read+0x7b <- vfs_read) ret=832`
// (kernel/trace/trace_kprobe.c: print_kprobe_event, print_kretprobe_event; trace_fprobe.c,
// trace_uprobe.c). Their print fmt has bare numbers. It returns nil for other events.
func newKernelProbe(ev *ir.Event, c *Context) Handler {
	l := &layout{ev: ev, target: c.Target}
	if c.Plain == nil || !l.has("__probe_ip") && !l.has("__probe_func") {
		return nil
	}
	plain := c.Plain(ev)
	if plain == nil {
		return nil
	}
	var at, function *interp.Reader
	if l.has("__probe_ip") {
		at = l.num("__probe_ip")
	} else {
		at, function = l.num("__probe_ret_ip"), l.num("__probe_func")
	}
	if l.missing {
		return nil
	}
	need := l.end
	return func(dst []byte, r *record.Record) []byte {
		if len(r.Data) < need {
			return short(dst, len(r.Data), need)
		}
		start := len(dst)
		dst = c.putPlace(append(dst, '('), at.Uint(r.Data))
		if function != nil {
			dst = c.putFunction(append(dst, " <- "...), function.Uint(r.Data))
		}
		dst = append(dst, ')')
		// The print fmt begins with the same data as numbers. The text below replaces them.
		numbers := len(dst)
		dst = plain(dst, r)
		end := bytes.IndexByte(dst[numbers:], ')')
		if end < 0 || dst[numbers] != '(' {
			return append(dst[:start], dst[numbers:]...)
		}
		return append(dst[:numbers], dst[numbers+end+1:]...)
	}
}

// putFunction appends the symbol of addr, or the address without leading zeros. The address of a
// uprobe is in a program.
func (c *Context) putFunction(dst []byte, addr uint64) []byte {
	if name, _, ok := c.symbol(addr); ok {
		return append(dst, name...)
	}
	return render.HexLower(append(dst, "0x"...), addr)
}

// putPlace is putFunction with the distance from the symbol.
func (c *Context) putPlace(dst []byte, addr uint64) []byte {
	name, off, ok := c.symbol(addr)
	if !ok {
		return c.putFunction(dst, addr)
	}
	dst = append(dst, name...)
	return c.putModule(render.HexLower(append(dst, "+0x"...), off), addr)
}
