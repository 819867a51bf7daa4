package sequence

import (
	"math"
	"slices"

	"github.com/tracec/tracec/compiler/ir"
)

// Visitor returns the statements for what a walk finds.
type Visitor interface {
	// Before is called in front of each field. i is its position among the fields around it.
	Before(f *ir.Field, i int) []ir.Stmt
	// Value is called for a field that is one value.
	Value(p Place) []ir.Stmt
	// Between is called in front of each element of a list. turn is the number of elements before
	// it.
	Between(turn ir.Value, element *ir.Field) []ir.Stmt
	// Open and Close are called around the members, the elements or the selected arm of f. If f is
	// a List, rest is 1 if elements are left over. Otherwise it is nil.
	Open(f *ir.Field) []ir.Stmt
	Close(f *ir.Field, rest ir.Value) []ir.Stmt
	// None is called for an optional Variant without a selected arm.
	None(f *ir.Field) []ir.Stmt
}

// Walk returns a program that visits fields, the values of a payload, in their order. A record that
// ends before a value does ends the program as Short. It also returns the number of slots that the
// program needs. bigEndian is the byte order of the recording.
//
// The places of fields have the meaning that package bind gives them: see [ir.Field]. A list whose
// elements may have no bytes is not longer than the bytes that are left, or 256 elements.
func Walk(data *ir.Field, fields []*ir.Field, bigEndian bool, v Visitor) (body []ir.Stmt, slots int) {
	w := &walk{
		position: position{Cursor: Cursor{Data: data}}, Visitor: v, bigEndian: bigEndian, slots: Slots, free: Slots,
		numbers: map[*ir.Field]*ir.Local{},
	}
	w.refer(fields)
	w.fields(fields)
	return w.Out, w.slots
}

// walk is a position in a payload. After a value without a fixed size, places count from a local.
// It is aligned as the next field needs, and computed again if a later field needs more. Places in
// the elements of a list count from another local, which moves from one element to the next.
type walk struct {
	position
	Visitor
	bigEndian bool
	slots     int // in use, all in all
	free      int // the first slot that is not in use
	budget    int // the slot that counts the turns of all loops; 0 without loops

	numbers map[*ir.Field]*ir.Local // the integers to which later fields refer
}

// position is a place, with what is known of it.
type position struct {
	Cursor
	grain int      // what places count from is a multiple of it, if Moved
	pad   int      // the next place is a multiple of it, 0 is 1
	end   ir.Value // the end of a value without a fixed size, until the next field; else nil
}

// refer gives slots to the integers to which fields refer.
func (w *walk) refer(fields []*ir.Field) {
	for _, f := range fields {
		if n := f.From; n != nil && w.numbers[n] == nil {
			w.numbers[n] = local(w.slot())
		}
		w.refer(f.Fields)
	}
}

// slot takes a slot. The one who took it sets free to it when it is not needed any more.
func (w *walk) slot() int {
	n := w.free
	w.free++
	w.slots = max(w.slots, w.free)
	return n
}

func local(slot int) *ir.Local { return &ir.Local{T: ir.U64, Slot: slot} }

func (w *walk) add(s ...ir.Stmt) { w.Out = append(w.Out, s...) }

// fields visits fields that follow one another.
func (w *walk) fields(list []*ir.Field) {
	sure := 0 // fields that are checked
	for i, f := range list {
		w.begin(f)
		if f.Kind.HasParts() {
			w.parts(f, w.Before(f, i))
			sure = 0
			continue
		}
		if sure == 0 {
			sure = w.sure(list[i:])
		}
		w.value(f, w.Before(f, i))
		sure--
	}
}

// one visits a field at the current place. before is in front of it.
func (w *walk) one(f *ir.Field, before []ir.Stmt) {
	if f.Kind.HasParts() {
		w.parts(f, before)
	} else {
		w.sure([]*ir.Field{f})
		w.value(f, before)
	}
}

// begin moves to the place of f, behind the field in front of it.
func (w *walk) begin(f *ir.Field) {
	if f.Bits.Overlap > 0 {
		w.At, w.pad = w.At-f.Bits.Overlap, 0
		return
	}
	w.align(max(w.pad, f.Align))
}

