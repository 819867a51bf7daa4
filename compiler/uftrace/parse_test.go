package uftrace_test

import (
	"testing"

	"github.com/tracec/tracec/compiler/uftrace"
)

// values reads a list such as arg1/i32,fparg2/64,retval/e:kind for a program of 64 bits.
func values(t testing.TB, list string) []uftrace.Value {
	t.Helper()
	out, err := uftrace.ParseValues("f", list, 8)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
