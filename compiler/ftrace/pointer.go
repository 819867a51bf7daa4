package ftrace

import (
	"strings"

	"github.com/tracec/tracec/compiler/ir"
)

// pointer lowers %p and its extensions (lib/vsprintf.c, pointer(); Documentation/core-api/printk-formats.rst).
func (p *format) pointer(c conversion, o operand) {
	if o.isUnknown() {
		p.text(c, &ir.Program{Body: o.unknown})
		return
	}
	if o.text != nil {
		p.text(c, o.text)
		return
	}
	first := byte(0)
	if c.letters != "" {
		first = c.letters[0]
	}
	if o.region != nil && o.v == nil {
		if p.pointee(c, o, first) {
			return
		}
		p.text(c, &ir.Program{Body: p.l.number(o).unknown})
		return
	}
	p.address(c, o, first)
}

// address lowers the extensions that show the pointer itself. What the others would show lies in
// kernel memory: the address stands for it.
func (p *format) address(c conversion, o operand, first byte) {
	v := p.l.toType(o.v, ir.Type{Size: int8(p.l.target.WordSize)})
	name := "Pointer"
	switch {
	case first == 'S', first == 'B', first == 'F':
		name = "SymbolOffset"
	case first == 's', first == 'f' && !strings.HasPrefix(c.letters, "fw"):
		name = "Symbol"
	case first == 'x':
		name = "PointerHex"
	case first == 'e':
		name, v = "Errno", p.l.toType(o.v, ir.I64)
	}
	p.text(c, &ir.Call{Name: name, Args: []ir.Arg{v}})
}

// pointee lowers the extensions that show what a pointer into the record points to.
func (p *format) pointee(c conversion, o operand, first byte) bool {
	r := ir.Arg(o.bytes())
	letters := ir.StrArg(c.letters)
	rest := func(n int) ir.StrArg { return letters[min(n, len(letters)):] }
	call := func(name string, args ...ir.Arg) {
		p.l.opaque(o.region)
		p.text(c, &ir.Call{Name: name, Args: args})
	}
	switch {
	case first == 'M':
		call("MAC", r, rest(1))
	case first == 'm':
		call("MAC", r, letters)
	case strings.HasPrefix(c.letters, "IS"), strings.HasPrefix(c.letters, "iS"):
		call("Sockaddr", r, rest(2))
	case strings.HasPrefix(c.letters, "I4"), strings.HasPrefix(c.letters, "i4"):
		call("IP4", r, letters)
	case strings.HasPrefix(c.letters, "I6"), strings.HasPrefix(c.letters, "i6"):
		call("IP6", r, letters)
	case first == 'U':
		call("UUID", r, letters)
	case first == 'h', first == 'E':
		n := p.takeWidth(&c)
		name := "HexBytes"
		if first == 'E' {
			name = "Escaped"
		}
		call(name, r, n, rest(1))
	case first == 'b':
		n := p.takeWidth(&c)
		name := "Bitmap"
		if strings.HasPrefix(c.letters, "bl") {
			name = "BitList"
		}
		p.text(c, &ir.Call{Name: name, Args: []ir.Arg{r, n}})
	case first == 'a', first == 'G', strings.HasPrefix(c.letters, "4cc"):
		p.reference(c, o, first)
	default:
		return false
	}
	return true
}

// takeWidth moves the field width, which these extensions use as a length, out of c.
func (p *format) takeWidth(c *conversion) ir.Value {
	v := c.spec.WidthArg
	if v == nil {
		v = &ir.Const{T: ir.I32, V: uint64(max(c.spec.Width, 1))}
	}
	c.spec.Width, c.spec.WidthArg = 0, nil
	return v
}

// reference lowers %pa, %pG and %p4cc, whose argument is the address of an integer.
func (p *format) reference(c conversion, o operand, first byte) {
	size := p.l.target.WordSize
	if f, ok := o.region.(*ir.FieldBytes); ok && f.Field.Kind == ir.Int {
		size = f.Field.Size
	} else if first == '4' {
		size = 4
	}
	v := p.l.load(o, intType(size, false)).v
	switch {
	case first == '4':
		p.text(c, &ir.Call{Name: "FourCC", Args: []ir.Arg{v}})
	case strings.HasPrefix(c.letters, "Gg"):
		p.text(c, &ir.Call{Name: "GFPFlags", Args: []ir.Arg{v}})
	case first == 'a':
		// special_hex_number(): 0x and every digit of the type.
		p.put(&ir.PutInt{V: v, Spec: ir.Spec{Verb: 'x', Sharp: true, Zero: true, Width: 2 + 2*size, Prec: -1}})
	default:
		p.put(&ir.PutInt{V: v, Spec: ir.Spec{Verb: 'x', Sharp: true, Prec: -1}})
	}
}