// farthest is how far a place may be from what it counts from, so that sums of constants stay small
// for hostile descriptions.
const farthest = 1 << 24

// align moves to a multiple of n.
func (w *walk) align(n int) {
	switch {
	case w.end != nil:
		w.jump(w.end, n)
	case w.Moved && n > w.grain, w.At > farthest:
		w.jump(w.Offset(w.At), n)
	default:
		w.At = up(w.At, n)
	}
	w.pad = 0
}

// jump moves to the first multiple of grain from a place on.
func (w *walk) jump(at ir.Value, grain int) {
	w.Jump(RoundUp(at, grain))
	w.grain, w.end = max(grain, 1), nil
}

// sure checks that the values from the current place on are there, up to the first one without a
// fixed size or place. It returns their number.
func (w *walk) sure(list []*ir.Field) int {
	at, pad, n := w.At, 0, 0
	for _, f := range list {
		align := max(pad, f.Align)
		if f.Kind.HasParts() || n > 0 && f.Bits.Overlap == 0 && w.Moved && align > w.grain {
			break
		}
		switch {
		case n == 0: // begin was here
		case f.Bits.Overlap > 0:
			at -= f.Bits.Overlap
		default:
			at = up(at, align)
		}
		at += valueSize(f)
		n++
		if isMeasured(f) {
			break
		}
		pad = f.PadAfter
	}
	if at > w.At {
		w.Require(w.Offset(at))
	}
	return n
}

// isMeasured reports whether a value has no fixed size.
func isMeasured(f *ir.Field) bool {
	return f.Kind == ir.Terminated || f.Kind == ir.Counted && !hasConstantLength(f)
}

// maxConstant is how many characters a text of a constant length may have so that places after it
// are constants. A longer one is measured: sums of constants stay small.
const maxConstant = 1 << 16

// hasConstantLength reports whether a Counted field has always as many characters.
func hasConstantLength(f *ir.Field) bool { return f.Count > 0 && f.Count <= maxConstant }

// valueSize returns the bytes of a value of fixed size, or those in front of one that is measured.
func valueSize(f *ir.Field) int {
	if f.Kind == ir.Counted && hasConstantLength(f) {
		return f.Count
	}
	return f.Size
}

// value visits a field that is one value. It checks the length of a measured Counted field after
// the value, so that a cut one has the bytes that are left.
func (w *walk) value(f *ir.Field, before []ir.Stmt) {
	p := Place{f, w, w.At}
	var end ir.Value
	switch {
	case f.Kind == ir.Terminated:
		w.Measure(&ir.ToNUL{Of: &ir.Slice{Of: w.Bytes(), At: w.Offset(w.At)}})
		w.Require(Sum(w.Offset(w.At+1), Length))
		end = Sum(w.Offset(w.At+1), Length) // and the NUL
	case isMeasured(f):
		w.Measure(w.length(f))
		end = Sum(w.Offset(w.At+f.Size), Length)
	}
	w.add(before...)
	w.add(w.Value(p)...)
	if isMeasured(f) && f.Kind == ir.Counted {
		w.Require(end)
	}
	if n := w.numbers[f]; n != nil {
		w.add(&ir.Let{Slot: n.Slot, V: &ir.Convert{T: ir.U64, X: p.Number()}})
	}
	w.At, w.end, w.pad = w.At+valueSize(f), end, f.PadAfter
}

// length returns the length of a Counted field or of a List, a U64. One that is in front of the
// values is at the current place.
func (w *walk) length(f *ir.Field) ir.Value {
	switch {
	case f.From != nil:
		return w.numbers[f.From]
	case f.Size > 0:
		return &ir.Convert{T: ir.U64, X: w.load(ir.Type{Size: int8(f.Size)}, f.Order, w.At)}
	}
	return &ir.Const{T: ir.U64, V: uint64(f.Count)}
}

// parts visits the members, arms or elements of f.
func (w *walk) parts(f *ir.Field, before []ir.Stmt) {
	w.add(before...)
	switch f.Kind {
	case ir.Struct:
		w.add(w.Open(f)...)
		w.fields(f.Fields)
		w.add(w.Close(f, nil)...)
	case ir.Union:
		w.union(f)
	case ir.Variant:
		w.variant(f)
	case ir.List:
		w.list(f)
	}
	w.pad = max(w.pad, f.PadAfter)
}

