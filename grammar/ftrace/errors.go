package ftrace

import "github.com/tracec/tracec/grammar/fault"

// A Code is the part of a format file to which an Error applies. Codes are stable: tools may select
// by them.
type Code = fault.Code

// The codes.
const (
	CodeHead  Code = "ftrace-head"  // name:, ID: or format: is missing or malformed
	CodeField Code = "ftrace-field" // a field: line; that field is left out
	CodePrint Code = "ftrace-print" // the print fmt: line; File.Print is nil
	CodeExpr  Code = "ftrace-expr"  // an expression given to ParseExpr
	CodeLimit Code = "ftrace-limit" // one of the limits of this package is exceeded
)

// Error is one finding. Pos.Offset counts bytes from the start of the file.
type Error = fault.Error

// Errors are the findings of one file in file order. At most MaxErrors are kept.
type Errors = fault.Errors

// add lists e, if it is non-nil and there is room.
func add(l *Errors, e *Error) {
	if e != nil && len(*l) < MaxErrors {
		*l = append(*l, e)
	}
}

func quote(s string) string { return fault.Quote(s) }
