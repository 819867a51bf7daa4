package tracecmd

import (
	"strings"

	"github.com/tracec/tracec/compiler/interp"
	"github.com/tracec/tracec/compiler/ir"
	grammar "github.com/tracec/tracec/grammar/ftrace"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/render"
)

// conversions finds the conversion of a field in the print fmt. As in libtraceevent, the search
// begins after the last found conversion and wraps around. Once the last part of the print fmt has
// been used, it finds no more.
type conversions struct {
	format *ftrace.Format
	in     *input
	style  Style
	parts  []part
	next   int
}

// part is a conversion of the print fmt with its arguments, or the text at the end, without
// arguments.
type part struct {
	conv string // such as "%-8lx", with a preceding "0x" if there is one
	args []grammar.Expr
}

func newConversions(f *ftrace.Format, in *input, style Style) *conversions {
	c := &conversions{format: f, in: in, style: style}
	if f.System == "ftrace" && f.Name == "bprint" {
		return c // its print fmt shows a combination of all fields
	}
	c.parts = in.formats.compiled.partsOf(f)
	return c
}

// split splits a print fmt into its parts. It stops when the arguments are used up.
func split(p *grammar.Print) []part {
	var list []part
	args := p.Args
	rest := p.Format
	for {
		before, after, found := strings.Cut(rest, "%")
		if !found {
			if rest != "" {
				list = append(list, part{})
			}
			return list
		}
		n := conversionLen(after)
		conv := after[:n]
		rest = after[n:]
		if strings.HasSuffix(conv, "%") {
			continue
		}
		used := 1 + strings.Count(conv, "*")
		if used > len(args) {
			return list
		}
		prefix := ""
		if strings.HasSuffix(before, "0x") {
			prefix = "0x"
		}
		list = append(list, part{prefix + "%" + conv, args[:used]})
		args = args[used:]
	}
}

// conversionLen returns the length of a conversion without its percent sign: flags, width,
// precision, size and letter, and the kernel's letters after %p.
func conversionLen(s string) int {
	i := 0
	for i < len(s) && strings.IndexByte("-+ #0123456789.*hlLqjztZ", s[i]) >= 0 {
		i++
	}
	if i == len(s) {
		return i
	}
	i++
	if s[i-1] == 'p' {
		for i < len(s) && (s[i]|0x20 >= 'a' && s[i]|0x20 <= 'z' || s[i] >= '0' && s[i] <= '9') {
			i++
		}
	}
	return i
}

// find returns the printer of a number field, or nil if the print fmt does not show the field by
// itself.
func (c *conversions) find(f *ir.Field) func(dst, data []byte) []byte {
	if f.Kind != ir.Int || c.next >= len(c.parts) {
		return nil
	}
	for i := range c.parts {
		at := (c.next + i) % len(c.parts)
		p := c.parts[at]
		if len(p.args) == 0 || memberName(p.args[len(p.args)-1]) != f.Name {
			continue
		}
		c.next = at + 1
		return c.compile(p, f)
	}
	return nil
}

// memberName returns x for REC->x, ignoring casts, and "" for any other expression.
func memberName(e grammar.Expr) string {
	for {
		switch x := e.(type) {
		case *grammar.Cast:
			e = x.X
			continue
		case *grammar.Member:
			if rec, ok := x.X.(*grammar.Ident); ok && rec.Name == "REC" {
				return x.Name
			}
		}
		return ""
	}
}

// compile makes an event of the same layout with the conversion as its print fmt.
func (c *conversions) compile(p part, f *ir.Field) func(dst, data []byte) []byte {
	layout, _, found := strings.Cut(c.format.Text, "\nprint fmt:")
	if !found {
		return nil
	}
	var text strings.Builder
	text.WriteString(layout)
	text.WriteString("\nprint fmt: \"" + p.conv + `"`)
	for _, a := range p.args {
		text.WriteString(", " + grammar.Format(a))
	}
	text.WriteByte('\n')
	m, prog := c.in.values.machine, c.in.formats.compiled.program(conversion{c.format, text.String()})
	if prog == nil || !prog.HasText() {
		return nil
	}
	put := func(dst, data []byte) []byte { return m.AppendText(dst, prog, data) }
	if c.style >= V33 && len(p.conv) == 3 && strings.Contains("pS ps pF pf", p.conv[1:]) {
		return c.withAddress(put, f)
	}
	return put
}

// withAddress puts the address after the name of a function, as 3.3 does: `schedule+0x5 (0xffff…)`.
// For an address without a name, only a blank precedes the address.
func (c *conversions) withAddress(put func(dst, data []byte) []byte, f *ir.Field) func(dst, data []byte) []byte {
	r, symbols := interp.NewReader(f, c.in.formats.target), c.in.values.env.Symbols
	return func(dst, data []byte) []byte {
		addr := r.Uint(data)
		if _, _, ok := symbols.Symbol(addr); ok {
			dst = put(dst, data)
		}
		dst = render.HexLower(append(dst, " (0x"...), addr)
		return append(dst, ')')
	}
}
