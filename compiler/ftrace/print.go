package ftrace

import (
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/tracec/tracec/compiler/ir"
	grammar "github.com/tracec/tracec/grammar/ftrace"
)

// conversion is one % of a printf format, as lib/vsprintf.c reads it.
type conversion struct {
	spec               ir.Spec
	starWidth, starDot bool
	length             string // hh h l ll L q j z Z t
	letters            string // the letters after %p
	text               string // as written
}

// format walks a printf format and appends statements.
type format struct {
	l    *lowerer
	args []grammar.Expr
	lit  strings.Builder
	out  []ir.Stmt
	// seq: inside trace_seq_printf, where a constant %c of 0 ends the string.
	seq bool
}

// printf lowers a format and its arguments.
func (l *lowerer) printf(pos lexer.Position, text string, args []grammar.Expr) []ir.Stmt {
	p := &format{l: l, args: args}
	return p.run(pos, text)
}

func (p *format) run(pos lexer.Position, text string) []ir.Stmt {
	for text != "" {
		i := strings.IndexByte(text, '%')
		if i < 0 {
			p.lit.WriteString(text)
			break
		}
		p.lit.WriteString(text[:i])
		if n := p.quotedString(text[i:]); n > 0 {
			text = text[i+n:]
			continue
		}
		c, n := scanConversion(text[i:])
		text = text[i+n:]
		p.conversion(pos, c)
	}
	p.flush()
	if len(p.args) > 0 {
		p.l.note(pos, "unused-argument", "the format does not use its last %d arguments", len(p.args))
	}
	return p.out
}

func (p *format) flush() {
	if p.lit.Len() > 0 {
		p.out = append(p.out, &ir.Lit{S: p.lit.String()})
		p.lit.Reset()
	}
}

// scanConversion reads the conversion at the start of s; n is its length in s.
func scanConversion(s string) (c conversion, n int) {
	c.spec.Prec = -1
	n = 1
flags:
	for ; n < len(s); n++ {
		switch s[n] {
		case '-':
			c.spec.Minus = true
		case '+':
			c.spec.Plus = true
		case ' ':
			c.spec.Space = true
		case '#':
			c.spec.Sharp = true
		case '0':
			c.spec.Zero = true
		default:
			break flags
		}
	}
	if n < len(s) && s[n] == '*' {
		c.starWidth = true
		n++
	} else {
		c.spec.Width, n = digits(s, n)
	}
	if n < len(s) && s[n] == '.' {
		n++
		if n < len(s) && s[n] == '*' {
			c.starDot = true
			n++
		} else {
			c.spec.Prec, n = digits(s, n)
		}
	}
	for n < len(s) && strings.IndexByte("hlLqjzZt", s[n]) >= 0 && len(c.length) < 2 {
		c.length += s[n : n+1]
		n++
	}
	if n < len(s) {
		c.spec.Verb = s[n]
		n++
	}
	if c.spec.Verb == 'p' {
		start := n
		for n < len(s) && isAlnum(s[n]) {
			n++
		}
		c.letters = s[start:n]
	}
	c.text = s[:n]
	return c, n
}

func digits(s string, n int) (v, end int) {
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		v = min(v*10+int(s[n]-'0'), 1<<15-1) // the kernel's field width is an s16
		n++
	}
	return v, n
}

