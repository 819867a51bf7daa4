package uftrace_test

import (
	"testing"

	"github.com/tracec/tracec/compiler/uftrace"
	"github.com/tracec/tracec/compiler/uftrace/recorded"
	container "github.com/tracec/tracec/runtime/uftrace"
)

// values reads a list such as arg1/i32,fparg2/64,retval/e:kind for a 64-bit program.
func values(t testing.TB, list string) []uftrace.Value {
	t.Helper()
	specs, ok := container.ParseSpecs(list, 8)
	if !ok {
		t.Fatalf("%s: no list of specs", list)
	}
	return recorded.Values(specs)
}
