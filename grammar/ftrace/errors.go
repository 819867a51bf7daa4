package ftrace

import (
	"fmt"
	"strings"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"
)

// Code names the part of a format file that an Error is about. Codes are stable: tools may select
// on them.
type Code string

// The codes.
const (
	CodeHead  Code = "ftrace-head"  // name:, ID: or format: is missing or malformed
	CodeField Code = "ftrace-field" // a field: line; that field is left out
	CodePrint Code = "ftrace-print" // the print fmt: line; File.Print is nil
	CodeExpr  Code = "ftrace-expr"  // an expression given to ParseExpr
	CodeLimit Code = "ftrace-limit" // one of the limits of this package is exceeded
)

// Error is one finding. Pos.Offset counts bytes from the start of the file, Pos.Line and
// Pos.Column count from 1, columns in characters.
type Error struct {
	Pos  lexer.Position
	Code Code
	Msg  string
}

var _ participle.Error = (*Error)(nil)

// Error returns `file:line:col: message [code]`.
func (e *Error) Error() string {
	return fmt.Sprintf("%s: %s [%s]", e.Pos, e.Msg, e.Code)
}

// Message returns the text without the position.
func (e *Error) Message() string { return e.Msg }

// Position returns where the fault lies.
func (e *Error) Position() lexer.Position { return e.Pos }

// Errors are the findings of one file in file order. At most MaxErrors are kept.
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

// Err returns the list as an error, nil when it is empty.
func (l Errors) Err() error {
	if len(l) == 0 {
		return nil
	}
	return l
}

func (l *Errors) add(e *Error) {
	if e != nil && len(*l) < MaxErrors {
		*l = append(*l, e)
	}
}

// quote shows a piece of input in a message: short, printable, on one line.
func quote(s string) string {
	const most = 40
	if len(s) > most {
		s = s[:most] + "…"
	}
	return fmt.Sprintf("%q", s)
}
