// Package style defines the colours of tracec's output. They have a few meanings, which are the
// same in all commands.
package style

import (
	"io"
	"os"

	"golang.org/x/term"
)

// A Meaning is the meaning of a colour.
type Meaning uint8

// The meanings.
const (
	Plain Meaning = iota
	Heading
	Event // name of an event
	Thread
	Faint // CPUs and times
	Worst // the worst of several numbers
	Error // errors, loss and damage
	Added
	Gone
)

// codes are the escape sequences after the escape character.
var codes = [...]string{Heading: "[1m", Event: "[36m", Thread: "[32m", Faint: "[2m", Worst: "[33m", Error: "[31m",
	Added: "[32m", Gone: "[31m"}

const reset = "[0m"

// When are the values of --color.
var When = []string{"auto", "always", "never"}

// Style paints texts. The zero value leaves them plain.
type Style struct {
	mark string // replaces the escape character; empty without colour
}

// terminal is a report.Terminal. It passes an escape sequence on only after its mark, and escapes
// it in texts of a recording.
type terminal interface{ Mark() string }

// Of returns the style of an output. when is one of [When]. With auto, or an empty when, the
// environment may force or disable colours. By default a terminal has them.
func Of(w io.Writer, when string) Style {
	mark := "\x1b"
	t, is := w.(terminal)
	if is {
		mark = t.Mark()
	} else if f, ok := w.(*os.File); ok {
		is = term.IsTerminal(int(f.Fd()))
	}
	switch when {
	case "always":
		return Style{mark}
	case "never":
		return Style{}
	}
	if force := os.Getenv("CLICOLOR_FORCE"); force != "" && force != "0" {
		return Style{mark}
	}
	if !is || os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb" {
		return Style{}
	}
	return Style{mark}
}

// On reports whether the style has colours.
func (s Style) On() bool { return s.mark != "" }

// Paint returns a text in the colour of a meaning.
func (s Style) Paint(m Meaning, text string) string {
	if s.mark == "" || text == "" || m == Plain {
		return text
	}
	return s.mark + codes[m] + text + s.mark + reset
}

// Append appends a text in the colour of a meaning.
func (s Style) Append(dst []byte, m Meaning, text string) []byte {
	return append(dst, s.Paint(m, text)...)
}
