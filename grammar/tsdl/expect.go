package tsdl

import (
	"slices"
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/tracec/tracec/grammar/diag"
)

// Errors say which tokens may follow: each kind of token is tried in the place of the wrong one.

// candidates are the tokens that are tried, and their words in messages.
var candidates = []struct {
	token lexer.Token
	word  string
}{
	{lexer.Token{Type: tokWord, Value: "x"}, "a name"},
	{lexer.Token{Type: tokInteger, Value: "1"}, "a number"},
	{lexer.Token{Type: tokString, Value: `"x"`}, "a text in quotes"},
	{lexer.Token{Type: tokMark, Value: "*"}, "a type"},
	{lexer.Token{Type: tokMark, Value: "{"}, ""}, {lexer.Token{Type: tokMark, Value: "}"}, ""},
	{lexer.Token{Type: tokMark, Value: "["}, ""}, {lexer.Token{Type: tokMark, Value: "]"}, ""},
	{lexer.Token{Type: tokMark, Value: "("}, ""}, {lexer.Token{Type: tokMark, Value: ")"}, ""},
	{lexer.Token{Type: tokMark, Value: "<"}, ""}, {lexer.Token{Type: tokMark, Value: ">"}, ""},
	{lexer.Token{Type: tokMark, Value: "="}, ""}, {lexer.Token{Type: tokMark, Value: ":="}, ""},
	{lexer.Token{Type: tokMark, Value: ":"}, ""}, {lexer.Token{Type: tokMark, Value: ","}, ""},
	{lexer.Token{Type: tokMark, Value: "..."}, ""}, {lexer.Token{Type: tokMark, Value: "."}, ""},
	{lexer.Token{Type: tokMark, Value: ";"}, ""},
}

// Bounds of the search for tokens that may follow. Beyond them, the message has none.
const (
	mostTried    = 1 << 12 // tokens before the error
	mostExpected = 16      // errors
)

// syntaxError is an error of a rule, with its tokens.
type syntaxError struct {
	at     int // the token that cannot follow
	tokens []lexer.Token
	parse  func(*cursor) // the rule
}

// found returns the token that cannot follow.
func (e *syntaxError) found() lexer.Token {
	if e.at < len(e.tokens) {
		return e.tokens[e.at]
	}
	return lexer.EOFToken(e.tokens[len(e.tokens)-1].Pos)
}

func (e *syntaxError) pos() lexer.Position { return e.found().Pos }

// message returns the message of an error.
func (e *syntaxError) message(try bool) string {
	found := "the end of the text"
	if t := e.found(); !t.EOF() {
		found = diag.Quote(t.Value)
	}
	var words []string
	for _, c := range candidates {
		if !try || e.at > mostTried || !e.follows(c.token) {
			continue
		}
		word := c.word
		if word == "" {
			word = diag.Quote(c.token.Value)
		}
		words = append(words, word)
	}
	switch n := len(words); n {
	case 0:
		return found + " is not expected here"
	case 1:
		return "expected " + words[0] + ", not " + found
	default:
		return "expected " + strings.Join(words[:n-1], ", ") + " or " + words[n-1] + ", not " + found
	}
}

// follows reports whether a token may follow those before the error: then it is not the first one
// that cannot.
func (e *syntaxError) follows(t lexer.Token) bool {
	c := newCursor(append(slices.Clone(e.tokens[:e.at]), t))
	e.parse(c)
	return c.failed < 0 || c.failed > e.at
}
