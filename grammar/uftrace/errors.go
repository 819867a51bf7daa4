package uftrace

import (
	"fmt"
	"strings"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"
)

// ErrorCode names what an Error is about. Codes are stable: tools may select on them.
type ErrorCode string

// The codes.
const (
	CodeItem     ErrorCode = "uftrace-item"     // an item without a pattern
	CodeSpec     ErrorCode = "uftrace-spec"     // something that is no spec
	CodeFormat   ErrorCode = "uftrace-format"   // a format letter, or what is behind it
	CodeSize     ErrorCode = "uftrace-size"     // a size that the format does not have
	CodeLocation ErrorCode = "uftrace-location" // %…
	CodeAction   ErrorCode = "uftrace-action"   // an action where none may be, or its value
	CodeModule   ErrorCode = "uftrace-module"   // a second module
	CodeEnum     ErrorCode = "uftrace-enum"     // an enum
	CodeNumber   ErrorCode = "uftrace-number"   // a number that is too big
	CodeLimit    ErrorCode = "uftrace-limit"    // one of the limits of this package is exceeded
)

// Error is one finding. Pos.Offset counts bytes from the start of the text, Pos.Line and Pos.Column count from 1,
// columns in characters.
type Error struct {
	Pos  lexer.Position
	Code ErrorCode
	Msg  string
}

var _ participle.Error = (*Error)(nil)

// Error returns `file:line:col: message [code]`.
func (e *Error) Error() string { return fmt.Sprintf("%s: %s [%s]", e.Pos, e.Msg, e.Code) }

// Message returns the text without the position.
func (e *Error) Message() string { return e.Msg }

// Position returns where the fault lies.
func (e *Error) Position() lexer.Position { return e.Pos }

// Errors are the findings of one text in its order. At most MaxErrors are kept.
type Errors []*Error

// Error returns one finding a line.
func (l Errors) Error() string {
	lines := make([]string, len(l))
	for i, e := range l {
		lines[i] = e.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap gives errors.As access to the single findings.
func (l Errors) Unwrap() []error {
	out := make([]error, len(l))
	for i, e := range l {
		out[i] = e
	}
	return out
}

// Err returns the findings as an error, nil when there are none.
func (l Errors) Err() error {
	if len(l) == 0 {
		return nil
	}
	return l
}

// maxQuote is how many bytes of the input a message shows.
const maxQuote = 40

// quote shows a piece of input in a message: short, printable, on one line.
func quote(s string) string {
	if len(s) > maxQuote {
		s = s[:maxQuote] + "…"
	}
	return fmt.Sprintf("%q", s)
}
