package trcfmt

import "github.com/tracec/tracec/grammar/diag"

// The codes of errors. Each names a part of a template file. They are stable: tools may select by
// them.
const (
	CodeLine     = "trcfmt-line"     // a line that is neither the start of a stanza nor a comment
	CodeUpdate   = "trcfmt-update"   // a + or - operator
	CodeHook     = "trcfmt-hook"     // the hook id
	CodeVersion  = "trcfmt-version"  // V.R
	CodeLevel    = "trcfmt-level"    // L=
	CodeLabel    = "trcfmt-label"    // the event label
	CodeString   = "trcfmt-string"   // "…" or `…`
	CodeItem     = "trcfmt-item"     // text that is not an element of a template
	CodeSwitch   = "trcfmt-switch"   // cases
	CodeLoop     = "trcfmt-loop"     // LOOP
	CodeBitFlags = "trcfmt-bitflags" // BITFLAGS
	CodeAssign   = "trcfmt-assign"   // {{ … }}
	CodeFunc     = "trcfmt-function" // {{ name(…) … }}
	CodeCall     = "trcfmt-call"     // name(…)
	CodeExpr     = "trcfmt-expr"     // an expression
	CodeNumber   = "trcfmt-number"   // a number
	CodeLimit    = "trcfmt-limit"    // one of the limits of this package is exceeded
)

// The codes of warnings.
const (
	CodeNear     = "trcfmt-near"     // text that looks like a format code or a call
	CodeCast     = "trcfmt-cast"     // %… that is not a cast
	CodeEscape   = "trcfmt-escape"   // a backslash that is literal
	CodeContinue = "trcfmt-continue" // blanks after the backslash at the end of a line
	CodeComment  = "trcfmt-comment"  // a comment that trcrpt may read differently
	CodeResult   = "trcfmt-result"   // the result of a case that may end earlier than intended
)

func quote(s string) string { return diag.Quote(s) }
