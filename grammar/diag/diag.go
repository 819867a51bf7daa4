// Package diag defines the messages of parsers, compilers and the generator: position, severity,
// code and text.
package diag

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"
)

// Severity is the severity of a Diagnostic.
type Severity uint8

// The severities, worst first. The zero value is Error.
const (
	Error   Severity = iota // the part cannot be used: a stanza, a field, an event
	Warning                 // the part can be used, but not all of it, or not as may be intended
	Note                    // the part refers to something that a recording cannot hold
)

// String returns the lower-case word.
func (s Severity) String() string {
	switch s {
	case Error:
		return "error"
	case Warning:
		return "warning"
	}
	return "note"
}

// A Position is a place in a text. Offset counts bytes from the start of the text. Line and Column
// count from 1, columns in characters. Zero is unknown.
type Position = lexer.Position

// A Diagnostic is one message. Codes are stable: tools may select by them. The codes of parsers
// begin with the language: "trcfmt-hook".
type Diagnostic struct {
	Pos      Position
	Severity Severity
	Code     string
	Msg      string
}

var _ participle.Error = Diagnostic{}

// New returns a Diagnostic with a formatted text.
func New(pos Position, s Severity, code, format string, args ...any) Diagnostic {
	return Diagnostic{Pos: pos, Severity: s, Code: code, Msg: fmt.Sprintf(format, args...)}
}

// Error returns `file:line:col: severity: message [code]`.
func (d Diagnostic) Error() string {
	return d.Painted(func(severity string) string { return severity })
}

// Painted is like Error. The severity is the result of paint.
func (d Diagnostic) Painted(paint func(severity string) string) string {
	var b strings.Builder
	b.WriteString(d.Pos.Filename)
	if d.Pos.Line > 0 {
		if b.Len() > 0 {
			b.WriteByte(':')
		}
		fmt.Fprint(&b, d.Pos.Line)
		if d.Pos.Column > 0 {
			fmt.Fprintf(&b, ":%d", d.Pos.Column)
		}
	}
	fmt.Fprintf(&b, ": %s: %s [%s]", paint(d.Severity.String()), d.Msg, d.Code)
	return b.String()
}

// Message returns the text without the position.
func (d Diagnostic) Message() string { return d.Msg }

// Position returns the position.
func (d Diagnostic) Position() Position { return d.Pos }

// A List holds the messages about one input. As an error, it combines all messages.
type List []Diagnostic

// Error returns one message a line.
func (l List) Error() string {
	lines := make([]string, len(l))
	for i, d := range l {
		lines[i] = d.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns the single messages, for [errors.As].
func (l List) Unwrap() []error {
	out := make([]error, len(l))
	for i, d := range l {
		out[i] = d
	}
	return out
}

// Sort orders the list by file and position, so that its text does not depend on goroutine
// scheduling.
func (l List) Sort() {
	slices.SortStableFunc(l, func(a, b Diagnostic) int {
		return cmp.Or(cmp.Compare(a.Pos.Filename, b.Pos.Filename), cmp.Compare(a.Pos.Line, b.Pos.Line),
			cmp.Compare(a.Pos.Column, b.Pos.Column), cmp.Compare(a.Code, b.Code))
	})
}

// Worst returns the messages of at least severity s.
func (l List) Worst(s Severity) List {
	var out List
	for _, d := range l {
		if d.Severity <= s {
			out = append(out, d)
		}
	}
	return out
}

// Err returns the errors without warnings and notes, or nil if there are no errors.
func (l List) Err() error {
	if bad := l.Worst(Error); len(bad) > 0 {
		return bad
	}
	return nil
}

// MaxQuote is the maximum number of bytes of input in a message.
const MaxQuote = 40

// Quote returns a piece of input in a form for messages: short, printable, on one line.
func Quote(s string) string {
	if len(s) > MaxQuote {
		s = s[:MaxQuote] + "…"
	}
	return fmt.Sprintf("%q", s)
}
