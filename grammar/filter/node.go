package filter

import "regexp"

// Node is an expression of a filter: a Number, Real, Text, Field, *Unary, *Binary or *Match.
type Node interface{ isNode() }

// The expressions.
type (
	Number struct {
		Value int64
		Above bool // the number is out of range: Value has its bits
	}
	Real  struct{ Value float64 }
	Text  struct{ Value string } // without its quotes
	Field struct {
		Name string
		Pos  int // in the source, in bytes
	}
	Unary struct {
		Op string // ! - ~
		X  Node
	}
	Binary struct {
		Op   string // && || == != < <= > >= + - * / % & | ^
		X, Y Node
	}
	// Match is x =~ "text", x !~ "text" or x ~ "text".
	Match struct {
		X      Field
		Regexp *regexp.Regexp // of Text; for =~ and !~ without regard to case
		Text   string
		Op     string
	}
)

func (Number) isNode()  {}
func (Real) isNode()    {}
func (Text) isNode()    {}
func (Field) isNode()   {}
func (*Unary) isNode()  {}
func (*Binary) isNode() {}
func (*Match) isNode()  {}
