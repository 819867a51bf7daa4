// Package ir defines the intermediate representation of an event: the layout of its record, and a
// small program that prints it or yields its values.
//
// Compilers of four description languages produce it. Package interp runs it and package gen writes
// Go from it. Both must give the same bytes. So the comments of the nodes define every operation
// completely, including cases that C leaves undefined. [Unit.Dump] prints it.
package ir

// A Unit is the result of one compilation.
type Unit struct {
	Lang string // "ftrace", "trcfmt", "uftrace", "lttng"
	// Container is the import path of the package that reads recordings of the events. It has a
	// type Recording. Its package layout has a function Of, which generated decoders use to read a
	// recording. Entries reports that the package has a type Entry, and that each record has an
	// entry.
	Container string
	Entries   bool
	// Sequential reports that records are read from front to back. Fields are then Sequential, or
	// only programs find the values.
	Sequential bool
	Source     string // where the descriptions came from, relative, for headers of generated files
	Target     Target
	// Events are sorted by group, then name, then id. The calls and the returns of a function are
	// two consecutive events.
	Events []*Event
}

// Target is the machine that recorded. It determines the meaning of the bytes of a record.
type Target struct {
	BigEndian bool
	WordSize  int // bytes of a C long and of a pointer: 4 or 8
	// Kernel is the version of the Linux kernel that described its events, major<<8 | minor, or 0
	// if unknown. It determines the meaning of unresolved names in its descriptions.
	Kernel uint32
	// Names has the enumerators of that kernel. It is nil if they are unknown.
	Names Names
}

// SameMachine reports whether records of both have the same layout.
func (t Target) SameMachine(o Target) bool {
	return t.BigEndian == o.BigEndian && t.WordSize == o.WordSize
}

// Names finds enumerators of C. Its values are comparable: pointers.
type Names interface {
	Enumerator(name string) (value int64, ok bool)
}

// An Event is one kind of record.
type Event struct {
	Group, Name string // "sched", "sched_switch"; for a function its module and its symbol
	// Label is the usual name where Name is a key: the label of a hook, the name of a function
	// without parameters.
	Label string
	// Ident is the base of the event's identifier in a program. If it is empty, the base is Name
	// or, if the unit is Sequential, Label or Name. The Group is added where necessary.
	Ident string
	ID    uint32
	// Exit reports that the records are returns from a function. Its calls are another event.
	Exit bool
	// Variants are the event in each environment of a trace that mixes them. For AIX the
	// environments are 32-bit hook words, 32-bit generic ones, 64-bit hook words, 64-bit generic
	// ones. The event itself then has only its name.
	Variants []*Event
	// Variant is the constant of Unit.Container that names the environment of a variant. WordSize
	// is the word size of its Target. Start is the offset of its data. Size is the end of the part
	// that every record has.
	Variant         string
	WordSize, Start int
	// Fields are in the order of the description. If only a program finds the values, the first
	// field is a Tail for the whole record, which programs read. The values follow it. They are
	// Sequential or Computed. See [Event.Values].
	Fields []*Field
	// Size is the minimal size in bytes of a record of this event: the end of its last fixed field.
	// A shorter record is damaged, and neither back end reads its fields.
	Size int
	// Text renders the event. If it is nil and HasText is false, the description has no usable
	// rendering. Why is then the reason, and only the fields can be printed.
	Text    []Stmt
	HasText bool
	Why     string
	// Decode is the program that yields the Sequential and Computed fields by Keep. It decides
	// which of them a record has, and does not print.
	Decode []Stmt
	// Slots is the number of local values and Buffers the number of local texts. Text and Decode
	// each use their own.
	Slots, Buffers int
}

