package view

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/internal/testkit/lttngtest"
)

// TestNested: the details of an event show structures and lists. Members that a record lacks are
// omitted.
func TestNested(t *testing.T) {
	r, err := tracec.NewReader(lttngtest.Nested(t), tracec.WithEvents("f.e"))
	if err != nil {
		t.Fatal(err)
	}
	var have [][]string
	for ev := range r.All() {
		var values []string
		for _, f := range newEventAnswer(ev).Fields {
			values = append(values, f.Name+"="+f.Value+f.Named)
		}
		have = append(have, values)
	}
	want := [][]string{
		{`a={x=-2 s=a"b}`, "b=[{n=1 tags=[5 6]} {n=2 tags=[7 8]}]", "c={u=0 f=2.5}", "d=[[p q]]"},
		{`a={x=-2 s=a"b}`, "b=[{n=1 tags=[5 6]} {n=2 tags=[7]}]"},
	}
	if d := cmp.Diff(want, have); d != "" {
		t.Errorf("-want +have:\n%s", d)
	}
}
