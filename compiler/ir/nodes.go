package ir

// Type implements Value.
func (v *Const) Type() Type { return v.T }

// Type implements Value.
func (v *Load) Type() Type { return v.T }

// Type implements Value.
func (v *Local) Type() Type { return v.T }

// Type implements Value.
func (v *Unary) Type() Type {
	if v.Op == OpNot {
		return I32
	}
	return v.X.Type()
}

// Type implements Value.
func (v *Binary) Type() Type {
	switch v.Op {
	case OpEq, OpNe, OpLt, OpLe, OpGt, OpGe, OpLogAnd, OpLogOr:
		return I32
	}
	if v.of != (Type{}) {
		return v.of
	}
	return v.X.Type()
}

// NewBinary returns x op y with its type cached. It is for expressions of any length. For short
// ones, a literal suffices.
func NewBinary(op Op, x, y Value) *Binary { return &Binary{Op: op, X: x, Y: y, of: x.Type()} }

// Type implements Value.
func (v *Cond) Type() Type { return v.Then.Type() }

// Type implements Value.
func (v *Convert) Type() Type { return v.T }

// Type implements Value.
func (v *Len) Type() Type { return I32 }

// Type implements Value.
func (v *Func) Type() Type { return v.T }

// Type implements Value.
func (v *Fact) Type() Type { return v.T }

// Type implements Value.
func (v *Bits) Type() Type { return U64 }

// Type implements Value.
func (v *ToNUL) Type() Type { return U64 }

// Type implements Value.
func (v *TextIs) Type() Type { return I32 }

func (*Const) value()   {}
func (*Load) value()    {}
func (*Local) value()   {}
func (*Unary) value()   {}
func (*Binary) value()  {}
func (*Cond) value()    {}
func (*Convert) value() {}
func (*Len) value()     {}
func (*ToNUL) value()   {}
func (*Func) value()    {}

func (*Fact) value()   {}
func (*Bits) value()   {}
func (*TextIs) value() {}

func (*FieldBytes) region() {}
func (*Str) region()        {}
func (*Slice) region()      {}
func (*CondBytes) region()  {}
func (*LocalBytes) region() {}

func (*CString) text()  {}
func (*CondText) text() {}
func (*Call) text()     {}
func (*Program) text()  {}

func (*FactText) text() {}

func (*Require) stmt()  {}
func (*Exit) stmt()     {}
func (*Keep) stmt()     {}
func (*Lit) stmt()      {}
func (*PutInt) stmt()   {}
func (*PutText) stmt()  {}
func (*Let) stmt()      {}
func (*LetBytes) stmt() {}
func (*If) stmt()       {}
func (*Switch) stmt()   {}
func (*Loop) stmt()     {}

// IsNumbers reports whether a field is a List whose elements are integers of 1, 2, 4 or 8 bytes. A
// Keep may append several of them at once.
func IsNumbers(f *Field) bool {
	if f.Kind != List || f.Fields[0].Kind != Int {
		return false
	}
	e := f.Fields[0]
	return e.Bits.Count == 0 && e.Type().Valid() && int(e.Type().Size) == e.Size
}

// Extend cuts v to t's width and extends it to 64 bits again. This is the form in which every back
// end holds values of type t.
func (t Type) Extend(v uint64) uint64 {
	shift := 64 - 8*uint(t.Size)
	if t.Signed {
		return uint64(int64(v<<shift) >> shift)
	}
	return v << shift >> shift
}
