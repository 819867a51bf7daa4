package plugin

import (
	"github.com/tracec/tracec/compiler/interp"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
)

// The instruction sets of field isa (arch/x86/include/uapi/asm/kvm.h: KVM_ISA_*).
const (
	isaVMX = 1
	isaSVM = 2
)

// exitReason names the reason for leaving a guest.
type exitReason struct {
	code, isa *interp.Reader
	hasISA    bool
	vmx, svm  *ir.Table // the print fmt's names, for reasons unknown to the plugin
}

func newExitReason(l *layout, code string) exitReason {
	x := exitReason{code: l.num(code), hasISA: l.has("isa")}
	if x.hasISA {
		x.isa = l.num("isa")
	}
	x.vmx = findTable(l.ev, func(t *ir.Table) bool { _, ok := row(t, "EXTERNAL_INTERRUPT"); return ok })
	x.svm = findTable(l.ev, func(t *ir.Table) bool { _, ok := row(t, "vmrun"); return ok })
	return x
}

// row returns the value of the row of t with that text.
func row(t *ir.Table, text string) (uint64, bool) {
	for i := range t.Rows {
		if t.Rows[i].Text == text {
			return t.Rows[i].Value, true
		}
	}
	return 0, false
}

func (x *exitReason) put(dst []byte, data []byte) []byte {
	dst = append(dst, "reason "...)
	code, isa := x.code.Uint(data), uint64(isaVMX)
	if x.hasISA {
		isa = x.isa.Uint(data)
	}
	name, table := "", x.vmx
	switch isa {
	case isaVMX:
		if code < uint64(len(vmxReasons)) {
			name = vmxReasons[code]
		}
	case isaSVM:
		table = x.svm
		switch {
		case code < uint64(len(svmReasons)):
			name = svmReasons[code]
		case code-0x400 < uint64(len(svmHighReasons)):
			name = svmHighReasons[code-0x400]
		case uint32(code) == 1<<32-1:
			name = "EXIT_ERR"
		}
	default:
		return append(dst, "UNKNOWN-ISA"...)
	}
	if name == "" {
		name, _ = lookup(table, code)
	}
	if name != "" {
		return append(dst, name...)
	}
	dst = append(dst, "UNKNOWN ("...)
	dst = render.Udec(dst, code)
	return append(dst, ')')
}

// newKVMExit prints `reason HLT rip 0x… info 0 0`.
func newKVMExit(c *Context, l *layout) Handler {
	reason, rip := newExitReason(l, "exit_reason"), l.num("guest_rip")
	hasInfo := l.has("info1") && l.has("info2")
	var info1, info2 *interp.Reader
	if hasInfo {
		info1, info2 = l.num("info1"), l.num("info2")
	}
	return func(dst []byte, r *record.Record) []byte {
		dst = reason.put(dst, r.Data)
		dst = c.putRIP(dst, r.Task, rip.Uint(r.Data))
		if hasInfo {
			dst = putHex(dst, " info ", info1.Uint(r.Data))
			dst = putHex(dst, " ", info2.Uint(r.Data))
		}
		return dst
	}
}

// putRIP appends the address of the guest, with the name of its function if the guest's recording
// is also shown.
func (c *Context) putRIP(dst []byte, pid int32, addr uint64) []byte {
	dst = putHex(dst, " rip 0x", addr)
	if c.GuestSymbol == nil {
		return dst
	}
	name, off, ok := c.GuestSymbol(pid, addr)
	if !ok {
		return dst
	}
	dst = append(append(dst, ' '), name...)
	if off == 0 {
		return dst
	}
	return putHex(dst, "+0x", off)
}

// newKVMInject prints the exit that is reflected to a nested hypervisor.
func newKVMInject(_ *Context, l *layout) Handler {
	reason := newExitReason(l, "exit_code")
	info1, info2 := l.num("exit_info1"), l.num("exit_info2")
	event, code := l.num("exit_int_info"), l.num("exit_int_info_err")
	return func(dst []byte, r *record.Record) []byte {
		dst = reason.put(dst, r.Data)
		dst = putHex(dst, " info1 ", info1.Uint(r.Data))
		dst = putHex(dst, " info2 ", info2.Uint(r.Data))
		dst = putHex(dst, " int_info ", event.Uint(r.Data))
		return putHex(dst, " int_info_err ", code.Uint(r.Data))
	}
}

// newKVMEntry prints ` vcpu 0 rip 0x…`, with a leading blank. Older kernels have no rip.
func newKVMEntry(c *Context, l *layout) Handler {
	vcpu := l.num("vcpu_id")
	hasRIP := l.has("rip")
	var rip *interp.Reader
	if hasRIP {
		rip = l.num("rip")
	}
	return func(dst []byte, r *record.Record) []byte {
		dst = append(dst, " vcpu "...)
		dst = render.Udec(dst, vcpu.Uint(r.Data))
		if hasRIP {
			dst = c.putRIP(dst, r.Task, rip.Uint(r.Data))
		}
		return dst
	}
}

// newKVMEmulate prints `csbase:rip: 0f 01 FAIL`. trace-cmd is built without the disassembler that
// would name the instruction. Bytes beyond the array of the record are not shown.
func newKVMEmulate(_ *Context, l *layout) Handler {
	rip, csbase, size := l.num("rip"), l.num("csbase"), l.num("len")
	failed, insn := l.num("failed"), l.array("insn")
	return func(dst []byte, r *record.Record) []byte {
		dst = render.HexLower(dst, csbase.Uint(r.Data))
		dst = append(dst, ':')
		dst = render.HexLower(dst, rip.Uint(r.Data))
		dst = append(dst, ": "...)
		code := insn.of(r.Data)
		if n := size.Uint(r.Data); n < uint64(len(code)) {
			code = code[:n]
		}
		for i, b := range code {
			if i > 0 {
				dst = append(dst, ' ')
			}
			dst = append(dst, hexDigits[b>>4], hexDigits[b&15])
		}
		if failed.Uint(r.Data) != 0 {
			dst = append(dst, " FAIL"...)
		}
		return dst
	}
}

func putHex(dst []byte, label string, v uint64) []byte {
	dst = append(dst, label...)
	return render.HexLower(dst, v)
}
