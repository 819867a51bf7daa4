package plugin

import (
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
)

// newHrtimerStart prints `hrtimer=0x… function=name/0x0 expires=… softexpires=…`.
func newHrtimerStart(c *Context, l *layout) Handler {
	timer, fn := l.num("hrtimer"), l.num("function")
	expires, soft := l.num("expires"), l.num("softexpires")
	return func(dst []byte, r *record.Record) []byte {
		dst = append(dst, "hrtimer=0x"...)
		dst = render.HexLower(dst, timer.Uint(r.Data))
		dst = append(dst, " function="...)
		dst = c.timerFunction(dst, fn.Uint(r.Data))
		dst = append(dst, " expires="...)
		dst = render.Udec(dst, expires.Uint(r.Data))
		dst = append(dst, " softexpires="...)
		return render.Udec(dst, soft.Uint(r.Data))
	}
}

// newHrtimerExpire prints `hrtimer=0x… now=… function=name/0x0`.
func newHrtimerExpire(c *Context, l *layout) Handler {
	timer, fn, now := l.num("hrtimer"), l.num("function"), l.num("now")
	return func(dst []byte, r *record.Record) []byte {
		dst = append(dst, "hrtimer=0x"...)
		dst = render.HexLower(dst, timer.Uint(r.Data))
		dst = append(dst, " now="...)
		dst = render.Udec(dst, now.Uint(r.Data))
		dst = append(dst, " function="...)
		return c.timerFunction(dst, fn.Uint(r.Data))
	}
}

// timerFunction appends name/offset. The reference subtracts in the wrong order and prints 2^64 -
// offset.
func (c *Context) timerFunction(dst []byte, addr uint64) []byte {
	name, off, ok := c.symbol(addr)
	if !ok {
		dst = append(dst, "0x"...)
		return render.HexPad(dst, addr, 8)
	}
	dst = append(dst, name...)
	dst = append(dst, "/0x"...)
	return render.HexLower(dst, off)
}

// tlbReasons are the reasons that trace-cmd's plugin supports, in its words.
var tlbReasons = [...]string{"flush on task switch", "remote shootdown", "local shootdown", "local mm shootdown"}

// newTLBFlush prints `pages=1 reason=local mm shootdown (3)`. Reasons unknown to the plugin come
// from the print fmt. The reference prints nothing for them.
func newTLBFlush(_ *Context, l *layout) Handler {
	pages, reason := l.num("pages"), l.num("reason")
	table := findTable(l.ev, func(t *ir.Table) bool { return true })
	return func(dst []byte, r *record.Record) []byte {
		dst = append(dst, "pages="...)
		dst = render.Dec(dst, int64(pages.Uint(r.Data)))
		dst = append(dst, " reason="...)
		why := reason.Uint(r.Data)
		if why < uint64(len(tlbReasons)) {
			dst = append(dst, tlbReasons[why]...)
		} else if s, ok := lookup(table, why); ok {
			dst = append(dst, s...)
		} else {
			dst = append(dst, "0x"...)
			dst = render.HexLower(dst, why)
		}
		dst = append(dst, " ("...)
		dst = render.Dec(dst, int64(why))
		return append(dst, ')')
	}
}
