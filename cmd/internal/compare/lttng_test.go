package main

import (
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestOrder(t *testing.T) {
	const text = `Trace set contains 1 traces

b.b: 10.000000001 (x/b_0)
a.a: 9.000000002 (x/a_0) { s = "one
two" }
a.b: 9.000000002 (x/a_1)
a.a: 9.000000002 (x/a_0) { s = "a" }
End trace set

`
	const ties = `Trace set contains 1 traces

b.b: 10.000000001 (x/b_0)
a.a: 9.000000002 (x/a_0) { s = "a" }
a.a: 9.000000002 (x/a_0) { s = "one
two" }
a.b: 9.000000002 (x/a_1)
End trace set

`
	const sorted = `a.a: 9.000000002 (x/a_0) { s = "a" }
a.a: 9.000000002 (x/a_0) { s = "one
two" }
a.b: 9.000000002 (x/a_1)
b.b: 10.000000001 (x/b_0)
`
	for _, c := range []struct {
		in, want string
		all      bool
	}{{text, ties, false}, {sorted[len(sorted)-26:] + sorted[:len(sorted)-26], sorted, true}, {"", "", true}} {
		got, err := io.ReadAll(order([]byte(c.in), c.all))
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(c.want, string(got)); d != "" {
			t.Error(d)
		}
	}
}
