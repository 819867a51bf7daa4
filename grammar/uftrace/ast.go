package uftrace

import "github.com/alecthomas/participle/v2/lexer"

// Item is a pattern of function names and what is declared for them: `foo@arg1/i32,retval;bar.*@filter` has two.
type Item struct {
	Pos     lexer.Position
	Pattern string // a name, a regular expression or a glob, as written; may be mangled
	Specs   []*Spec
	Actions []*Action // of triggers only
	// Module restricts the item to functions of modules whose base name begins so; PLT: to library calls; kernel.
	Module string
	// Broken is set when an error is reported for the item: uftrace leaves out all of it.
	Broken bool
}

// Target is what a spec describes.
type Target uint8

// The targets.
const (
	Arg    Target = iota // argN
	Float                // fpargN: floating-point arguments are counted apart
	Result               // retval
)

// Spec is one value of a function: `fparg2/32%stack+1`.
type Spec struct {
	Pos      lexer.Position
	Target   Target
	Index    int       // N, from 1; 0 for a result
	Format   *Format   // nil without
	Location *Location // nil without
}

// Format is how a value is stored and shown.
type Format struct {
	Pos lexer.Position
	// Letter is d i u x o s S c f p e t, 0 when only a size is written (fparg1/32).
	Letter byte
	// Bits is the size as written: 8, 16, 32, 64 or 80; 0 without. Of a structure (t) it is 0.
	Bits int
	// Bytes is the size of a structure.
	Bytes int
	// Name is that of an enum or of a structure, "" of a structure without.
	Name string
}

// Location is where a value is: on the stack, in a register, or, of a structure, in several.
type Location struct {
	Pos       lexer.Position
	Stack     bool
	Offset    int      // on the stack, in words
	Registers []string // as written
	// Text is the location as written, without the percent sign.
	Text string
}

// Action is a word of a trigger: `depth=2`, `filter`, `read=proc/statm`.
type Action struct {
	Pos      lexer.Position
	Name     string // as written
	Value    string
	HasValue bool
}

// Enum is a declaration: `enum kind {food,tool=5,book}`.
type Enum struct {
	Pos       lexer.Position
	Name      string // "" when it has none
	Constants []*Constant
}

// Constant is a name of an enum. Without a number it is one more than the one before it.
type Constant struct {
	Pos       lexer.Position
	Name      string
	Value     int64
	HasNumber bool // written: decimal, 0x hexadecimal or 0 octal
}
