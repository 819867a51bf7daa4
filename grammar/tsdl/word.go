package tsdl

import (
	"sync"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"
)

// A Word is a part of a type, the name of a field, or a star. It has its own parser, because nearly
// all words are one token.
type Word struct {
	Pos     lexer.Position
	Name    string
	Scalar  string // its text, for ReadScalar
	Struct  *Struct
	Enum    *Enum
	Variant *Variant
}

// Parsers of types, which start at the token after the keyword.
var (
	structs  = parserOf[Struct]()
	enums    = parserOf[Enum]()
	variants = parserOf[Variant]()
)

// parserOf returns a parser with the tokens of TSDL. It looks ahead as far as necessary: two or
// three tokens are enough to decide.
func parserOf[T any]() func() *participle.Parser[T] {
	return sync.OnceValue(func() *participle.Parser[T] {
		return participle.MustBuild[T](participle.Lexer(textLexer{}),
			participle.UseLookahead(participle.MaxLookahead))
	})
}

// Parse implements participle.Parseable: Word | '*' | Scalar | 'struct' Struct | 'enum' Enum |
// 'variant' Variant.
func (w *Word) Parse(l *lexer.PeekingLexer) (err error) {
	t := l.Peek()
	w.Pos = t.Pos
	switch {
	case t.Type == tokWord, t.Type == tokMark && t.Value == "*":
		w.Name = l.Next().Value
	case t.Type == tokScalar:
		w.Scalar = l.Next().Value
	case t.Type != tokReserved:
		return participle.NextMatch
	case t.Value == "struct":
		w.Struct, err = follow(structs(), l)
	case t.Value == "enum":
		w.Enum, err = follow(enums(), l)
	case t.Value == "variant":
		w.Variant, err = follow(variants(), l)
	default:
		return participle.NextMatch
	}
	return err
}

// follow parses a type from the token after its keyword.
func follow[T any](parser *participle.Parser[T], l *lexer.PeekingLexer) (*T, error) {
	l.Next()
	return parser.ParseFromLexer(l, participle.AllowTrailing(true))
}
