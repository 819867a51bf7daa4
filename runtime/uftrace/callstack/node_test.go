package callstack

import (
	"math"
	"strconv"
	"testing"

	"github.com/tracec/tracec/runtime/uftrace"
	"pgregory.net/rapid"
)

// TestRest: the product with the inverse is the remainder, up to the greatest time and unit.
func TestRest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		unit := rapid.OneOf(rapid.Uint64Range(1, 1e6), rapid.Uint64Range(1, math.MaxUint64)).Draw(t, "unit")
		ns := rapid.OneOf(rapid.Uint64(), rapid.Uint64Range(0, math.MaxUint32),
			rapid.Just(uint64(math.MaxUint32))).Draw(t, "ns")
		var s Sums
		s.SetUnit(unit)
		if got, want := s.rest(ns), ns%unit; got != want {
			t.Fatalf("%d modulo %d: %d, want %d", ns, unit, got, want)
		}
	})
}

// TestKids: every symbol leads to the node for its name, whether it is known or not. Functions that
// return elsewhere are never known.
func TestKids(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var symbols []*uftrace.Symbol
		for i := range rapid.IntRange(1, 60).Draw(t, "symbols") {
			name := strconv.Itoa(rapid.IntRange(0, 60).Draw(t, "name"))
			if rapid.IntRange(0, 9).Draw(t, "special") == 0 {
				name = "longjmp"
			}
			symbols = append(symbols, &uftrace.Symbol{Name: name, Index: int32(i)})
		}
		n := &Node{}
		want := map[string]*Node{}
		for range rapid.IntRange(1, 200).Draw(t, "calls") {
			sym := rapid.SampledFrom(symbols).Draw(t, "symbol")
			if kid := n.Known(sym); kid != nil {
				if kid != want[sym.Name] || specialOf(sym.Name) != ordinary {
					t.Fatalf("%s is known as %s", sym.Name, kid.Name)
				}
				continue
			}
			kid, made := n.Kid(sym.Name, 0, sym)
			if made != (want[sym.Name] == nil) || kid.Name != sym.Name || !made && kid != want[sym.Name] {
				t.Fatalf("%s: %+v, made %v", sym.Name, kid, made)
			}
			want[sym.Name] = kid
		}
		if len(n.Kids) != len(want) {
			t.Fatalf("%d kids, want %d", len(n.Kids), len(want))
		}
	})
}

// TestActionOf: words are compared with the names of actions as in uftrace: by their beginnings,
// without regard to case.
func TestActionOf(t *testing.T) {
	for word, want := range map[string]string{
		"HIDE": "hide", "hidex": "hide", "Depth=1": "depth=", "depth": "", "Trace-Off": "trace_off",
		"traceon": "trace_on", "tracexyz": "trace",
		"libc": "", "kernel": "", "auto-args": "auto_args",
	} {
		if got := actionOf(word); got != want {
			t.Errorf("%s: %q, want %q", word, got, want)
		}
	}
}