// A Field is one value of an event: in the record, in a Struct, or an element of a List.
type Field struct {
	// Name is unique among the values of an event and among the members of a Struct. It need not be
	// an identifier of any language. An element of a List has no name.
	Name string
	// Labels are other names of the value in the description. Fields are also found by them.
	Labels []string
	CType  string // as declared or written, for display: "unsigned long", "char[16]", "$D1%U"
	Kind   Kind
	// Offset and Size are in bytes. Size is the size of the fixed part: the length-and-offset word
	// of a Dynamic field, the length in front of a Counted field or a List. For a Tail and a
	// Terminated field it is 0. For a Union it is the size of all arms. Offset may be Sequential or
	// Computed.
	Offset, Size int
	Signed       bool
	// Value is the type of a number if it differs from Size and Signed. For example, a system
	// call's int is in the low half of a word. The zero value means no difference. See
	// [Field.Type].
	Value Type
	Hex   bool  // an integer that is usually printed in hexadecimal: an address
	Enum  *Enum // of an integer: the names of its values; may be nil
	// Elem is the element size in bytes of Array, Dynamic and Tail fields. The size 1 also means
	// that the bytes have no element order: they are never swapped when a record is relocated.
	Elem int
	Rel  bool // Dynamic: the offset counts from the end of the word, not from the start of the record
	Text bool // the elements are characters, NUL-terminated
	// Fault marks a text that could not be read if it has no bytes, not even a NUL: strings of
	// probes.
	Fault bool
	// Common is set for the fields at the beginning of every event of the recording.
	Common bool
	// Optional reports whether a record may lack the value.
	Optional bool
	// Fields are the members of a Struct in their order, the arms of a Union or a Variant, or the
	// element of a List. They have the same kind of Offset as the field itself.
	Fields   []*Field
	Sequence // of a field whose Offset is Sequential; zero in others
}

// Sequence is the part of a sequential field that fields with an offset do not have: its place
// after the field before it, and a length or choice that another field determines.
type Sequence struct {
	// Align and PadAfter are powers of two; 0 means 1. The field's offset in the record is a
	// multiple of Align. The offset after a Terminated field, or after a Struct or an element, is a
	// multiple of PadAfter. The offset after an empty List is a multiple of its element's Align.
	Align, PadAfter int
	// Bits is set for an integer that is a bit field.
	Bits BitField
	// Order is the byte order of a number if it differs from the recording's.
	Order Order
	// Count is the number of elements of a List, or of characters of a Counted field, whose Size is
	// 0 and that has no From.
	Count int
	// From is an earlier integer, of the same structure or of one around it, for a field whose Size
	// is 0. It is the length of a List or of a Counted field, or it selects the arm of a Variant.
	From *Field
	// When are the values of From that select this arm of a Variant. Arms are Optional. A Variant
	// that is Optional has no bytes if no arm is selected. Otherwise such a record is damaged.
	When []Range
}

// BitField is the place of a bit field: Count bits of the recorded number of Size bytes, from bit
// At on. Bit 0 is the least significant one. The number begins Overlap bytes before the end of the
// bit field in front of it, without alignment.
type BitField struct{ Count, At, Overlap int }

// Range is a range of integers, from Low to High. Both have the type of the field that they are
// compared with, extended to 64 bits.
type Range struct{ Low, High uint64 }

// Order is a byte order.
type Order uint8

// The byte orders.
const (
	AsRecorded Order = iota // the recording's: Target.BigEndian
	LittleEndian
	BigEndian
)

// Offsets of fields without a fixed place. Programs do not read these fields. They find them.
const (
	Sequential = -1 // after the field before it
	Computed   = -2 // only Event.Decode knows its place
)

// Type returns the type of the value of a number, and the zero Type for other fields.
func (f *Field) Type() Type {
	switch {
	case f.Kind != Int && f.Kind != Float:
		return Type{}
	case f.Value != Type{}:
		return f.Value
	case f.Bits.Count > 0:
		return Type{Size: bitsSize(f.Bits.Count), Signed: f.Signed}
	}
	return Type{Size: int8(f.Size), Signed: f.Signed}
}

// bitsSize returns the size in bytes of the smallest type that holds n bits.
func bitsSize(n int) int8 {
	size := int8(1)
	for int(size) < 8 && n > 8*int(size) {
		size *= 2
	}
	return size
}

// Decoded reports whether the program Decode of the event finds the value of f.
func (f *Field) Decoded() bool { return f.Offset < 0 }

// Values returns the fields that Decode yields, without their members and elements.
func (ev *Event) Values() []*Field {
	for i, f := range ev.Fields {
		if f.Decoded() {
			return ev.Fields[i:]
		}
	}
	return nil
}

// AllValues returns the fields that Decode yields, each followed by its members and elements.
// Programs identify the values by their place in this list.
func (ev *Event) AllValues() []*Field { return appendAll(nil, ev.Values()) }

func appendAll(list, fields []*Field) []*Field {
	for _, f := range fields {
		list = appendAll(append(list, f), f.Fields)
	}
	return list
}

// Kind is the layout of a field.
type Kind uint8

