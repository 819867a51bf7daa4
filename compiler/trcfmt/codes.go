package trcfmt

import (
	"strings"

	"github.com/tracec/tracec/compiler/ir"
	grammar "github.com/tracec/tracec/grammar/trcfmt"
)

// A datum is the value that a code reads: a number, a text, or both.
type datum struct {
	v    ir.Value
	text ir.Text
}

// code compiles a format code used by itself: it prints.
func (l *lowerer) code(c *grammar.Code) {
	if l.seek(c) {
		return
	}
	if c.Letter == 'A' && c.Size == 0 {
		l.align()
		l.text(strings.Repeat(" ", c.Size2))
		return
	}
	d, move := l.reads(c)
	l.consume(c, d)
	l.print(c, d)
	move()
	if takesBlank(c) {
		l.blank()
	}
}

// seek compiles the codes that only move the pointer.
func (l *lowerer) seek(c *grammar.Code) bool {
	switch c.Letter {
	case 'G':
		l.ptr = pointer{delta: int64(8*c.Size + c.Size2), aligned: true}
	case 'O':
		l.align()
		l.move(int64(8*c.Size + c.Size2))
	case 'R':
		l.align()
		l.back(int64(8 * c.Size))
	case 'W':
		l.ptr = pointer{delta: int64(8 * c.Size * l.env.word()), aligned: true}
	default:
		return false
	}
	return true
}

// bytes returns m of a code in bytes: 0 for X0 is one byte, and the W forms are a word of the
// hook's environment.
func (l *lowerer) bytes(c *grammar.Code) int {
	switch {
	case c.Word || !c.HasSize && c.Letter != 'H':
		return l.env.word()
	case c.Letter == 'X' && c.Size == 0:
		return 1
	}
	return c.Size
}

// reads ensures that the data of a code is present. It returns the datum, and the move that ends
// it.
func (l *lowerer) reads(c *grammar.Code) (d datum, move func()) {
	switch c.Letter {
	case 'H':
		l.align()
		return l.read(c), func() {}
	case 'B':
		bits := int64(codeBits(c))
		l.needBits(bits)
		return l.read(c), func() { l.move(bits) }
	}
	l.align()
	n := int64(8 * l.bytes(c))
	if n > 0 { // A0 reads nothing
		l.need(n)
	}
	if c.Letter != 'S' {
		return l.read(c), func() { l.move(n) }
	}
	count := &ir.Local{T: ir.I64, Slot: l.locals.value()}
	l.emit(&ir.Let{Slot: count.Slot, V: l.count(l.bytes(c))})
	l.require(&ir.Binary{Op: ir.OpAdd, X: l.byteAt(n), Y: count})
	d.text = &ir.CString{Of: &ir.Slice{Of: l.record(), At: l.byteAt(n), Len: count}}
	return d, func() {
		l.move(n)
		l.setPointer(&ir.Binary{Op: ir.OpAdd, X: l.ptr.value(),
			Y: &ir.Binary{Op: ir.OpShl, X: count, Y: &ir.Const{T: ir.I32, V: 3}}}, true)
	}
}

// maxCount bounds the length of a counted string, so that pointers cannot overflow. It is far
// beyond any event.
const maxCount = 1 << 20

// count returns the length at the start of a counted string.
func (l *lowerer) count(size int) ir.Value {
	v := ir.Value(&ir.Convert{T: ir.U64, X: l.load(ir.Type{Size: int8(size)})})
	if size > 2 {
		v = l.bounded(v)
	}
	return &ir.Convert{T: ir.I64, X: v}
}

// needBits is need for codes that do not start at a byte.
func (l *lowerer) needBits(bits int64) {
	if l.ptr.local {
		end := &ir.Binary{Op: ir.OpShr, X: &ir.Binary{Op: ir.OpAdd, X: l.ptr.value(), Y: konst(bits + 7)},
			Y: &ir.Const{T: ir.I32, V: 3}}
		l.require(l.based(end))
		return
	}
	l.need(bits)
}

