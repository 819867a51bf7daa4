package line_test

import (
	"testing"

	"github.com/tracec/tracec/internal/testkit/uftracetest"
	"github.com/tracec/tracec/report/uftrace/internal/line"
	"github.com/tracec/tracec/report/uftrace/internal/quota"
	"github.com/tracec/tracec/runtime/uftrace"
)

// TestNames: the name of a symbol is computed once for the recording, each time for a symbol of
// another recording, and never if the simple name is enough.
func TestNames(t *testing.T) {
	for _, c := range uftracetest.Cases(t) {
		rec := uftracetest.Open(t, c.Files)
		ctx, q := quota.New(t.Context(), rec)
		asked := map[*uftrace.Symbol]int{}
		n := line.NewNames(rec, func(s *uftrace.Symbol) string { asked[s]++; return "the " + s.Name }, q)
		simple := line.NewNames(rec, nil, q)
		other := &uftrace.Symbol{Name: "other", Simple: "other", Index: int32(len(rec.Symbols()))}
		for range 3 {
			for _, s := range append(rec.Symbols(), other) {
				if got := n.Name(s); got != "the "+s.Name {
					t.Errorf("%s: %q", s.Name, got)
				}
				if got := simple.Name(s); got != s.Simple {
					t.Errorf("%s: simple name %q", s.Name, got)
				}
			}
		}
		for s, times := range asked {
			if s != other && times != 1 {
				t.Errorf("%s: asked %d times", s.Name, times)
			}
		}
		if err := q.End(ctx, nil); err != nil {
			t.Error(err)
		}
	}
}