// The kinds of fields. Float to Variant are Sequential or Computed.
const (
	Int        Kind = iota // Size is 1, 2, 4 or 8
	Array                  // Size/Elem integers of Elem bytes, or characters if Text is set
	Dynamic                // a word: length<<16 | offset, of data elsewhere in the record
	Tail                   // from Offset to the end of the record
	Bytes                  // opaque
	Float                  // an IEEE number of 4 or 8 bytes, or a wider one whose Value is converted to such a size
	Counted                // sequential: a length of Size bytes (no length with From), and as many characters
	Terminated             // sequential: characters and a final NUL
	Struct                 // Fields, one after another
	Union                  // Fields, all at the same place
	List                   // a length of Size bytes (no length if Size is 0), and as many values of Fields[0]
	Variant                // one of Fields, or nothing
)

// HasParts reports whether fields of that kind have members, arms or an element.
func (k Kind) HasParts() bool { return k == Struct || k == Union || k == List || k == Variant }

// Type is the type of a Value. Values are integers of 1, 2, 4 or 8 bytes; arithmetic wraps.
type Type struct {
	Size   int8
	Signed bool
}

// The types by name.
var (
	I8  = Type{1, true}
	U8  = Type{1, false}
	I16 = Type{2, true}
	U16 = Type{2, false}
	I32 = Type{4, true}
	U32 = Type{4, false}
	I64 = Type{8, true}
	U64 = Type{8, false}
)

// Value is an expression that yields an integer.
type Value interface {
	Type() Type
	value()
}

// Every Value:
var (
	_ Value = (*Const)(nil)
	_ Value = (*Load)(nil)
	_ Value = (*Local)(nil)
	_ Value = (*Unary)(nil)
	_ Value = (*Binary)(nil)
	_ Value = (*Cond)(nil)
	_ Value = (*Convert)(nil)
	_ Value = (*Len)(nil)
	_ Value = (*Func)(nil)
	_ Value = (*Fact)(nil)
	_ Value = (*Bits)(nil)
	_ Value = (*ToNUL)(nil)
	_ Value = (*TextIs)(nil)
)

type (
	// Const is a constant. V holds the bits, sign- or zero-extended to 64 according to T.
	Const struct {
		T Type
		V uint64
	}
	// Load reads T.Size bytes at byte offset At of From, in the byte order of the recording. A read
	// that is not wholly inside From yields 0.
	Load struct {
		T    Type
		From Region
		At   Value // nil means 0; converted to 64 bits
	}
	// Local is the value of slot Slot, set by Let. An unset slot is 0. All Let and Local of one
	// slot have the same type.
	Local struct {
		T    Type
		Slot int
	}
	// Unary is -x (OpNeg), ^x (OpCompl) in X's type, or !x (OpNot), which is an I32.
	Unary struct {
		Op Op
		X  Value
	}
	// Binary is X Op Y. Both operands have the same type, except in two cases: for shifts the type
	// is X's, and && and || evaluate Y only if needed. Comparisons, && and || are I32 0 or 1.
	// Division and remainder by zero yield 0, the most negative number divided by -1 itself. Shift
	// counts are taken modulo the width of X, as on x86.
	Binary struct {
		Op   Op
		X, Y Value
		of   Type // type of X if NewBinary made it, so that long sums need not search for their first operand
	}
	// Cond is If != 0 ? Then : Else; both arms have the same type. Either arm may be evaluated
	// needlessly: values have no effects.
	Cond struct{ If, Then, Else Value }
	// Convert is a C cast: truncate to T, then extend according to T.
	Convert struct {
		T Type
		X Value
	}
	// Len is the length of a region in bytes, as an I32.
	Len struct{ Of Region }
	// Func calls the integer function Name of runtime/render (listed in funcs.go). Arguments are
	// passed as uint64 (extended by their type). The result is converted to T.
	Func struct {
		T    Type
		Name string
		Args []Value
	}
)

// Op is an operator.
type Op string

// The operators, spelled as in C.
const (
	OpNeg, OpNot, OpCompl           Op = "neg", "!", "~"
	OpAdd, OpSub, OpMul, OpDiv      Op = "+", "-", "*", "/"
	OpRem, OpAnd, OpOr, OpXor       Op = "%", "&", "|", "^"
	OpShl, OpShr, OpLogAnd, OpLogOr Op = "<<", ">>", "&&", "||"
	OpEq, OpNe, OpLt, OpLe          Op = "==", "!=", "<", "<="
	OpGt, OpGe                      Op = ">", ">="
)

// Region is an expression that yields bytes: a part of the record or a constant.
type Region interface{ region() }

// Every Region:
var (
	_ Region = (*FieldBytes)(nil)
	_ Region = (*Str)(nil)
	_ Region = (*Slice)(nil)
	_ Region = (*CondBytes)(nil)
	_ Region = (*LocalBytes)(nil)
)

