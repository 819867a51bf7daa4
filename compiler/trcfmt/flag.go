package trcfmt

import "github.com/tracec/tracec/compiler/ir"

// A flag is a property of the text so far. A flag that is known at compile time has no cost at run
// time. Where paths with different flags meet, a slot holds the flag.
type flag struct {
	on    bool // unless local
	local bool
	slot  int
}

var raised, lowered = flag{on: true}, flag{}

// value returns the flag as a U64, which is 0 if it is not set.
func (f flag) value() ir.Value {
	switch {
	case f.local:
		return &ir.Local{T: ir.U64, Slot: f.slot}
	case f.on:
		return konstU(1)
	}
	return konstU(0)
}

// off reports whether the flag is known to be not set.
func (f flag) off() bool { return !f.local && !f.on }

// keepFlag moves the flag into a local in slot. It allocates the slot if it is -1.
func (l *lowerer) keepFlag(f flag, slot *int) flag {
	if f.local {
		return f
	}
	if *slot < 0 {
		*slot = l.locals.value()
	}
	l.emit(&ir.Let{Slot: *slot, V: f.value()})
	return flag{local: true, slot: *slot}
}

// put emits a statement that prints and begins with the character first. The output before a read
// that fails must stay, so no check moves across it.
func (l *lowerer) put(s ir.Stmt, first byte) {
	if first > ' ' {
		l.space(nil)
	}
	l.join = lowered
	l.checks.last = nil
	l.emit(s)
}

// space puts the blank between a label and the text after it (aix.md 4.17), if the blank is due and
// cond holds. cond may be nil.
func (l *lowerer) space(cond ir.Value) {
	blank := []ir.Stmt{&ir.Lit{S: " "}}
	switch {
	case l.join.off():
		return
	case l.join.local && cond != nil:
		cond = &ir.Binary{Op: ir.OpLogAnd, X: l.join.value(), Y: cond}
	case l.join.local:
		cond = l.join.value()
	case cond == nil:
		l.out2(blank[0])
		return
	}
	l.out2(&ir.If{Cond: cond, Then: blank})
}

// out2 emits a statement that prints.
func (l *lowerer) out2(s ir.Stmt) {
	l.checks.last = nil
	l.emit(s)
}

// putBytes is put for the characters of r, which may be empty or begin with a blank. If padded is
// set and there are no characters, the output begins with a blank.
func (l *lowerer) putBytes(s ir.Stmt, r ir.Region, padded bool) {
	if l.join.off() {
		l.put(s, 0)
		return
	}
	first := &ir.Convert{T: ir.U64, X: &ir.Load{T: ir.U8, From: r}}
	l.space(&ir.Binary{Op: ir.OpGt, X: first, Y: konstU(' ')})
	l.out2(s)
	if padded {
		l.join = lowered
		return
	}
	l.still(l.equal(first, 0))
}

// putFact is put for a text of the recording, which may be empty.
func (l *lowerer) putFact(t *ir.FactText) {
	s := &ir.PutText{T: t, Spec: plain}
	if l.join.off() {
		l.put(s, 0)
		return
	}
	empty := &ir.TextIs{T: t}
	l.space(&ir.Unary{Op: ir.OpNot, X: empty})
	l.out2(s)
	l.still(empty)
}

// still keeps the blank due if nothing was printed. cond reports this.
func (l *lowerer) still(cond ir.Value) {
	if l.join.local {
		cond = &ir.Binary{Op: ir.OpLogAnd, X: l.join.value(), Y: cond}
	}
	if l.locals.join < 0 {
		l.locals.join = l.locals.value()
	}
	l.emit(&ir.Let{Slot: l.locals.join, V: l.toU64(cond)})
	l.join = flag{local: true, slot: l.locals.join}
}

// text prints a constant. Newlines in it count for $RELLINENO.
func (l *lowerer) text(s string) {
	if s == "" {
		return
	}
	l.put(&ir.Lit{S: s}, s[0])
	if n := newlines(s); n > 0 && l.line >= 0 {
		l.emit(&ir.Let{Slot: l.line, V: l.add(l.local(l.line), konstU(n))})
	}
}

func newlines(s string) (n uint64) {
	for i := range len(s) {
		if s[i] == '\n' {
			n++
		}
	}
	return n
}

// blank prints the blank after a value, except in back quotes or if the template has disabled it.
func (l *lowerer) blank() {
	switch {
	case l.quoted || l.tight.on && !l.tight.local:
	case l.tight.local:
		l.put(&ir.If{Cond: &ir.Unary{Op: ir.OpNot, X: l.tight.value()}, Then: []ir.Stmt{&ir.Lit{S: " "}}}, 0)
	default:
		l.text(" ")
	}
}

// title prints the label of a template, unless it is hidden. A blank then becomes due before the
// next text.
func (l *lowerer) title(text string, hidden bool) {
	if hidden {
		return
	}
	l.text(text)
	if last := text[len(text)-1]; last != '\n' && !l.c.opts.NoLabelBlank {
		l.join = raised
	}
}
