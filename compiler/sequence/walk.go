package sequence

import (
	"math"
	"slices"

	"github.com/tracec/tracec/compiler/ir"
)

// Visitor returns the statements for the fields that a walk visits.
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

// Walk returns a program that visits fields, the values of a payload, in their order. If a record
// ends before a value does, the program ends as Short. Walk also returns the number of slots that
// the program needs. bigEndian is the byte order of the recording.
//
// The places of fields have the same meaning as in package bind: see [ir.Field]. A list with
// elements that may have no bytes is limited to 256 elements, or to the number of bytes that are
// left if this is greater.
func Walk(data *ir.Field, fields []*ir.Field, bigEndian bool, v Visitor) (body []ir.Stmt, slots int) {
	w := &walk{
		position: position{Cursor: Cursor{Data: data}}, Visitor: v, bigEndian: bigEndian, slots: Slots, free: Slots,
		numbers: map[*ir.Field]*ir.Local{},
	}
	w.refer(fields)
	w.fields(fields)
	return w.Out, w.slots
}

// walk is a position in a payload. After a value without a fixed size, places are relative to a
// local. The local is aligned for the next field, and computed again if a later field needs more
// alignment. Places in the elements of a list are relative to another local, which moves from one
// element to the next.
type walk struct {
	position
	Visitor
	bigEndian bool
	slots     int // total number of slots
	free      int // the first slot that is not in use
	budget    int // the slot that counts the turns of all loops; 0 without loops

	numbers map[*ir.Field]*ir.Local // the integers that later fields refer to
}

// position is a place, with the known facts about it.
type position struct {
	Cursor
	grain int      // if Moved: the base of places is a multiple of it
	pad   int      // the next place is a multiple of it, 0 is 1
	end   ir.Value // the end of a value without a fixed size, until the next field; else nil
}

// refer allocates slots for the integers that fields refer to.
func (w *walk) refer(fields []*ir.Field) {
	for _, f := range fields {
		if n := f.From; n != nil && w.numbers[n] == nil {
			w.numbers[n] = local(w.slot())
		}
		w.refer(f.Fields)
	}
}

// slot allocates a slot. The caller restores free when it no longer needs the slot.
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
	sure := 0 // number of fields that are already checked
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

// one visits a field at the current place. The statements before run in front of it.
func (w *walk) one(f *ir.Field, before []ir.Stmt) {
	if f.Kind.HasParts() {
		w.parts(f, before)
	} else {
		w.sure([]*ir.Field{f})
		w.value(f, before)
	}
}

// begin moves to the place of f, after the field in front of it.
func (w *walk) begin(f *ir.Field) {
	if f.Bits.Overlap > 0 {
		w.At, w.pad = w.At-f.Bits.Overlap, 0
		return
	}
	w.align(max(w.pad, f.Align))
}

// farthest is the maximum distance of a place from its base, so that sums of constants stay small
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

// jump moves to the first multiple of grain at or after a place.
func (w *walk) jump(at ir.Value, grain int) {
	w.Jump(RoundUp(at, grain))
	w.grain, w.end = max(grain, 1), nil
}

// sure checks that the values from the current place on are present, up to the first value without
// a fixed size or place. It returns the number of checked values.
func (w *walk) sure(list []*ir.Field) int {
	at, pad, n := w.At, 0, 0
	for _, f := range list {
		align := max(pad, f.Align)
		if f.Kind.HasParts() || n > 0 && f.Bits.Overlap == 0 && w.Moved && align > w.grain {
			break
		}
		switch {
		case n == 0: // begin has moved here
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

// maxConstant is the maximum constant length of a text for which the places after it are constants.
// A longer text is measured, so that sums of constants stay small.
const maxConstant = 1 << 16

// hasConstantLength reports whether the length of a Counted field is constant.
func hasConstantLength(f *ir.Field) bool { return f.Count > 0 && f.Count <= maxConstant }

// valueSize returns the size in bytes of a value of fixed size, or of the part in front of a
// measured value.
func valueSize(f *ir.Field) int {
	if f.Kind == ir.Counted && hasConstantLength(f) {
		return f.Count
	}
	return f.Size
}

// value visits a field with one value. It checks the length of a measured Counted field after the
// value, so that the value of a cut field has the bytes that are left.
func (w *walk) value(f *ir.Field, before []ir.Stmt) {
	p := Place{f, w, w.At}
	var end ir.Value
	switch {
	case f.Kind == ir.Terminated:
		w.Measure(&ir.ToNUL{Of: &ir.Slice{Of: w.Bytes(), At: w.Offset(w.At)}})
		w.Require(Sum(w.Offset(w.At+1), Length))
		end = Sum(w.Offset(w.At+1), Length) // including the NUL
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

// length returns the length of a Counted field or a List as a U64. A length in front of the values
// is at the current place.
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

// variant visits the arms. An earlier number selects an arm. Places after the variant are relative
// to the local, which each arm sets to its end.
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

// choose returns a statement that runs the body of the arm selected by n, or else the statements
// none.
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

// chooseByRange is choose with comparisons. It selects the first arm with a range that contains the
// number.
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

// inside reports whether a number is in a range. It omits comparisons that are always true.
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
