package perfetto_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/perfetto"
	"github.com/tracec/tracec/internal/testkit/lttngtest"
)

// TestNested: structures are dictionaries. Members that a record lacks are omitted.
func TestNested(t *testing.T) {
	r, err := tracec.NewReader(lttngtest.Nested(t), tracec.WithThreads())
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := perfetto.Write(&out, r, perfetto.Options{}); err != nil {
		t.Fatal(err)
	}
	var have []string
	for _, e := range decodeTracks(t, out.Bytes()) {
		for i, v := range e.values {
			if strings.HasPrefix(v, "a={") {
				have = append(have, strings.Join(e.values[i:], " "))
			}
		}
	}
	want := []string{
		`a={x=-2 s=a"b} b=[{n=1 tags=[5 6]} {n=2 tags=[7 8]}] c={u=0 f=2.5} d=[[p q]]`,
		`a={x=-2 s=a"b} b=[{n=1 tags=[5 6]} {n=2 tags=[7]}]`,
	}
	if d := cmp.Diff(want, have); d != "" {
		t.Errorf("-want +have:\n%s", d)
	}
}
