package uftrace

import "github.com/alecthomas/participle/v2/lexer"

// Enum is a declaration: `enum kind {food,tool=5,book}`.
type Enum struct {
	Pos       lexer.Position
	Name      string // "" if it has no name
	Constants []*Constant
}

// A Constant is a name of an enum. A constant without a number is one more than the constant before
// it.
type Constant struct {
	Pos       lexer.Position
	Name      string
	Value     int64
	HasNumber bool // the number is written: decimal, 0x hexadecimal or 0 octal
}
