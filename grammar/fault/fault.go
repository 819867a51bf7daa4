// Package fault defines the errors of all parsers: position, code and message.
package fault

import (
	"fmt"
	"strings"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"
)

// A Code is the subject of an Error and begins with the language: "trcfmt-hook". Codes are stable:
// tools may select by them.
type Code string

// Severity distinguishes errors from warnings.
type Severity uint8

// The severities. The zero value is for errors.
const (
	Failure Severity = iota // the part of the text cannot be used
	Warning                 // the part can be used, but its meaning may not be the intended one
)

// An Error is one finding. Pos.Offset counts bytes from the start of the text. Pos.Line and
// Pos.Column count from 1, columns in characters.
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

// Position returns the position of the error.
func (e *Error) Position() lexer.Position { return e.Pos }

// Errors are the findings of one text in order.
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

// Err returns the errors without the warnings, or nil if there are no errors.
func (l Errors) Err() error {
	if fails := l.Only(Failure); len(fails) > 0 {
		return fails
	}
	return nil
}

// MaxQuote is the number of bytes of input in a message.
const MaxQuote = 40

// Quote returns a piece of input for a message: short, printable, on one line.
func Quote(s string) string {
	if len(s) > MaxQuote {
		s = s[:MaxQuote] + "…"
	}
	return fmt.Sprintf("%q", s)
}
