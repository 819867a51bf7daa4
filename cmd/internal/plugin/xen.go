package plugin

import (
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
)

// xenExtendResults are the values of enum xen_mc_extend_args (include/trace/events/xen.h), which the print fmt
// names without giving their numbers: the reference takes them all for the same.
var xenExtendResults = [...]string{"OK", "BAD_OP", "NO_SPACE"}

// newXenExtend is `extending op 8(set_debugreg) by 16 bytes res OK`.
func newXenExtend(c *Context, l *layout) Handler {
	op, args, res := l.num("op"), l.num("args"), l.num("res")
	return func(dst []byte, r *record.Record) []byte {
		call := op.Uint(r.Data)
		dst = append(dst, "extending op "...)
		dst = render.Udec(dst, call)
		dst = render.KernelName(dst, c.Env, call, "xen_hypercall_name")
		dst = append(dst, " by "...)
		dst = render.Udec(dst, args.Uint(r.Data))
		dst = append(dst, " bytes res "...)
		if v := res.Uint(r.Data); v < uint64(len(xenExtendResults)) {
			return append(dst, xenExtendResults[v]...)
		}
		return append(dst, "???"...)
	}
}