func isAlnum(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// maxConversions limits the text of one event. It limits the number of conversions, each of which
// prints at most the text of a record's data. The largest known number in a print fmt of a kernel
// is 46.
const maxConversions = 256

// next takes the next argument; ok is false when the format has more conversions than arguments.
func (p *format) next() (operand, bool) {
	if len(p.args) == 0 {
		return operand{}, false
	}
	e := p.args[0]
	p.args = p.args[1:]
	return p.l.expr(e), true
}

// star returns the value of a `*`.
func (p *format) star() ir.Value {
	o, ok := p.next()
	if !ok {
		return &ir.Const{T: ir.I32}
	}
	if o = p.l.number(o); o.v == nil {
		return &ir.Const{T: ir.I32}
	}
	return p.l.toType(o.v, ir.I32)
}

func (l *lowerer) atLeast0(v ir.Value) ir.Value {
	zero := &ir.Const{T: v.Type()}
	return l.chooseValue(l.binaryValue(ir.OpLt, v, zero), l.ofValue(zero), l.ofValue(v)).v
}

func (p *format) conversion(pos lexer.Position, c conversion) {
	if c.spec.Verb == '%' {
		p.lit.WriteByte('%')
		return
	}
	if p.l.conversions++; p.l.conversions > maxConversions {
		p.l.note(pos, "too-many", "conversion %q is one of more than %d", c.text, maxConversions)
		p.lit.WriteString(c.text)
		return
	}
	if c.starWidth {
		c.spec.WidthArg = p.star()
	}
	if c.starDot {
		// set_precision() replaces a negative precision by 0, while C ignores it.
		c.spec.PrecArg = p.l.atLeast0(p.star())
	}
	if !strings.ContainsRune("diuxXocsp", rune(c.spec.Verb)) {
		p.l.note(pos, "format", "conversion %q is not a conversion of the kernel", c.text)
		p.lit.WriteString(c.text)
		return
	}
	if c.spec.Verb == 'p' && p.fromName(c) {
		return
	}
	o, ok := p.next()
	if !ok {
		p.l.note(pos, "format", "conversion %q has no argument", c.text)
		p.lit.WriteString(c.text)
		return
	}
	o = p.l.decay(o)
	switch c.spec.Verb {
	case 's':
		p.string(c, o)
	case 'p':
		p.pointer(c, o)
	default:
		p.integer(c, o)
	}
}

func (p *format) put(s ir.Stmt) {
	p.flush()
	p.out = append(p.out, s)
}

// text appends t with the width, precision and minus flag of c.
func (p *format) text(c conversion, t ir.Text) {
	s := ir.Spec{Verb: 's', Minus: c.spec.Minus, Width: c.spec.Width, Prec: c.spec.Prec,
		WidthArg: c.spec.WidthArg, PrecArg: c.spec.PrecArg}
	if cs, ok := t.(*ir.CString); ok && s == plainText {
		if str, ok := cs.Of.(*ir.Str); ok {
			text, _, _ := strings.Cut(str.S, "\x00")
			p.lit.WriteString(text)
			return
		}
	}
	if prog, ok := t.(*ir.Program); ok && s == plainText {
		p.flush()
		p.out = append(p.out, prog.Body...)
		return
	}
	p.put(&ir.PutText{T: t, Spec: s})
}

func (p *format) string(c conversion, o operand) {
	if o.region != nil && o.v == nil {
		p.l.opaqueUnlessText(o.region)
	}
	p.text(c, p.l.asText(o))
}

// opaqueUnlessText marks an array of integers as read byte by byte if it is printed with %s.
func (l *lowerer) opaqueUnlessText(r ir.Region) {
	if f, ok := r.(*ir.FieldBytes); ok && f.Field.Text {
		return
	}
	l.opaque(r)
}

// lengths in bytes of the length modifiers; 0 is a long.
var lengths = map[string]int8{
	"hh": 1, "h": 2, "": 4, "l": 0, "ll": 8, "L": 8, "q": 8, "j": 8, "z": 0, "Z": 0, "t": 0,
}

func (p *format) integer(c conversion, o operand) {
	if o.text != nil {
		p.text(c, o.text)
		return
	}
	if o = p.l.number(o); o.isUnknown() {
		c.spec.Prec, c.spec.PrecArg = -1, nil
		p.text(c, &ir.Program{Body: o.unknown})
		return
	}
	size := lengths[c.length]
	if size == 0 {
		size = int8(p.l.target.WordSize)
	}
	t := ir.Type{Size: size, Signed: c.spec.Verb == 'd' || c.spec.Verb == 'i'}
	switch c.spec.Verb {
	case 'i', 'u':
		c.spec.Verb = 'd'
	case 'c':
		t = ir.U8
		if v, ok := o.constant(); ok && p.seq && v&0xff == 0 {
			return
		}
	}
	v := p.l.toType(o.v, t)
	if k, ok := v.(*ir.Const); ok && c.spec == (ir.Spec{Verb: 'c', Prec: -1}) {
		p.lit.WriteByte(byte(k.V))
		return
	}
	p.put(&ir.PutInt{V: v, Spec: c.spec})
}
