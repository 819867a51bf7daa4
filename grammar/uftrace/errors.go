package uftrace

import "github.com/tracec/tracec/grammar/fault"

// ErrorCode names what an Error is about. Codes are stable: tools may select on them.
type ErrorCode = fault.Code

// The codes.
const (
	CodeItem     ErrorCode = "uftrace-item"     // an item without a pattern
	CodeSpec     ErrorCode = "uftrace-spec"     // something that is no spec
	CodeFormat   ErrorCode = "uftrace-format"   // a format letter, or what is after it
	CodeSize     ErrorCode = "uftrace-size"     // a size that the format does not have
	CodeLocation ErrorCode = "uftrace-location" // %…
	CodeAction   ErrorCode = "uftrace-action"   // an action where none may be, or its value
	CodeModule   ErrorCode = "uftrace-module"   // a second module
	CodeEnum     ErrorCode = "uftrace-enum"     // an enum
	CodeNumber   ErrorCode = "uftrace-number"   // a number that is too big
	CodeLimit    ErrorCode = "uftrace-limit"    // one of the limits of this package is exceeded
)

// Error is one finding. Pos.Offset counts bytes from the start of the text.
type Error = fault.Error

// Errors are the findings of one text in its order. At most MaxErrors are kept.
type Errors = fault.Errors

func quote(s string) string { return fault.Quote(s) }
