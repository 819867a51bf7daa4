package trcfmt

import "github.com/tracec/tracec/compiler/ir"

// pointer is the DATA_POINTER in bits: a constant, or a local value plus a constant.
type pointer struct {
	local   bool // the value is relative to the pointer slot of l.scope
	slot    int
	delta   int64 // bits
	aligned bool  // the local part is a multiple of 8
}

// An offset is $BASEPOINTER in bytes: a constant, or the value of a slot.
type offset struct {
	local bool
	slot  int
	bytes int64
}

func (o offset) value() ir.Value {
	if o.local {
		return &ir.Local{T: ir.I64, Slot: o.slot}
	}
	return konst(o.bytes)
}

// value returns the pointer in bits, as an I64.
func (p pointer) value() ir.Value {
	if !p.local {
		return konst(p.delta)
	}
	v := ir.Value(&ir.Local{T: ir.I64, Slot: p.slot})
	if p.delta != 0 {
		v = &ir.Binary{Op: ir.OpAdd, X: v, Y: konst(p.delta)}
	}
	return v
}

// same reports whether two paths end with the same pointer.
func (p pointer) same(q pointer) bool {
	return p.local == q.local && p.delta == q.delta && (!p.local || p.slot == q.slot && p.aligned == q.aligned)
}

// align rounds the pointer up to a byte, as every code but B does first (aix.md 3.3, 4.8).
func (l *lowerer) align() {
	if l.ptr.local && !l.ptr.aligned {
		up := &ir.Binary{Op: ir.OpAnd, X: &ir.Binary{Op: ir.OpAdd, X: l.ptr.value(), Y: konst(7)}, Y: konst(^7)}
		l.setPointer(up, true)
		return
	}
	l.ptr.delta = (l.ptr.delta + 7) &^ 7
}

// setPointer makes the pointer a local with value v, in bits.
func (l *lowerer) setPointer(v ir.Value, aligned bool) {
	if l.locals.ptr < 0 {
		l.locals.ptr = l.locals.value()
	}
	l.emit(&ir.Let{Slot: l.locals.ptr, V: v})
	l.ptr = pointer{local: true, slot: l.locals.ptr, aligned: aligned}
	l.checks.dynamic = true
}

// setBase makes $BASEPOINTER a local with value v.
func (l *lowerer) setBase(v ir.Value) {
	if l.locals.base < 0 {
		l.locals.base = l.locals.value()
	}
	l.emit(&ir.Let{Slot: l.locals.base, V: v})
	l.base = offset{local: true, slot: l.locals.base}
	l.checks.dynamic = true
}

// onByte reports whether the pointer is certainly at a byte boundary.
func (p pointer) onByte() bool { return p.delta%8 == 0 && (!p.local || p.aligned) }

// byteAt returns the place in bytes, of bits after the pointer; the pointer must be at a byte
// boundary.
func (l *lowerer) byteAt(bits int64) ir.Value {
	var v ir.Value
	if l.ptr.local {
		v = &ir.Binary{Op: ir.OpShr, X: &ir.Local{T: ir.I64, Slot: l.ptr.slot}, Y: &ir.Const{T: ir.I32, V: 3}}
		if d := l.ptr.delta + bits; d != 0 {
			v = &ir.Binary{Op: ir.OpAdd, X: v, Y: konst(d >> 3)}
		}
	} else {
		v = konst((l.ptr.delta + bits) >> 3)
	}
	return l.based(v)
}

// based adds $BASEPOINTER: the effective offset is the sum (aix.md 3.4).
func (l *lowerer) based(bytes ir.Value) ir.Value {
	if !l.base.local {
		if l.base.bytes == 0 {
			return bytes
		}
		if c, ok := bytes.(*ir.Const); ok {
			return konst(int64(c.V) + l.base.bytes)
		}
	}
	return &ir.Binary{Op: ir.OpAdd, X: bytes, Y: l.base.value()}
}

// fixed returns the place in bytes when it is a constant.
func (l *lowerer) fixed(bits int64) (int64, bool) {
	c, ok := l.byteAt(bits).(*ir.Const)
	if !ok {
		return 0, false
	}
	return int64(c.V), true
}

// need ensures that bits bits after the pointer are present, or ends the template (aix.md 4.12).
func (l *lowerer) need(bits int64) {
	if end, ok := l.fixed(bits + 7); ok {
		l.checks.extent = max(l.checks.extent, end)
		switch {
		case l.checks.none || end <= l.checked:
		case l.checks.last != nil:
			l.checks.last.Bytes = konst(end)
			l.checked = end
		default:
			l.checks.last = &ir.Require{Of: l.record(), Bytes: konst(end)}
			l.checks.count++
			l.checked = end
			l.emit(l.checks.last)
		}
		return
	}
	l.require(l.byteAt(bits + 7))
}

