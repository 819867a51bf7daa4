package tracec_test

import (
	"testing"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/internal/testkit/needs"
)

// TestDescribedTypes checks that Types returns the types of all events with fields, with and
// without a selection.
func TestDescribedTypes(t *testing.T) {
	for _, name := range needs.Some(t, testRecordings(t), 15) {
		rec := openAny(t, name)
		for _, opts := range [][]tracec.Option{nil, {tracec.WithEvents("*s*")}} {
			r, err := tracec.NewReader(rec, opts...)
			if err != nil {
				continue // no such event
			}
			described := map[*tracec.Type]bool{}
			for typ := range r.Types() {
				if described[typ] {
					t.Errorf("%s: %s:%s twice", name, typ.System, typ.Name)
				}
				described[typ] = true
			}
			if len(described) == 0 {
				t.Errorf("%s describes nothing", name)
			}
			for ev := range r.All() {
				if len(ev.Type.Fields) > 0 && !described[ev.Type] {
					t.Fatalf("%s: %s:%s is not among the types", name, ev.Type.System, ev.Type.Name)
				}
			}
		}
		rec.Close()
	}
}
