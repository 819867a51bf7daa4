package sql

import (
	"errors"
	"strings"
	"unicode/utf8"
)

// ErrStatements reports a query with several statements.
var ErrStatements = errors.New("one statement at a time")

// ErrNoStatement reports a query without a statement.
var ErrNoStatement = errors.New("no statement")

// A token is a part of a query.
type token struct {
	kind     tokenKind
	text     string // the text of identifiers without quotes, the value of texts
	from, to int    // its range in the query
}

type tokenKind uint8

const (
	ender      tokenKind = iota // the end of a query
	word                        // an identifier or keyword without quotes
	identifier                  // an identifier within quotes
	text                        // 'text'
	number                      // a literal that begins with a digit
	symbol                      // anything else: one character, or an operator of two
	unended                     // an unclosed quote or comment
)

// words returns the identifiers of a query, which must be one statement.
func words(query string) ([]string, error) {
	var list []string
	ended, any := false, false
	for t := newScanner(query); ; {
		switch tok := t.next(); {
		case tok.kind == ender && !any:
			return nil, ErrNoStatement
		case tok.kind == ender:
			return list, nil
		case tok.kind == symbol && tok.text == ";":
			ended = any
		case ended:
			return nil, ErrStatements
		default:
			any = true
			if tok.kind == word || tok.kind == identifier {
				list = append(list, tok.text)
			}
		}
	}
}

// Complete reports whether a text ends with the semicolon of a statement. A shell reads lines until
// then.
func Complete(query string) bool {
	done := false
	for t := newScanner(query); ; {
		switch tok := t.next(); {
		case tok.kind == ender:
			return done
		case tok.kind == unended:
			return false
		default:
			done = tok.kind == symbol && tok.text == ";"
		}
	}
}

// scanner splits a query into tokens.
type scanner struct{ query, rest string }

func newScanner(query string) *scanner { return &scanner{query, query} }

// next returns the next token.
func (s *scanner) next() token {
	s.skip()
	from := len(s.query) - len(s.rest)
	t := s.token()
	t.from, t.to = from, len(s.query)-len(s.rest)
	return t
}

// skip skips white space and comments, except an unclosed comment.
func (s *scanner) skip() {
	for {
		s.rest = strings.TrimLeft(s.rest, " \t\n\r\f")
		var comment, end string
		switch {
		case strings.HasPrefix(s.rest, "--"):
			comment, end = "--", "\n"
		case strings.HasPrefix(s.rest, "/*"):
			comment, end = "/*", "*/"
		}
		if comment == "" {
			return
		}
		_, after, closed := strings.Cut(s.rest[len(comment):], end)
		if !closed && end == "*/" {
			return
		}
		s.rest = after
	}
}

func (s *scanner) token() token {
	if s.rest == "" {
		return token{}
	}
	if strings.HasPrefix(s.rest, "/*") {
		s.rest = ""
		return token{kind: unended}
	}
	switch c := s.rest[0]; {
	case c == '\'':
		return s.quoted('\'', text)
	case c == '"' || c == '`':
		return s.quoted(c, identifier)
	case c == '[':
		return s.quoted(']', identifier)
	case c >= '0' && c <= '9':
		return s.take(number, func(c byte) bool { return inWord(c) || c == '.' })
	case inWord(c):
		return s.take(word, inWord)
	}
	return s.symbol()
}

// inWord reports whether a byte can be in an identifier without quotes.
func inWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '$' ||
		c >= utf8.RuneSelf
}

func (s *scanner) take(kind tokenKind, in func(byte) bool) token {
	n := 1
	for n < len(s.rest) && in(s.rest[n]) {
		n++
	}
	t := token{kind: kind, text: s.rest[:n]}
	s.rest = s.rest[n:]
	return t
}

// quoted takes a token in quotes. A doubled closing quote is a character.
func (s *scanner) quoted(end byte, kind tokenKind) token {
	var b strings.Builder
	for i := 1; i < len(s.rest); i++ {
		if s.rest[i] != end {
			b.WriteByte(s.rest[i])
			continue
		}
		if end != ']' && i+1 < len(s.rest) && s.rest[i+1] == end {
			b.WriteByte(end)
			i++
			continue
		}
		s.rest = s.rest[i+1:]
		return token{kind: kind, text: b.String()}
	}
	s.rest = ""
	return token{kind: unended}
}

func (s *scanner) symbol() token {
	n := 1
	if len(s.rest) > 1 {
		switch s.rest[:2] {
		case "<=", ">=", "<>", "!=", "==", "||", "<<", ">>", "->":
			n = 2
		}
	}
	t := token{kind: symbol, text: s.rest[:n]}
	s.rest = s.rest[n:]
	return t
}
