// Package diag is what the compilers have to say about their input: where, how bad and what.
package diag

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Severity is how bad a Diagnostic is.
type Severity uint8

// The severities, worst last.
const (
	Note    Severity = iota // something the description refers to that a recording cannot hold
	Warning                 // a part of the description was not understood; the rest is usable
	Error                   // the event cannot be decoded, or only its raw bytes can
)

// String returns the lower-case word.
func (s Severity) String() string {
	switch s {
	case Note:
		return "note"
	case Warning:
		return "warning"
	}
	return "error"
}

// Diagnostic is one message.
type Diagnostic struct {
	File      string
	Line, Col int // counted from 1; 0 when unknown
	Severity  Severity
	Code      string // stable short name for tests and filters: "unknown-name"
	Msg       string
}

// Error makes a Diagnostic an error: file:line:col: severity: message [code].
func (d Diagnostic) Error() string {
	return d.Painted(func(severity string) string { return severity })
}

// Painted is Error with the severity as paint returns it.
func (d Diagnostic) Painted(paint func(severity string) string) string {
	var b strings.Builder
	b.WriteString(d.File)
	if d.Line > 0 {
		fmt.Fprintf(&b, ":%d", d.Line)
		if d.Col > 0 {
			fmt.Fprintf(&b, ":%d", d.Col)
		}
	}
	fmt.Fprintf(&b, ": %s: %s [%s]", paint(d.Severity.String()), d.Msg, d.Code)
	return b.String()
}

// List is the messages of a compilation.
type List []Diagnostic

// Sort orders the list by file and position, so that its text does not depend on scheduling.
func (l List) Sort() {
	slices.SortStableFunc(l, func(a, b Diagnostic) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Col, b.Col), cmp.Compare(a.Code, b.Code))
	})
}

// Worst returns the messages of at least severity s.
func (l List) Worst(s Severity) List {
	var out List
	for _, d := range l {
		if d.Severity >= s {
			out = append(out, d)
		}
	}
	return out
}

// Err returns the first Error, nil without one.
func (l List) Err() error {
	if bad := l.Worst(Error); len(bad) > 0 {
		return bad[0]
	}
	return nil
}
