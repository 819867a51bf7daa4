package plugin

import (
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
)

// hypercalls names the hypercalls of Xen by their number (include/xen/interface/xen.h: __HYPERVISOR_*).
var hypercalls = [...]string{
	0: "set_trap_table", 1: "mmu_update", 2: "set_gdt", 3: "stack_switch", 4: "set_callbacks",
	5: "fpu_taskswitch", 6: "sched_op_compat", 7: "dom0_op", 8: "set_debugreg", 9: "get_debugreg",
	10: "update_descriptor", 12: "memory_op", 13: "multicall", 14: "update_va_mapping", 15: "set_timer_op",
	16: "event_channel_op_compat", 17: "xen_version", 18: "console_io", 19: "physdev_op_compat",
	20: "grant_table_op", 21: "vm_assist", 22: "update_va_mapping_otherdomain", 23: "iret", 24: "vcpu_op",
	25: "set_segment_base", 26: "mmuext_op", 27: "acm_op", 28: "nmi_op", 29: "sched_op", 30: "callback_op",
	31: "xenoprof_op", 32: "event_channel_op", 33: "physdev_op", 34: "hvm_op",
	48: "arch_0", 49: "arch_1", 50: "arch_2", 51: "arch_3", 52: "arch_4", 53: "arch_5", 54: "arch_6", 55: "arch_7",
}

func putHypercall(dst []byte, op uint64) []byte {
	dst = append(dst, "op "...)
	dst = render.Udec(dst, op)
	if op < uint64(len(hypercalls)) && hypercalls[op] != "" {
		dst = append(dst, '(')
		dst = append(dst, hypercalls[op]...)
		dst = append(dst, ')')
	}
	return dst
}

// newXenEntry is `op 8(set_debugreg) args [1, 0, 0, 0, 0, 0]`.
func newXenEntry(c *Context, l *layout) Handler {
	op, args := l.num("op"), l.array("args")
	size := c.wordSize()
	return func(dst []byte, r *record.Record) []byte {
		dst = putHypercall(dst, op.Uint(r.Data))
		sep := " args ["
		for data := args.of(r.Data); len(data) >= size; data = data[size:] {
			dst = putHex(dst, sep, word(data[:size], c.Target.BigEndian))
			sep = ", "
		}
		return append(dst, ']')
	}
}

// xenExtendResults are the values of enum xen_mc_extend_args (include/trace/events/xen.h), which the print fmt
// names without giving their numbers: the reference takes none of them for any.
var xenExtendResults = [...]string{"OK", "BAD_OP", "NO_SPACE"}

// newXenExtend is `extending op 8(set_debugreg) by 16 bytes res OK`.
func newXenExtend(_ *Context, l *layout) Handler {
	op, args, res := l.num("op"), l.num("args"), l.num("res")
	return func(dst []byte, r *record.Record) []byte {
		dst = append(dst, "extending "...)
		dst = putHypercall(dst, op.Uint(r.Data))
		dst = append(dst, " by "...)
		dst = render.Udec(dst, args.Uint(r.Data))
		dst = append(dst, " bytes res "...)
		if v := res.Uint(r.Data); v < uint64(len(xenExtendResults)) {
			return append(dst, xenExtendResults[v]...)
		}
		return append(dst, "???"...)
	}
}