// require checks for a number of bytes that is known only at run time.
func (l *lowerer) require(bytes ir.Value) {
	l.checks.dynamic = true
	l.checks.count++
	l.emit(&ir.Require{Of: l.record(), Bytes: bytes})
}

func (l *lowerer) record() ir.Region { return &ir.FieldBytes{Field: l.data} }

// move moves the pointer forward by bits.
func (l *lowerer) move(bits int64) { l.ptr.delta += bits }

// load reads size bytes at the pointer, in the byte order of the machine.
func (l *lowerer) load(t ir.Type) ir.Value {
	return &ir.Load{T: t, From: l.record(), At: l.byteAt(0)}
}

// slice returns the n bytes at the pointer.
func (l *lowerer) slice(n ir.Value) ir.Region {
	return &ir.Slice{Of: l.record(), At: l.byteAt(0), Len: n}
}

// back moves the pointer back by bits, at most to the beginning.
func (l *lowerer) back(bits int64) {
	l.move(-bits)
	if !l.ptr.local {
		l.ptr.delta = max(l.ptr.delta, 0)
		return
	}
	if bits > 0 {
		l.setPointer(l.ptr.value(), true)
		v := l.ptr.value()
		l.setPointer(&ir.Cond{If: &ir.Binary{Op: ir.OpLt, X: v, Y: konst(0)}, Then: konst(0), Else: v}, true)
	}
}

// state holds the properties that may differ between the arms of a choice.
type state struct {
	ptr     pointer
	base    offset
	checked int64 // number of bytes that the event is known to have here
	ended   bool  // the code after an exit is never reached
	join    flag  // after a label: the next text may need a blank
	tight   flag  // setdelim(): no blanks after values
}

// restore continues with the state of an arm. Checks of other arms cannot be widened.
func (l *lowerer) restore(s state) { l.state, l.checks.last = s, nil }

// block compiles into a separate block. It returns the block and the state at its end.
func (l *lowerer) block(f func()) ([]ir.Stmt, state) {
	outer := l.out
	var body []ir.Stmt
	l.out, l.checks.last = &body, nil
	l.work.blocks++
	f()
	l.work.blocks--
	end := l.state
	l.out, l.checks.last = outer, nil
	return body, end
}

// meet joins the arms of a choice. State on which they agree is unchanged. Otherwise each arm
// stores its state in a slot. bodies are extended in place.
func (l *lowerer) meet(bodies [][]ir.Stmt, ends []state) {
	var live []int
	for i, e := range ends {
		if !e.ended {
			live = append(live, i)
		}
	}
	if len(live) == 0 {
		l.restore(ends[0])
		return
	}
	out := ends[live[0]]
	aligned := true
	for _, i := range live {
		aligned = aligned && ends[i].ptr.onByte()
		out.checked = min(out.checked, ends[i].checked)
	}
	outer := l.out
	// If the arms differ, settle runs set at the end of every arm. set stores the state of the arm
	// in a slot.
	settle := func(agree func(e state) bool, set func(e state)) {
		for _, i := range live {
			if !agree(ends[i]) {
				for _, i := range live {
					l.out = &bodies[i]
					set(ends[i])
				}
				l.out = outer
				return
			}
		}
	}
	settle(func(e state) bool { return e.ptr.same(out.ptr) }, func(e state) {
		l.setPointer(e.ptr.value(), aligned)
		out.ptr = l.ptr
	})
	settle(func(e state) bool { return e.base == out.base }, func(e state) {
		l.setBase(e.base.value())
		out.base = l.base
	})
	settle(func(e state) bool { return e.join == out.join },
		func(e state) { out.join = l.keepFlag(e.join, &l.locals.join) })
	settle(func(e state) bool { return e.tight == out.tight },
		func(e state) { out.tight = l.keepFlag(e.tight, &l.locals.tight) })
	l.restore(out)
}

// again restores start, the state that the beginning of a loop's body expects, at the end of the
// body.
func (l *lowerer) again(start, end state) {
	l.restore(end)
	if !end.ptr.same(start.ptr) {
		l.setPointer(end.ptr.value(), start.ptr.aligned)
	}
	if end.base != start.base {
		l.setBase(end.base.value())
	}
	if end.join != start.join {
		l.keepFlag(end.join, &l.locals.join)
	}
	if end.tight != start.tight {
		l.keepFlag(end.tight, &l.locals.tight)
	}
}
