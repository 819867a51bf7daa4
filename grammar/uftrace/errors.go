package uftrace

import "github.com/tracec/tracec/grammar/diag"

// The codes. They are stable: tools may select by them.
const (
	CodeEnum  = "uftrace-enum"  // an enum
	CodeLimit = "uftrace-limit" // one of the limits of this package is exceeded
)

func quote(s string) string { return diag.Quote(s) }
