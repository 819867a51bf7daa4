package ir

// The nodes of this file are for descriptions that read their event from front to back, and that know of the
// recording around it: trcfmt templates, and argument lists of uftrace and LTTng. Format files need none of them.

type (
	// Fact is an integer that the recording, not the record, holds: the process that runs, the number of
	// processors. The back ends ask render.Env.Facts, which says 0 for what it does not know.
	Fact struct {
		T  Type
		ID FactID
	}
	// FactText is a Fact that is text.
	FactText struct{ ID FactID }
	// Bits is Count bits of From that start At bits after its beginning, the most significant bit of a
	// byte first, as an unsigned number. Count is cut to 64. Bits that are not inside From are 0.
	Bits struct {
		From      Region
		At, Count Value // converted to 64 bits, signed; negative is 0
	}
	// ToNUL is the number of bytes of Of before its first 0, the length of Of when there is none: a U64.
	ToNUL struct{ Of Region }
	// TextIs is 1 when T renders exactly S, else 0. T has no effects: it sets no locals, keeps nothing, and calls
	// none of EffectFuncs.
	TextIs struct {
		T Text
		S string
	}
	// Require ends the program as Exit with Short does unless Of has at least Bytes bytes; At is then Bytes. What is
	// read after a Require in the same or in enclosing statements costs no check.
	Require struct {
		Of    Region
		Bytes Value // converted to 64 bits, signed
	}
	// Exit ends the program, also from within loops and nested Programs: what was appended before stays. An Exit or a
	// Require is used only where its text goes straight to the output: not in a text that is padded or cut, that is an
	// argument of a Call, or that a TextIs compares.
	// Why it ended, and At, are left in render.Env.Outcome when that is not nil.
	Exit struct {
		Reason ExitReason
		At     Value // the place in the record, in bytes, that the caller's message names; nil is 0
	}
	// Keep yields a value that the description consumes, for those who want values in place of text. A rendering
	// passes over it. Either V or Of is set, as the Type of the Datum says.
	Keep struct {
		Datum int // index in Event.Values
		V     Value
		Of    Region
	}
)

// Datum is a value that an event yields.
type Datum struct {
	// Name is from the description, and no identifier of any language. No two of an event have the same.
	Name   string
	Source string // what reads it, as written: X4, $status%D
	Type   Type   // of an integer, at most as wide as it was recorded; zero for bytes
	Text   bool   // bytes: characters up to the first NUL
	Float  bool   // an integer of 4 or 8 bytes that holds the bits of an IEEE number
	Hex    bool   // an integer that people read in hexadecimal: an address, or what the description prints so
	Enum   *Enum  // of an integer: the names of its values; nil for none
	// Optional reports whether a record may lack it, Repeated whether one may have several.
	Optional, Repeated bool
}

// Enum is an enumeration. Func of TextFuncs prints a value by the table, whose rows are as it wants them. Without a name it
// is that of one event: what its text calls the values of the Datum. Type is a Go type of the runtime that has the names, as import
// path and name with a dot between them, for numbers that do not depend on the recording; otherwise it is "".
type Enum struct {
	Name, Func string
	Table      *Table
	Type       string
}

// OfC reports whether e is an enumeration of C, whose values are ints wherever they were recorded, and not what a
// text calls some values.
func (e *Enum) OfC() bool {
	return e != nil && e.Func != "ValueName" && e.Func != "SignedName" && e.Func != "FlagNames"
}

// FactID names a Fact. The numbers are those of render.Fact; a test compares them.
type FactID uint8

// ExitReason is why a program ended before its end. The numbers are those of render.ExitReason.
type ExitReason uint8

// The reasons.
const (
	Ended ExitReason = iota // it did not: the program ran to its end
	Break                   // the event is complete
	Skip                    // nothing of the event is to be printed
	Stop                    // the report ends after this event
	Error                   // the description says that the event is wrong
	Short                   // the record ends before what the description reads
)

// MakesSure finds what of the record is known where v is not 0: v compares the length of a Tail field with a constant
// n, so that its first n bytes are there. The back ends then read them without a check.
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

// WithBudget adds to the condition of a Loop that the U64 in slot is less than most. The body of the loop adds to that
// slot what a turn costs, at least 1: loops within loops then share a bound, and Check does not multiply
// their limits.
func WithBudget(cond Value, slot int, most uint64) Value {
	within := &Binary{Op: OpLt, X: &Local{T: U64, Slot: slot}, Y: &Const{T: U64, V: most}}
	return &Binary{Op: OpLogAnd, X: within, Y: cond}
}

// hasBudget recognises what WithBudget made, with a body that begins with the addition.
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
