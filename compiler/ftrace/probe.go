package ftrace

import (
	"slices"
	"strings"

	"github.com/tracec/tracec/compiler/ir"
	grammar "github.com/tracec/tracec/grammar/ftrace"
)

// isProbe reports whether a user has defined an event by a probe. kprobes, uprobes and fprobes
// record an address. An eprobe has no address: its print fmt begins with its first argument
// (kernel/trace/trace_probe.c, __set_print_fmt).
func isProbe(f *grammar.File) bool {
	own := f.Fields[f.Common():]
	if len(own) == 0 {
		return false
	}
	if slices.ContainsFunc(own, func(gf *grammar.Field) bool {
		return gf.Name == "__probe_ip" || gf.Name == "__probe_func"
	}) {
		return true
	}
	return f.Print != nil && strings.HasPrefix(f.Print.Format, " "+own[0].Name+"=")
}

// faults notes strings of a probe that may have been unreadable: their length is 0, while an empty
// string has length 1.
func faults(ev *ir.Event) {
	for _, f := range ev.Fields {
		f.Fault = f.Kind == ir.Dynamic && f.Text
	}
}

// quotedString lowers a "%s" in quotes at the start of the rest of a probe's format. If the kernel
// could not read the string, it prints (fault) without the quotes (PRINT_TYPE_FUNC_NAME(string)).
// It returns the consumed length, or 0.
func (p *format) quotedString(rest string) int {
	const quoted = `%s"`
	if !p.l.probe || len(p.args) == 0 || !strings.HasPrefix(rest, quoted) || !strings.HasSuffix(p.lit.String(), `"`) {
		return 0
	}
	r, ok := p.l.quiet(p.args[0]).region.(*ir.FieldBytes)
	if !ok || !r.Field.Fault {
		return 0
	}
	before := strings.TrimSuffix(p.lit.String(), `"`)
	p.lit.Reset()
	p.lit.WriteString(before)
	p.flush()
	p.args = p.args[1:]
	text := &ir.PutText{T: &ir.CString{Of: r}, Spec: plainText}
	p.out = append(p.out, &ir.If{
		Cond: &ir.Len{Of: r},
		Then: []ir.Stmt{&ir.Lit{S: `"`}, text, &ir.Lit{S: `"`}},
		Else: []ir.Stmt{&ir.Lit{S: "(fault)"}},
	})
	return len(quoted)
}
