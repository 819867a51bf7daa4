// Package fault is what the parsers of all languages report: where, under which code, in what
// words.
package fault

import (
	"fmt"
	"strings"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"
)

// Code names what an Error is about, beginning with the language: "trcfmt-hook". Codes are stable:
// tools may select on them.
type Code string

// Severity distinguishes errors from warnings.
type Severity uint8

// The severities. The zero value is that of an error.
const (
	Failure Severity = iota // the part of the text cannot be used
	Warning                 // it can; what it means may not be what was meant
)

// Error is one finding. Pos.Offset counts bytes from the start of the text, Pos.Line and Pos.Column
// count from 1, columns in characters.
type Error struct {
	Pos      lexer.Position
	Severity Severity
	Code     Code
	Msg      string
}

var _ participle.Error = (*Error)(nil)

// Error returns `file:line:col: message [code]`, with `warning: ` before the message of a warning.
func (e *Error) Error() string {
	if e.Severity == Warning {
		return fmt.Sprintf("%s: warning: %s [%s]", e.Pos, e.Msg, e.Code)
	}
	return fmt.Sprintf("%s: %s [%s]", e.Pos, e.Msg, e.Code)
}

// Message returns the text without the position.
func (e *Error) Message() string { return e.Msg }

// Position returns where the fault lies.
func (e *Error) Position() lexer.Position { return e.Pos }

// Errors are the findings of one text in its order.
type Errors []*Error

// Error returns one finding a line.
func (l Errors) Error() string {
	lines := make([]string, len(l))
	for i, e := range l {
		lines[i] = e.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns the single findings, for [errors.As].
func (l Errors) Unwrap() []error {
	out := make([]error, len(l))
	for i, e := range l {
		out[i] = e
	}
	return out
}

// Only returns the findings of one severity.
func (l Errors) Only(s Severity) Errors {
	var out Errors
	for _, e := range l {
		if e.Severity == s {
			out = append(out, e)
		}
	}
	return out
}

// Err returns the errors without the warnings as an error, nil when there are none.
func (l Errors) Err() error {
	if fails := l.Only(Failure); len(fails) > 0 {
		return fails
	}
	return nil
}

// MaxQuote is how many bytes of the input a message shows.
const MaxQuote = 40

// Quote shows a piece of input in a message: short, printable, on one line.
func Quote(s string) string {
	if len(s) > MaxQuote {
		s = s[:MaxQuote] + "…"
	}
	return fmt.Sprintf("%q", s)
}
