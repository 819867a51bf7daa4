package trcfmt

import (
	"fmt"
	"strings"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"
)

// ErrorCode names the part of a template file that an Error is about. Codes are stable: tools may select on them.
type ErrorCode string

// The codes of errors.
const (
	CodeLine     ErrorCode = "trcfmt-line"     // a line that starts no stanza and is no comment
	CodeUpdate   ErrorCode = "trcfmt-update"   // a + or - operator
	CodeHook     ErrorCode = "trcfmt-hook"     // the hook id
	CodeVersion  ErrorCode = "trcfmt-version"  // V.R
	CodeLevel    ErrorCode = "trcfmt-level"    // L=
	CodeLabel    ErrorCode = "trcfmt-label"    // the event label
	CodeString   ErrorCode = "trcfmt-string"   // "…" or `…`
	CodeItem     ErrorCode = "trcfmt-item"     // something that is no element of a template
	CodeSwitch   ErrorCode = "trcfmt-switch"   // cases
	CodeLoop     ErrorCode = "trcfmt-loop"     // LOOP
	CodeBitFlags ErrorCode = "trcfmt-bitflags" // BITFLAGS
	CodeAssign   ErrorCode = "trcfmt-assign"   // {{ … }}
	CodeFunc     ErrorCode = "trcfmt-function" // {{ name(…) … }}
	CodeCall     ErrorCode = "trcfmt-call"     // name(…)
	CodeExpr     ErrorCode = "trcfmt-expr"     // an expression
	CodeNumber   ErrorCode = "trcfmt-number"   // a number
	CodeLimit    ErrorCode = "trcfmt-limit"    // one of the limits of this package is exceeded
)

// The codes of warnings.
const (
	CodeNear     ErrorCode = "trcfmt-near"     // text that looks like a format code or a call
	CodeCast     ErrorCode = "trcfmt-cast"     // %… that is no cast
	CodeEscape   ErrorCode = "trcfmt-escape"   // a backslash that stands for itself
	CodeContinue ErrorCode = "trcfmt-continue" // blanks behind the backslash at the end of a line
	CodeComment  ErrorCode = "trcfmt-comment"  // a comment that trcrpt may read otherwise
	CodeResult   ErrorCode = "trcfmt-result"   // the result of a case that may end earlier than meant
)

// Severity tells errors from warnings.
type Severity uint8

// The severities. The zero value is that of an error.
const (
	Failure Severity = iota // the stanza cannot be used
	Warning                 // it can; what it prints may not be what was meant
)

// Error is one finding. Pos.Offset counts bytes from the start of the file, Pos.Line and Pos.Column count from 1,
// columns in characters.
type Error struct {
	Pos      lexer.Position
	Severity Severity
	Code     ErrorCode
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

// Errors are the findings of one file in file order. At most MaxErrors of each severity are kept.
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

// maxQuote is how many bytes of the input a message shows.
const maxQuote = 40

// quote shows a piece of input in a message: short, printable, on one line.
func quote(s string) string {
	if len(s) > maxQuote {
		s = s[:maxQuote] + "…"
	}
	return fmt.Sprintf("%q", s)
}
