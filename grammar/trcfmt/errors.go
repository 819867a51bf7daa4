package trcfmt

import "github.com/tracec/tracec/grammar/fault"

// ErrorCode names the part of a template file that an Error is about. Codes are stable: tools may
// select on them.
type ErrorCode = fault.Code

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
	CodeContinue ErrorCode = "trcfmt-continue" // blanks after the backslash at the end of a line
	CodeComment  ErrorCode = "trcfmt-comment"  // a comment that trcrpt may read otherwise
	CodeResult   ErrorCode = "trcfmt-result"   // the result of a case that may end earlier than meant
)

// Severity distinguishes errors from warnings.
type Severity = fault.Severity

// The severities. The zero value is that of an error.
const (
	Failure = fault.Failure // the stanza cannot be used
	Warning = fault.Warning // it can; what it prints may not be what was meant
)

// Error is one finding. Pos.Offset counts bytes from the start of the file.
type Error = fault.Error

// Errors are the findings of one file in file order. At most MaxErrors of each severity are kept.
type Errors = fault.Errors

func quote(s string) string { return fault.Quote(s) }
