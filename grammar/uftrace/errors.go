package uftrace

import "github.com/tracec/tracec/grammar/fault"

// An ErrorCode is the subject of an Error. Codes are stable: tools may select by them.
type ErrorCode = fault.Code

// The codes.
const (
	CodeEnum  ErrorCode = "uftrace-enum"  // an enum
	CodeLimit ErrorCode = "uftrace-limit" // one of the limits of this package is exceeded
)

// Error is one finding. Pos.Offset counts bytes from the start of the text.
type Error = fault.Error

// Errors are the findings of one text in its order. At most MaxErrors are kept.
type Errors = fault.Errors

func quote(s string) string { return fault.Quote(s) }
