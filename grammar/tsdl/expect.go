package tsdl

import (
	"errors"
	"slices"
	"strings"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/tracec/tracec/grammar/diag"
)

// Errors say which tokens may follow. The parts of the grammar that parse themselves do not tell
// participle their tokens, so each kind of token is tried in the place of the wrong one.

// candidates are the tokens that are tried, and their words in messages.
var candidates = []struct {
	token lexer.Token
	word  string
}{
	{lexer.Token{Type: tokWord, Value: "x"}, "a name"},
	{lexer.Token{Type: tokInteger, Value: "1"}, "a number"},
	{lexer.Token{Type: tokString, Value: `"x"`}, "a text in quotes"},
	{lexer.Token{Type: tokScalar, Value: "integer"}, "a type"},
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

// syntaxError is an error of a parser, with its tokens.
type syntaxError struct {
	pos    lexer.Position
	tokens []lexer.Token
	parse  func(lexer.Lexer) error
}

// message returns the message of an error.
func (e *syntaxError) message(try bool) string {
	at := slices.IndexFunc(e.tokens, func(t lexer.Token) bool { return t.Pos.Offset == e.pos.Offset })
	found := "the end"
	if at < 0 {
		at = len(e.tokens)
	} else if t := e.tokens[at]; !t.EOF() {
		found = diag.Quote(t.Value)
	}
	if !try || at > mostTried {
		return found + " is not expected here"
	}
	var words []string
	for _, c := range candidates {
		if e.follows(at, c.token) {
			word := c.word
			if word == "" {
				word = diag.Quote(c.token.Value)
			}
			words = append(words, word)
		}
	}
	switch n := len(words); {
	case n == 0:
		return found + " is not expected here"
	case n == 1:
		return "expected " + words[0] + ", not " + found
	default:
		return "expected " + strings.Join(words[:n-1], ", ") + " or " + words[n-1] + ", not " + found
	}
}

// follows reports whether a token may follow the tokens before the error: they have no error then,
// or one behind it.
func (e *syntaxError) follows(at int, t lexer.Token) bool {
	const behind = 1 << 30
	t.Pos.Offset = behind
	err := e.parse(&list{tokens: append(slices.Clone(e.tokens[:at]), t), last: lexer.Position{Offset: behind + 1}})
	if err == nil {
		return true
	}
	var where participle.Error
	return errors.As(err, &where) && where.Position().Offset > behind
}
