package trcfmt

import "github.com/tracec/tracec/compiler/ir"

// flag is something about the text so far. What is known when the template is compiled costs
// nothing; where paths meet that differ, a slot holds it.
type flag struct {
	on    bool // unless local
	local bool
	slot  int
}

var raised, lowered = flag{on: true}, flag{}

// value is 0 or not, as a U64.
func (f flag) value() ir.Value {
	switch {
	case f.local:
		return &ir.Local{T: ir.U64, Slot: f.slot}
	case f.on:
		return konstU(1)
	}
	return konstU(0)
}

// off reports whether the flag is certainly not set.
func (f flag) off() bool { return !f.local && !f.on }

// keep makes the flag a local one in slot, which is allocated when it is -1.
func (l *lowerer) keepFlag(f flag, slot *int) flag {
	if f.local {
		return f
	}
	if *slot < 0 {
		*slot = l.slot()
	}
	l.emit(&ir.Let{Slot: *slot, V: f.value()})
	return flag{local: true, slot: *slot}
}

// put emits a statement that prints and begins with the character first: what was printed before a
// read that fails stays, so that no check moves over it.
func (l *lowerer) put(s ir.Stmt, first byte) {
	if first > ' ' {
		l.space(nil)
	}
	l.join = lowered
	l.check = nil
	l.emit(s)
}

// space puts the blank between a label and the text after it (aix.md 4.17), if one is due and the
// condition, which may be nil, holds.
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

// out2 emits what prints a blank.
func (l *lowerer) out2(s ir.Stmt) {
	l.check = nil
	l.emit(s)
}

// putBytes is put of the characters of r, of which it is not known whether they begin with a blank,
// or whether there are any. Those that are padded begin with a blank if there are none.
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

// putFact is put of a text of the recording, which may be empty.
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

// still leaves the blank due that is due when nothing was printed, as cond says.
func (l *lowerer) still(cond ir.Value) {
	if l.join.local {
		cond = &ir.Binary{Op: ir.OpLogAnd, X: l.join.value(), Y: cond}
	}
	if l.joinSlot < 0 {
		l.joinSlot = l.slot()
	}
	l.emit(&ir.Let{Slot: l.joinSlot, V: l.toU64(cond)})
	l.join = flag{local: true, slot: l.joinSlot}
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

// blank ends a value, unless it is in back quotes or the template asked for none.
func (l *lowerer) blank() {
	switch {
	case l.quoted || l.tight.on && !l.tight.local:
	case l.tight.local:
		l.put(&ir.If{Cond: &ir.Unary{Op: ir.OpNot, X: l.tight.value()}, Then: []ir.Stmt{&ir.Lit{S: " "}}}, 0)
	default:
		l.text(" ")
	}
}

// title prints the label of a template, unless it is hidden; the text after it is to be joined by a
// blank.
func (l *lowerer) title(text string, hidden bool) {
	if hidden {
		return
	}
	l.text(text)
	if last := text[len(text)-1]; last != '\n' && !l.c.opts.NoLabelBlank {
		l.join = raised
	}
}
