package ftrace

import (
	"strings"

	"github.com/tracec/tracec/compiler/ir"
	grammar "github.com/tracec/tracec/grammar/ftrace"
)

// isProbe reports whether an event is one that users define by probes: kprobes, uprobes and fprobes
// record an address, the print fmt of an eprobe, which has none, begins with its first argument
// (kernel/trace/trace_probe.c, __set_print_fmt).
func isProbe(f *grammar.File) bool {
	first := ""
	for _, gf := range f.Fields {
		if gf.Name == "__probe_ip" || gf.Name == "__probe_func" {
			return true
		}
		if first == "" && !strings.HasPrefix(gf.Name, "common_") {
			first = gf.Name
		}
	}
	return first != "" && f.Print != nil && strings.HasPrefix(f.Print.Format, " "+first+"=")
}

// faults notes which strings of a probe may have been unreadable: their length is 0, where that of
// an empty one is 1.
func faults(ev *ir.Event) {
	for _, f := range ev.Fields {
		f.Fault = f.Kind == ir.Dynamic && f.Text
	}
}

// quotedString lowers a "%s" in quotes that is next in the format of a probe, where the kernel
// prints (fault) in place of all of it for a string that it could not read
// (PRINT_TYPE_FUNC_NAME(string)). It returns the length of what it has taken, 0 for nothing.
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
