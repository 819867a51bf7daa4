package uftrace

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tracec/tracec/compiler/ir"
)

// writer writes the text of values.
type writer struct {
	Options
	exit bool
}

var plain = ir.Spec{Prec: -1}

func lit(s string) ir.Stmt { return &ir.Lit{S: s} }

func call(name string, args ...ir.Arg) ir.Stmt {
	return &ir.PutText{T: &ir.Call{Name: name, Args: args}, Spec: plain}
}

func decimal(v ir.Value) ir.Stmt { return &ir.PutInt{V: v, Spec: ir.Spec{Verb: 'd', Prec: -1}} }

func size(v Value) ir.Value { return &ir.Const{T: ir.U64, V: uint64(v.Size)} }

// unsigned returns the number at p, zero-extended.
func unsigned(p place) ir.Value { return p.number(ir.Type{Size: int8(p.value.Size)}) }

// colored puts a value between the codes that start and end a colour.
func (w *writer) colored(code string, s ir.Stmt) []ir.Stmt {
	if w.Colors == nil {
		return []ir.Stmt{s}
	}
	return []ir.Stmt{lit(code), s, lit(w.Colors.Reset)}
}

func (w *writer) colors() Colors {
	if w.Colors == nil {
		return Colors{}
	}
	return *w.Colors
}

// show returns the text of a value in Replay and JSON (uftrace.md 2.4).
func (w *writer) show(p place) []ir.Stmt {
	v := p.value
	switch v.Format {
	case 's':
		return w.colored(w.colors().Text, call(w.variant("UftraceString"), p.bytes()))
	case 'S':
		return append(w.colored(w.colors().Text, call(w.variant("UftraceString"), p.bytes())), lit("s"))
	case 't':
		name, body := structName(v)
		if name == "" {
			return []ir.Stmt{lit(body)}
		}
		return append(w.colored(w.colors().Symbol, lit(w.quote(name))), lit(body))
	case 'f':
		return showFloat(p)
	}
	if v.isBytes() { // an integer of a size that the tool refuses
		return []ir.Stmt{lit("?")}
	}
	switch v.Format {
	case 'i':
		return []ir.Stmt{decimal(p.number(v.typ()))}
	case 'u':
		return []ir.Stmt{call("UftraceUnsigned", unsigned(p))}
	case 'x':
		return []ir.Stmt{call("UftraceHex", unsigned(p))}
	case 'o':
		return []ir.Stmt{call("UftraceOctal", unsigned(p))}
	case 'c':
		return w.colored(w.colors().Text, call(w.variant("UftraceChar"), unsigned(p)))
	case 'p':
		if c := w.Colors; c != nil {
			return []ir.Stmt{call("UftracePointerIn", unsigned(p), ir.StrArg(c.Symbol), ir.StrArg(c.Reset))}
		}
		return []ir.Stmt{call("UftracePointer", unsigned(p))}
	case 'e':
		return w.colored(w.colors().Enum, w.enum(p))
	}
	return []ir.Stmt{call("UftraceAuto", unsigned(p), size(v))}
}

// variant returns the render function of the form.
func (w *writer) variant(name string) string {
	if w.Form == JSON {
		return name + "JSON"
	}
	return name
}

// quote escapes a literal for the form.
func (w *writer) quote(s string) string {
	if w.Form != JSON {
		return s
	}
	return Quote(s)
}

// Quote returns a name as it appears inside a JSON string. Names of damaged recordings may hold any
// bytes.
func Quote(s string) string {
	if !strings.ContainsFunc(s, func(c rune) bool { return c == '"' || c == '\\' || c < ' ' }) {
		return s // without allocating
	}
	var b strings.Builder
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c == '\n':
			b.WriteString(`\n`)
		case c == '\t':
			b.WriteString(`\t`)
		case c < ' ':
			fmt.Fprintf(&b, `\u%04x`, c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// structName returns the text of a structure. The debug information gives the structure of a lambda
// a name, and the recorder keeps only the beginning of this name.
func structName(v Value) (name, body string) {
	if name = v.TypeName; name == "<lambda" {
		name = ""
	}
	if v.Size == 0 {
		return name, "{}"
	}
	return name, "{...}"
}

// showFloat shows a value as %#f. The tool prints nothing if the size is not the size of a
// floating-point number.
func showFloat(p place) []ir.Stmt {
	switch p.value.Size {
	case 4, 8:
		return []ir.Stmt{call("UftraceFloat", unsigned(p), size(p.value))}
	case 10:
		return []ir.Stmt{call("UftraceFloat80", p.bytes())}
	}
	return nil
}

// enum shows the names, or the number if the enumeration is not known.
func (w *writer) enum(p place) ir.Stmt {
	v := p.number(p.value.typ())
	if t := Find(p.value.TypeName, w.Enums...); t != nil && len(t.Rows) > 0 {
		if c := w.Colors; c != nil {
			return call("UftraceEnumJoined", v, ir.StrArg(c.Reset+c.Joint+"|"+c.Reset+c.Enum), t)
		}
		return call("UftraceEnum", v, t)
	}
	return decimal(&ir.Convert{T: ir.I32, X: v})
}

// dump returns the text of a value in Dump (uftrace.md 2.6).
func (w *writer) dump(p place) []ir.Stmt {
	v := p.value
	head, null := fmt.Sprintf("  args[%d] ", p.index), "0"
	if w.exit {
		head, null = "  retval ", "(nil)"
	}
	line := func(label string, s ...ir.Stmt) []ir.Stmt {
		return append(append([]ir.Stmt{lit(head + label + ": ")}, s...), lit("\n"))
	}
	switch v.Format {
	case 's':
		return line("str", call("UftraceRaw", p.bytes()))
	case 'S':
		return line("std::string", call("UftraceRaw", p.bytes()))
	case 't':
		return []ir.Stmt{lit(head + "struct " + v.TypeName + ":\n"), call("UftraceStruct", p.bytes())}
	}
	label := string(rune(v.Format)) + strconv.Itoa(8*v.Size)
	switch {
	case v.Format == 'f' && v.Size == 10:
		return line(label, call("UftraceFloat80Dump", p.bytes()))
	case v.isBytes():
		return line(label, lit("?"))
	case v.Format == 'p':
		return line("p", call("UftracePointerDump", unsigned(p), ir.StrArg(null)))
	case v.Format == 'e' && !w.exit:
		return line("enum "+v.TypeName, w.enum(p), lit(" ("), decimal(p.number(v.typ())), lit(")"))
	}
	digits := ir.Spec{Verb: 'x', Zero: true, Width: 2 * v.Size, Prec: -1}
	return line(label, lit("0x"), &ir.PutInt{V: unsigned(p), Spec: digits})
}
