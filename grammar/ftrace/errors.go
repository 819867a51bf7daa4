package ftrace

import "github.com/tracec/tracec/grammar/diag"

// The codes. They are the parts of a format file, and stable: tools may select by them.
const (
	CodeHead  = "ftrace-head"  // name:, ID: or format: is missing or malformed
	CodeField = "ftrace-field" // a field: line; that field is left out
	CodePrint = "ftrace-print" // the print fmt: line; File.Print is nil
	CodeExpr  = "ftrace-expr"  // an expression given to ParseExpr
	CodeLimit = "ftrace-limit" // one of the limits of this package is exceeded
)

// add lists e, if it is non-nil and there is room.
func add(l *diag.List, e *diag.Diagnostic) {
	if e != nil && len(*l) < MaxErrors {
		*l = append(*l, *e)
	}
}

func quote(s string) string { return diag.Quote(s) }
