package trcfmt

import (
	"fmt"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/tracec/tracec/compiler/diag"
)

// Options are the rules that no publication settles. The zero value is what this project chose; the comments cite
// the specification, whose section 9 lists what only a machine with AIX can answer.
type Options struct {
	// NoLabelBlank leaves out the blank between a label and text that does not begin with one (4.17).
	NoLabelBlank bool
	// HexMatches reads match values without 0x as hexadecimal where the subject is an uncast macro; otherwise
	// they are decimal unless one of the same switch can only be hexadecimal (4.4).
	HexMatches bool
	// MaxLoop bounds the turns of a LOOP; 0 is 65,536. An event has at most 4,108 bytes of data (2.2). Loops in
	// loops are bounded further, 1,024 turns each where two nest, so that a damaged event cannot cost hours
	// (ir.BoundLoops).
	MaxLoop int
}

func (o Options) maxLoop() int {
	if o.MaxLoop > 0 {
		return o.MaxLoop
	}
	return 1 << 16
}

func message(pos lexer.Position, s diag.Severity, code, format string, args ...any) diag.Diagnostic {
	return diag.Diagnostic{
		File: pos.Filename, Line: pos.Line, Col: pos.Column, Severity: s, Code: code, Msg: fmt.Sprintf(format, args...),
	}
}
