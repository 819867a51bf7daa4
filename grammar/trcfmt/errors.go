package trcfmt

import "github.com/tracec/tracec/grammar/fault"

// An ErrorCode is the part of a template file to which an Error applies. Codes are stable: tools
// may select by them.
type ErrorCode = fault.Code

// The codes of errors.
const (
	CodeLine     ErrorCode = "trcfmt-line"     // a line that is neither the start of a stanza nor a comment
	CodeUpdate   ErrorCode = "trcfmt-update"   // a + or - operator
	CodeHook     ErrorCode = "trcfmt-hook"     // the hook id
	CodeVersion  ErrorCode = "trcfmt-version"  // V.R
	CodeLevel    ErrorCode = "trcfmt-level"    // L=
	CodeLabel    ErrorCode = "trcfmt-label"    // the event label
	CodeString   ErrorCode = "trcfmt-string"   // "…" or `…`
	CodeItem     ErrorCode = "trcfmt-item"     // text that is not an element of a template
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
	CodeCast     ErrorCode = "trcfmt-cast"     // %… that is not a cast
	CodeEscape   ErrorCode = "trcfmt-escape"   // a backslash that is literal
	CodeContinue ErrorCode = "trcfmt-continue" // blanks after the backslash at the end of a line
	CodeComment  ErrorCode = "trcfmt-comment"  // a comment that trcrpt may read differently
	CodeResult   ErrorCode = "trcfmt-result"   // the result of a case that may end earlier than intended
)

// Severity distinguishes errors from warnings.
type Severity = fault.Severity

// The severities. The zero value is for errors.
const (
	Failure = fault.Failure // the stanza cannot be used
	Warning = fault.Warning // the stanza can be used, but may not print what was intended
)

// Error is one finding. Pos.Offset counts bytes from the start of the file.
type Error = fault.Error

// Errors are the findings of one file in file order. At most MaxErrors of each severity are kept.
type Errors = fault.Errors

func quote(s string) string { return fault.Quote(s) }