// union visits arms of fixed size at one place.
func (w *walk) union(f *ir.Field) {
	w.add(w.Open(f)...)
	at := w.At
	for i, arm := range f.Fields {
		w.At, w.pad = at, 0
		w.one(arm, w.Before(arm, i))
	}
	w.At, w.pad = at+f.Size, 0
	w.add(w.Close(f, nil)...)
}

// variant visits the arms. An earlier number selects one. Places after the variant count from the
// local, which each arm sets to its end.
func (w *walk) variant(f *ir.Field) {
	begin := w.position
	arm := func(visit func()) []ir.Stmt {
		w.position = begin
		w.Out = nil
		visit()
		at := w.Offset(w.At)
		if w.end != nil {
			at = w.end
		}
		w.jump(at, w.pad)
		return w.Out
	}
	var none []ir.Stmt
	if f.Optional {
		none = arm(func() { w.add(w.None(f)...) })
	} else {
		none = []ir.Stmt{&ir.Exit{Reason: ir.Short, At: w.Offset(w.At)}}
	}
	bodies := make([][]ir.Stmt, len(f.Fields))
	for i, a := range f.Fields {
		bodies[i] = arm(func() {
			w.add(w.Open(f)...)
			w.begin(a)
			w.one(a, w.Before(a, i))
			w.add(w.Close(f, nil)...)
		})
	}
	w.position = begin
	w.add(choose(w.numbers[f.From], f, bodies, none))
	w.Moved, w.At, w.grain, w.end, w.pad = true, 0, 1, nil, 0
}

// choose returns a statement that runs the body of the arm that n selects, or none.
func choose(n ir.Value, f *ir.Field, bodies [][]ir.Stmt, none []ir.Stmt) ir.Stmt {
	wide := func(a *ir.Field) bool {
		return slices.ContainsFunc(a.When, func(r ir.Range) bool { return r.Low != r.High })
	}
	if slices.ContainsFunc(f.Fields, wide) {
		return chooseByRange(n, f, bodies, none)
	}
	s := &ir.Switch{X: n, Default: none}
	for i, a := range f.Fields {
		c := ir.SwitchCase{Body: bodies[i]}
		for _, r := range a.When {
			c.Values = append(c.Values, r.Low)
		}
		if c.Values != nil {
			s.Cases = append(s.Cases, c)
		}
	}
	return s
}

// chooseByRange is choose with comparisons. The first arm with a range of the number is selected.
func chooseByRange(n ir.Value, f *ir.Field, bodies [][]ir.Stmt, none []ir.Stmt) ir.Stmt {
	signed := f.From.Type().Signed
	for i := len(f.Fields) - 1; i >= 0; i-- {
		within := ir.Value(zero)
		for j, r := range f.Fields[i].When {
			if in := inside(n, r, signed); j == 0 {
				within = in
			} else {
				within = &ir.Binary{Op: ir.OpLogOr, X: within, Y: in}
			}
		}
		none = []ir.Stmt{&ir.If{Cond: within, Then: bodies[i], Else: none}}
	}
	return none[0]
}

// inside reports whether a number is in a range. It compares nothing that is always so.
func inside(n ir.Value, r ir.Range, signed bool) ir.Value {
	t, least, most := ir.U64, uint64(0), uint64(math.MaxUint64)
	if signed {
		t, least, most = ir.I64, 1<<63, math.MaxInt64
		n = &ir.Convert{T: t, X: n}
	}
	compare := func(op ir.Op, v uint64) ir.Value { return &ir.Binary{Op: op, X: n, Y: &ir.Const{T: t, V: v}} }
	switch {
	case r.Low == r.High:
		return compare(ir.OpEq, r.Low)
	case r.Low == least && r.High == most:
		return one
	case r.Low == least:
		return compare(ir.OpLe, r.High)
	case r.High == most:
		return compare(ir.OpGe, r.Low)
	}
	return &ir.Binary{Op: ir.OpLogAnd, X: compare(ir.OpGe, r.Low), Y: compare(ir.OpLe, r.High)}
}
