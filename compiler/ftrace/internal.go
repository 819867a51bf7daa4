package ftrace

import (
	"github.com/tracec/tracec/compiler/ir"
)

// internalText sets the text of events of the system "ftrace" whose print fmt differs from the
// output of the kernel (kernel/trace/trace_output.c). It returns false for all other events.
func internalText(l *lowerer, ev *ir.Event) bool {
	if ev.Group != "ftrace" {
		return false
	}
	switch ev.Name {
	case "bprint":
		return l.bprint(ev)
	}
	return false
}

// bprint shows a binary trace_printk. The print fmt of the event shows only the address of the
// format.
func (l *lowerer) bprint(ev *ir.Event) bool {
	ip, fmt, buf := l.fields["ip"].ir, l.fields["fmt"].ir, l.fields["buf"].ir
	if ip == nil || fmt == nil || buf == nil || ip.Kind != ir.Int || fmt.Kind != ir.Int || buf.Kind != ir.Tail {
		return false
	}
	load := func(f *ir.Field) ir.Value {
		return &ir.Load{T: ir.Type{Size: int8(f.Size)}, From: &ir.FieldBytes{Field: f}}
	}
	// The kernel packs arguments of different sizes, so the array is treated as bytes.
	buf.Elem, buf.Text = 1, false
	ev.Text = []ir.Stmt{
		&ir.PutText{T: &ir.Call{Name: "SymbolName", Args: []ir.Arg{load(ip)}}, Spec: plainText},
		&ir.Lit{S: ": "},
		&ir.PutText{T: &ir.Call{Name: "BinPrintf", Args: []ir.Arg{load(fmt), &ir.FieldBytes{Field: buf}}},
			Spec: plainText},
	}
	ev.HasText = true
	return true
}