type (
	// FieldBytes is the data of a field as recorded. For an Int, Array or Bytes field they are the
	// fixed bytes. For a Dynamic field they are the data that its word refers to; if the word
	// points outside the record, they are empty. For a Tail they are the rest of the record.
	FieldBytes struct{ Field *Field }
	// Str is constant bytes.
	Str struct{ S string }
	// Slice is Of[At:] or Of[At:At+Len], cut to the available bytes. A negative At or Len yields
	// nothing. Both are taken as signed 64-bit numbers, even if their type is U64. A nil At means
	// 0.
	Slice struct {
		Of  Region
		At  Value
		Len Value // nil means to the end
	}
	// CondBytes is If != 0 ? Then : Else.
	CondBytes struct {
		If         Value
		Then, Else Region
	}
	// LocalBytes is the contents of buffer Slot, set by LetBytes and empty before.
	LocalBytes struct{ Slot int }
)

// Text is an expression that appends characters to the output.
type Text interface{ text() }

// Every Text:
var (
	_ Text = (*CString)(nil)
	_ Text = (*CondText)(nil)
	_ Text = (*Call)(nil)
	_ Text = (*Program)(nil)
	_ Text = (*FactText)(nil)
)

type (
	// CString is the bytes of Of up to the first NUL or its end.
	CString struct{ Of Region }
	// CondText is If != 0 ? Then : Else. Only the selected arm is rendered.
	CondText struct {
		If         Value
		Then, Else Text
	}
	// Call appends the output of the function Name of runtime/render (listed in funcs.go).
	Call struct {
		Name string
		Args []Arg
	}
	// Program appends the output of its statements.
	Program struct{ Body []Stmt }
)

// An Arg is an argument of a Call: a Value, a Region, a *Table, a Text (passed rendered, as bytes)
// or a StrArg.
type Arg any

// StrArg is a Go string argument of a Call.
type StrArg string

// Table is the list of __print_symbolic, __print_flags and similar functions.
type Table struct{ Rows []Row }

// Row is one pair of a Table. Value is extended to 64 bits by the C rules of the language.
type Row struct {
	Value uint64
	Text  string
}

// Stmt is a statement of a rendering program.
type Stmt interface{ stmt() }

// Every Stmt:
var (
	_ Stmt = (*Lit)(nil)
	_ Stmt = (*PutInt)(nil)
	_ Stmt = (*PutText)(nil)
	_ Stmt = (*Let)(nil)
	_ Stmt = (*LetBytes)(nil)
	_ Stmt = (*If)(nil)
	_ Stmt = (*Switch)(nil)
	_ Stmt = (*Loop)(nil)
	_ Stmt = (*Require)(nil)
	_ Stmt = (*Exit)(nil)
	_ Stmt = (*Keep)(nil)
)

type (
	// Lit appends constant text.
	Lit struct{ S string }
	// PutInt appends an integer by a printf verb: d, x, X, o or c. For d, V's own type decides the
	// sign: an unsigned V prints unsigned. x, X and o print the bits of V in V's own width, as in
	// C: %x of an I32 -1 is ffffffff.
	PutInt struct {
		V    Value
		Spec Spec
	}
	// PutText appends a text, cut to the precision and padded to the width.
	PutText struct {
		T    Text
		Spec Spec
	}
	// Let sets local slot Slot.
	Let struct {
		Slot int
		V    Value
	}
	// LetBytes sets local buffer Slot.
	LetBytes struct {
		Slot int
		V    Region
	}
	// If runs Then if Cond is not 0, else Else.
	If struct {
		Cond       Value
		Then, Else []Stmt
	}
	// Switch runs the first case with X's value, else Default. Cases do not fall through.
	Switch struct {
		X       Value
		Cases   []SwitchCase
		Default []Stmt
	}
	// Loop runs Body while Cond is not 0, at most Limit times.
	Loop struct {
		Cond  Value
		Body  []Stmt
		Limit int
	}
)

// SwitchCase is one arm of a Switch. The constants are in X's type.
type SwitchCase struct {
	Values []uint64
	Body   []Stmt
}

// Spec is a printf conversion.
type Spec struct {
	Verb                            byte
	Minus, Plus, Space, Sharp, Zero bool
	Width, Prec                     int // absent: Width 0, Prec -1
	// WidthArg and PrecArg are the values of `*`, or nil. A negative width means Minus, a negative
	// precision means no precision.
	WidthArg, PrecArg Value
}
