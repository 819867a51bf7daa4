package ftrace

import "github.com/tracec/tracec/grammar/diag"

// The codes. Each names a part of a format file. They are stable: tools may select by them.
const (
	CodeHead  = "ftrace-head"  // name:, ID: or format: is missing or malformed
	CodeField = "ftrace-field" // a field: line; that field is left out
	CodePrint = "ftrace-print" // the print fmt: line; File.Print is nil
	CodeExpr  = "ftrace-expr"  // an expression given to ParseExpr
	CodeLimit = "ftrace-limit" // one of the limits of this package is exceeded
)

// add appends e, if it is non-nil and the list is not full.
func add(l *diag.List, e *diag.Diagnostic) {
	if e != nil && len(*l) < MaxErrors {
		*l = append(*l, *e)
	}
}

func quote(s string) string { return diag.Quote(s) }