// read returns the datum of a code at the pointer. It does not move the pointer.
func (l *lowerer) read(c *grammar.Code) datum {
	size := l.bytes(c)
	switch c.Letter {
	case 'H':
		return datum{v: l.headValue(c.Kind)}
	case 'B':
		bits := konst(int64(8*c.Size + c.Size2))
		at := l.bitAt()
		return datum{
			v:    &ir.Bits{From: l.record(), At: at, Count: bits},
			text: &ir.Call{Name: "Binary", Args: []ir.Arg{l.record(), at, bits}},
		}
	case 'A':
		return datum{text: &ir.CString{Of: l.slice(konst(int64(size)))}}
	case 'D':
		return datum{v: l.load(ir.Type{Size: int8(size), Signed: true})}
	}
	if size == 1 || size == 2 || size == 4 || size == 8 {
		return datum{v: l.load(ir.Type{Size: int8(size)})}
	}
	r := l.slice(konst(int64(size)))
	d := datum{text: &ir.Call{Name: "HexUpper", Args: []ir.Arg{r, konst(int64(size))}}}
	if size < 8 {
		d.v = &ir.Bits{From: l.record(), At: l.bitAt(), Count: konst(int64(8 * size))}
	}
	return d
}

// bitAt returns the pointer in bits, base included.
func (l *lowerer) bitAt() ir.Value {
	switch {
	case !l.base.local && !l.ptr.local:
		return konst(l.ptr.delta + 8*l.base.bytes)
	case !l.base.local && l.base.bytes == 0:
		return l.ptr.value()
	}
	return &ir.Binary{Op: ir.OpAdd, X: l.ptr.value(),
		Y: &ir.Binary{Op: ir.OpShl, X: l.base.value(), Y: &ir.Const{T: ir.I32, V: 3}}}
}

// headValue returns HB, the number of bytes in the variable buffer of a generic entry, or HT, the
// type of the hook word. HT is a nibble of a 32-bit hook word, or the flags of a 64-bit one (aix.md
// 3.3).
func (l *lowerer) headValue(kind byte) ir.Value {
	switch {
	case kind == 'B' && !l.env.Generic:
		return konstU(0)
	case kind == 'B' || l.env.Hook64 && kind != 'T':
		return l.head16(2)
	case l.env.Hook64:
		return l.head16(0)
	}
	return &ir.Binary{Op: ir.OpAnd, X: l.head16(0), Y: konstU(0xf)}
}

// head16 reads 16 bits of the hook word, which every event has.
func (l *lowerer) head16(at int64) ir.Value {
	return &ir.Convert{T: ir.U64, X: &ir.Load{T: ir.U16, From: l.record(), At: konst(at)}}
}

// print appends the output of a code for d.
func (l *lowerer) print(c *grammar.Code, d datum) {
	switch c.Letter {
	case 'A', 'S':
		spec := plain
		if c.HasSize2 {
			spec.Minus, spec.Width = true, c.Size2
		}
		l.putBytes(&ir.PutText{T: d.text, Spec: spec}, d.text.(*ir.CString).Of, spec.Width > 0)
	case 'H':
		l.put(&ir.PutText{T: &ir.Call{Name: "MacroHex", Args: []ir.Arg{d.v}}, Spec: plain}, '0')
	case 'X', 'D', 'U', 'o':
		if d.text != nil {
			l.put(&ir.PutText{T: d.text, Spec: plain}, '0')
			return
		}
		l.number(c.Letter, d.v, l.bytes(c))
	default:
		t := d.text
		if t == nil {
			t = l.named(c.Letter, d.v, l.bytes(c))
		}
		l.put(&ir.PutText{T: t, Spec: plain}, '0')
	}
}

// number prints v by one of the codes X D U o.
func (l *lowerer) number(letter byte, v ir.Value, size int) {
	spec := ir.Spec{Verb: 'd', Prec: -1}
	switch letter {
	case 'X':
		spec = ir.Spec{Verb: 'X', Zero: true, Width: 2 * size, Prec: -1}
	case 'o':
		spec.Verb = 'o'
	}
	l.put(&ir.PutInt{V: v, Spec: spec}, '0')
}

// named returns the text for the codes that look up a name for their number: F E T P.
func (l *lowerer) named(letter byte, v ir.Value, size int) ir.Text {
	switch letter {
	case 'F':
		return &ir.Call{Name: "Float", Args: []ir.Arg{v, konst(int64(size))}}
	case 'E':
		return &ir.Call{Name: "AIXErrno", Args: []ir.Arg{v}}
	case 'T':
		return &ir.Call{Name: "CTime", Args: []ir.Arg{v}}
	}
	return &ir.Call{Name: "ProcessPath", Args: []ir.Arg{v}}
}

// takesBlank reports whether a value is followed by one blank (aix.md 4.1 c).
func takesBlank(c *grammar.Code) bool {
	switch c.Letter {
	case 'X':
		return !(c.HasSize && c.Size == 0)
	case 'D', 'U', 'o', 'F', 'H':
		return true
	}
	return false
}
