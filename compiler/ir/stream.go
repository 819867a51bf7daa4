package ir

// The nodes of this file are for descriptions that are read from front to back, and that use facts
// about the recording: trcfmt templates, and argument lists of uftrace and LTTng. Format files do
// not need them.

type (
	// Fact is an integer that is known from the recording but not in the record: the running
	// process, the number of processors. The back ends call render.Env.Facts, which returns 0 for
	// unknown facts.
	Fact struct {
		T  Type
		ID FactID
	}
	// FactText is a Fact that is text.
	FactText struct{ ID FactID }
	// Bits is Count bits of From from bit At on, as an unsigned number. The most significant bit of
	// a byte comes first. Count is cut to 64. Bits that are not inside From are 0.
	Bits struct {
		From      Region
		At, Count Value // converted to 64 bits, signed; negative is 0
	}
	// ToNUL is the number of bytes of Of before its first 0, or the length of Of: a U64.
	ToNUL struct{ Of Region }
	// TextIs is 1 if T renders exactly S, else 0. T must not have effects: it sets no locals, keeps
	// no values, and calls none of EffectFuncs.
	TextIs struct {
		T Text
		S string
	}
	// Require ends the program as Exit with Short does unless Of has at least Bytes bytes. At is
	// then Bytes. Reads after a Require, in the same block or in blocks within it, cost no check.
	Require struct {
		Of    Region
		Bytes Value // converted to 64 bits, signed
	}
	// Exit ends the program, also from within loops and nested Programs. Text appended before
	// stays. An Exit or a Require is used only where its text goes straight to the output. It must
	// not be in a text that is padded or cut, that is an argument of a Call, or that a TextIs
	// compares. Reason and At are stored in render.Env.Outcome if that is not nil.
	Exit struct {
		Reason ExitReason
		At     Value // the offset in the record for the caller's message, in bytes; nil means 0
	}
	// Keep yields a value, for callers that want values instead of text. A rendering skips it.
	// Field is one of Event.AllValues. V is set for a number and Of for bytes. A value of an
	// element of a List is appended to the list.
	//
	// For a Struct, a Union and a List, both are nil. Keep then begins a new value without members
	// or elements: a structure in a list is appended. It comes before the Keep of a member, in the
	// same or an enclosing block. A List that is not an element may begin with its first element
	// instead. For a List of integers, Of may be set. It has the bytes of elements, one after
	// another in their byte order, which are appended to the list.
	Keep struct {
		Field *Field
		V     Value
		Of    Region
	}
)

// An Enum is an enumeration. Func, one of TextFuncs, prints a value by the table. The rows have the
// form that Func expects. An Enum without a name belongs to one event. It has the names that the
// event's text uses for the values of the field. Type is a Go type of the runtime that has the
// names, as import path and name joined by a dot. It is for numbers that do not depend on the
// recording, and otherwise "".
type Enum struct {
	Name, Func string
	Table      *Table
	Type       string
}

// OfC reports whether e is an enumeration of C, whose values are always ints. Otherwise it has the
// names that a text uses for some values.
func (e *Enum) OfC() bool {
	if e == nil || e.HasRanges() {
		return false
	}
	switch e.Func {
	case "ValueName", "SignedName", "FlagNames", "ErrnoName":
		return false
	}
	return true
}

// HasRanges reports whether a row of e without text begins a range of values.
func (e *Enum) HasRanges() bool {
	return e != nil && (e.Func == "RangeName" || e.Func == "SignedRangeName")
}

// A FactID names a Fact. The numbers are the same as in render.Fact. A test compares them.
type FactID uint8

// An ExitReason is why a program ended early. The numbers are the same as in render.ExitReason.
type ExitReason uint8

// The reasons.
const (
	Ended ExitReason = iota // the program ran to its end
	Break                   // the event is complete
	Skip                    // nothing of the event must be printed
	Stop                    // the report ends after this event
	Error                   // the event is wrong by its description
	Short                   // the record ends before a field that the description reads
)

// MakesSure finds the guaranteed part of the record if v is not 0. If v compares the length of a
// Tail field with a constant n, its first n bytes exist. The back ends then read them without a
// check.
func MakesSure(v Value) (f *Field, n int64, ok bool) {
	b, ok := v.(*Binary)
	if !ok || b.Op != OpGe {
		return nil, 0, false
	}
	x := b.X
	if c, ok := x.(*Convert); ok && c.T.Size >= 4 {
		x = c.X
	}
	l, ok1 := x.(*Len)
	k, ok2 := b.Y.(*Const)
	if !ok1 || !ok2 || int64(k.V) <= 0 || int64(k.V) > maxRecord {
		return nil, 0, false
	}
	of, ok := l.Of.(*FieldBytes)
	if !ok || of.Field.Kind != Tail {
		return nil, 0, false
	}
	return of.Field, int64(k.V), true
}

// WithBudget adds to the condition of a Loop that the U64 in slot is less than most. The body of
// the loop adds the cost of a turn, at least 1, to that slot. Nested loops then share a bound, and
// Check does not multiply their limits.
func WithBudget(cond Value, slot int, most uint64) Value {
	within := &Binary{Op: OpLt, X: &Local{T: U64, Slot: slot}, Y: &Const{T: U64, V: most}}
	return &Binary{Op: OpLogAnd, X: within, Y: cond}
}

// hasBudget recognises a condition of WithBudget with a body that begins with the addition.
func hasBudget(s *Loop) bool {
	cond, ok := s.Cond.(*Binary)
	if !ok || cond.Op != OpLogAnd || len(s.Body) == 0 {
		return false
	}
	within, ok := cond.X.(*Binary)
	if !ok || within.Op != OpLt {
		return false
	}
	slot, ok1 := within.X.(*Local)
	most, ok2 := within.Y.(*Const)
	let, ok3 := s.Body[0].(*Let)
	if !ok1 || !ok2 || !ok3 || slot.T != U64 || let.Slot != slot.Slot || most.V > maxBudget {
		return false
	}
	sum, ok := let.V.(*Binary)
	if !ok || sum.Op != OpAdd {
		return false
	}
	was, ok1 := sum.X.(*Local)
	cost, ok2 := sum.Y.(*Const)
	return ok1 && ok2 && was.Slot == slot.Slot && cost.V > 0
}
