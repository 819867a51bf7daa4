package tsdl

import (
	"slices"

	"github.com/alecthomas/participle/v2/lexer"
)

// The grammar needs one or two tokens to decide, so its rules are functions that never go back.
// An error is therefore at the first token that cannot follow those before it.

// cursor is a place in the tokens of a declaration.
type cursor struct {
	tokens []lexer.Token
	at     int
	depth  int // rules of words around
	failed int // the token of the first error; -1
}

func newCursor(tokens []lexer.Token) *cursor { return &cursor{tokens: tokens, failed: -1} }

// end is the token after the last one.
var end = lexer.EOFToken(lexer.Position{})

// peek returns the token at a distance. After an error, there are no more tokens.
func (c *cursor) peek(distance int) *lexer.Token {
	if c.failed >= 0 || c.at+distance >= len(c.tokens) {
		return &end
	}
	return &c.tokens[c.at+distance]
}

// next takes the next token.
func (c *cursor) next() *lexer.Token {
	t := c.peek(0)
	if c.at < len(c.tokens) {
		c.at++
	}
	return t
}

// fail notes that the next token cannot follow.
func (c *cursor) fail() {
	if c.failed < 0 {
		c.failed = c.at
	}
}

// is reports whether the next token is one of some kinds.
func (c *cursor) is(kinds ...lexer.TokenType) bool { return slices.Contains(kinds, c.peek(0).Type) }

// marks reports whether the token at a distance is a mark.
func (c *cursor) marks(distance int, value string) bool {
	t := c.peek(distance)
	return t.Type == tokMark && t.Value == value
}

// take takes a mark, if it is next.
func (c *cursor) take(value string) bool {
	if !c.marks(0, value) {
		return false
	}
	c.next()
	return true
}

// need takes a mark that must be next.
func (c *cursor) need(value string) {
	if !c.take(value) {
		c.fail()
	}
}
