package trcfmt

import grammar "github.com/tracec/tracec/grammar/trcfmt"

// Options are rules that publications leave open. The zero value holds this project's choices. The
// comments cite docs/spec/aix.md. Section 9 of that file lists the questions that only a machine
// with AIX can answer.
type Options struct {
	// NoLabelBlank omits the blank between a label and text that does not begin with one (4.17).
	NoLabelBlank bool
	// HexMatches reads match values without 0x as hexadecimal if the subject is an uncast macro.
	// Otherwise they are decimal, unless a value of the same switch can only be hexadecimal (4.4).
	HexMatches bool
	// ErrorAtOnce ends a template at $ERROR, also inside a switch or a loop. Otherwise the
	// enclosing descriptor of the template is completed first (3.4).
	ErrorAtOnce bool
	// LongWords makes $L1 to $L5 the data words $D1 to $D5. Otherwise they are words of 8 bytes,
	// also after a 32-bit hook word (3.4).
	LongWords bool
	// Escapes makes \n, \t and \\ in strings a new line, a tab and a backslash. Otherwise strings
	// are printed exactly (4.1 a).
	Escapes bool
	// Squeeze replaces several blanks in the texts of events by one. It affects only printing:
	// generated code ignores it.
	Squeeze bool
	// MaxLoop limits the turns of a LOOP. 0 means 65,536, which is also the maximum. An event has
	// at most 4,108 bytes of data (2.2). Nested loops, and loops that may print very much, also
	// share a budget (see the package comment). An event with more turns ends in the same way as
	// one that is too short.
	MaxLoop int

	// TextOnly is not a rule. It omits the values of events, which reports do not need.
	TextOnly bool
}

// unquote returns the output of a string.
func (o Options) unquote(text string) string {
	if o.Escapes {
		return grammar.Unescape(text)
	}
	return text
}

func (o Options) maxLoop() int {
	const most = 1 << 16 // the maximum of ir.Check
	if o.MaxLoop > 0 && o.MaxLoop < most {
		return o.MaxLoop
	}
	return most
}
