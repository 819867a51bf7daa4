package plugin

import (
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
)

// newCallSite puts `(symbol+0x1f) ` before the text of an allocation event if call_site is in a
// known function. The print fmt of older kernels has only the address.
func newCallSite(c *Context, l *layout) Handler {
	site := l.num("call_site")
	if c.Plain == nil {
		return nil
	}
	plain := c.Plain(l.ev)
	if plain == nil {
		return nil
	}
	return func(dst []byte, r *record.Record) []byte {
		if name, off, ok := c.symbol(site.Uint(r.Data)); ok {
			dst = append(dst, '(')
			dst = append(dst, name...)
			dst = append(dst, "+0x"...)
			dst = render.HexLower(dst, off)
			dst = append(dst, ") "...)
		}
		return plain(dst, r)
	}
}
