package beam

import (
	"slices"
	"testing"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/internal/testkit/lttngtest"
	"github.com/tracec/tracec/runtime/record"
)

// TestNested: structures and lists are readable texts. Members that a record lacks are omitted.
func TestNested(t *testing.T) {
	r, err := tracec.NewReader(lttngtest.Nested(t), tracec.WithEvents("f.e"))
	if err != nil {
		t.Fatal(err)
	}
	var have [][]Field
	for ev := range r.All() {
		have = append(have, row("trace", &record.Machine{}, ev).Fields)
	}
	a := Field{Name: "a", Text: `{x=-2 s=a"b}`}
	want := [][]Field{
		{a, {Name: "b", Text: "[{n=1 tags=[5 6]} {n=2 tags=[7 8]}]"}, {Name: "c", Text: "{u=0 f=2.5}"},
			{Name: "d", Text: "[[p q]]"}},
		{a, {Name: "b", Text: "[{n=1 tags=[5 6]} {n=2 tags=[7]}]"}},
	}
	if !slices.EqualFunc(want, have, slices.Equal) {
		t.Errorf("have %+v\nwant %+v", have, want)
	}
}
