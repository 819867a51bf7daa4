package ftrace

import (
	"strings"

	"github.com/tracec/tracec/compiler/ir"
	grammar "github.com/tracec/tracec/grammar/ftrace"
)

// pointer lowers %p and its extensions (lib/vsprintf.c, pointer();
// Documentation/core-api/printk-formats.rst).
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

// address lowers the extensions that show the pointer itself. The other extensions would show
// kernel memory, so they show the address instead.
func (p *format) address(c conversion, o operand, first byte) {
	v := p.l.toType(o.v, ir.Type{Size: int8(p.l.target.WordSize)})
	name := symbolOf(c.letters)
	switch {
	case name == "Symbol" && p.l.tracers: // trace_seq_print_sym (kernel/trace/trace_output.c) names no module
		name = "SymbolName"
	case name != "":
	case first == 'x':
		name = "PointerHex"
	case first == 'e':
		name, v = "Errno", p.l.toType(o.v, ir.I64)
	default:
		name = "Pointer"
	}
	p.text(c, &ir.Call{Name: name, Args: []ir.Arg{v}})
}

// symbolOf returns the function that prints the name of an address, and "" for other letters after
// %p.
func symbolOf(letters string) string {
	switch {
	case letters == "", strings.HasPrefix(letters, "fw"):
	case letters[0] == 'S', letters[0] == 'B', letters[0] == 'F':
		return "SymbolOffset"
	case letters[0] == 's', letters[0] == 'f':
		return "Symbol"
	}
	return ""
}

// fromName lowers an address relative to a name of the kernel: _stext + REC->caller_offs. When
// records are printed, kallsyms may have the address of the name.
func (p *format) fromName(c conversion) bool {
	function := symbolOf(c.letters)
	if function == "" || len(p.args) == 0 {
		return false
	}
	name, off, ok := p.l.afterName(p.args[0])
	if ok {
		p.args = p.args[1:]
		p.text(c, &ir.Call{Name: function + "From", Args: []ir.Arg{ir.StrArg(name), off}})
	}
	return ok
}

// afterName returns the name that an address is relative to, and its offset in bytes.
func (l *lowerer) afterName(e grammar.Expr) (name string, off ir.Value, ok bool) {
	switch e := e.(type) {
	case *grammar.Ident:
		if _, local := l.vars[e.Name]; local || !l.quiet(e).named {
			return "", nil, false
		}
		return e.Name, &ir.Const{T: ir.I64}, true
	case *grammar.Unary:
		if e.Op == "&" {
			if id, is := e.X.(*grammar.Ident); is {
				return l.afterName(id)
			}
		}
	case *grammar.Cast:
		t := l.typeOf(e.Type)
		if t.kind == kPointer && pointee(t).sizeof(l.target) == 1 || t.kind == kInt && t.size == l.target.WordSize {
			return l.afterName(e.X)
		}
	case *grammar.Binary:
		if e.Op != "+" && e.Op != "-" {
			return "", nil, false
		}
		by := e.Y
		name, off, ok = l.afterName(e.X)
		if !ok && e.Op == "+" {
			by = e.X
			name, off, ok = l.afterName(e.Y)
		}
		if !ok {
			return "", nil, false
		}
		n := l.number(l.expr(by))
		if n.v == nil {
			return "", nil, false
		}
		return name, l.binaryValue(ir.Op(e.Op), off, l.toType(n.v, ir.I64)), true
	}
	return "", nil, false
}

// pointee lowers the extensions that show the target of a pointer into the record.
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
	case first == 'a', first == 'G', strings.HasPrefix(c.letters, "4c"):
		return p.reference(c, o, first)
	case strings.HasPrefix(c.letters, "tT"):
		p.text(c, &ir.Call{Name: "Time64", Args: []ir.Arg{p.l.load(o, typeS64).v, rest(2)}})
	case strings.HasPrefix(c.letters, "tSp"):
		p.timespec(c, o)
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

// timespec lowers %ptSp: seconds and nanoseconds of a struct timespec64.
func (p *format) timespec(c conversion, o operand) {
	long := intType(p.l.target.WordSize, true)
	ns := p.l.load(p.l.element(operand{t: pointerTo(typeByte), region: o.region, at: o.at}, &ir.Const{T: ir.I64, V: 8}),
		long).v
	p.l.opaque(o.region)
	p.text(c, &ir.Program{Body: []ir.Stmt{
		&ir.PutInt{V: p.l.load(o, typeS64).v, Spec: ir.Spec{Verb: 'd', Prec: -1}},
		&ir.Lit{S: "."},
		&ir.PutInt{V: ns, Spec: ir.Spec{Verb: 'd', Zero: true, Width: 9, Prec: -1}},
	}})
}

// fourCC lowers %p4c. cc is a pixel format: its first character is the lowest byte. In the other
// formats it is the highest, and the letter gives the byte order of the number in memory.
func (p *format) fourCC(c conversion, v ir.Value) bool {
	name, swapped := "Characters", false
	switch big := p.l.target.BigEndian; strings.TrimPrefix(c.letters, "4c") {
	case "c":
		name = "FourCC"
	case "h":
	case "hR":
		swapped = true
	case "l":
		swapped = big
	case "b", "n":
		swapped = !big
	default:
		return false
	}
	if swapped {
		v = &ir.Func{T: ir.U32, Name: "Swab32", Args: []ir.Value{v}}
	}
	p.text(c, &ir.Call{Name: name, Args: []ir.Arg{v}})
	return true
}

// reference lowers %pa, %pG and %p4c. Their argument is the address of an integer.
func (p *format) reference(c conversion, o operand, first byte) bool {
	size := p.l.target.WordSize
	if f, ok := o.region.(*ir.FieldBytes); ok && f.Field.Kind == ir.Int {
		size = f.Field.Size
	} else if first == '4' {
		size = 4
	}
	v := p.l.load(o, intType(size, false)).v
	switch {
	case first == '4':
		return p.fourCC(c, v)
	case strings.HasPrefix(c.letters, "Gg"):
		p.text(c, &ir.Call{Name: "GFPFlags", Args: []ir.Arg{v}})
	case first == 'a':
		// special_hex_number(): 0x and every digit of the type.
		p.put(&ir.PutInt{V: v, Spec: ir.Spec{Verb: 'x', Sharp: true, Zero: true, Width: 2 + 2*size, Prec: -1}})
	default:
		p.put(&ir.PutInt{V: v, Spec: ir.Spec{Verb: 'x', Sharp: true, Prec: -1}})
	}
	return true
}
