package lttng

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// TestClockExample computes the first time of example A in lttng.md 7.
func TestClockExample(t *testing.T) {
	const freq, start, tsc = 1987809000, 0x00001891_9ec03f7b, 0x00001891_a6b2e83f
	for f, want := range map[Formula]uint64{OldFormula: 13589759412127, NewFormula: 13589759412128} {
		c := newClock(f, freq, 1, start)
		if have := c.ns(tsc); have != want {
			t.Errorf("formula %d: %d, want %d", f, have, want)
		}
	}
}

// TestClockOld also goes back from the start: base - trunc(…).
func TestClockOld(t *testing.T) {
	c := newClock(OldFormula, 3, 1, 100)
	const base = uint64(33333333333)
	for tsc, want := range map[uint64]uint64{100: base, 101: base + 333333333, 99: base - 333333333,
		98: base - 666666666} {
		if have := c.ns(tsc); have != want {
			t.Errorf("%d: %d, want %d", tsc, have, want)
		}
	}
}

// TestClockScale: the old formula divides by the scale, the new one and the exact one multiply
// (lttng.md 6).
func TestClockScale(t *testing.T) {
	for f, want := range map[Formula]uint64{OldFormula: 500, NewFormula: 2000, ExactFormula: 2000} {
		c := newClock(f, 1e9, 2, 0)
		if have := c.ns(1000); have != want {
			t.Errorf("formula %d: %d, want %d", f, have, want)
		}
	}
}

// TestClockExact compares with integers of any size.
func TestClockExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		freq := rapid.Uint64Min(1).Draw(t, "freq")
		scale := rapid.Uint32Min(1).Draw(t, "scale")
		tsc := rapid.Uint64().Draw(t, "tsc")
		c := newClock(ExactFormula, freq, scale, 0)
		want := new(big.Int).Mul(new(big.Int).SetUint64(tsc), big.NewInt(1e9))
		want.Mul(want, big.NewInt(int64(scale)))
		want.Quo(want, new(big.Int).SetUint64(freq))
		if !want.IsUint64() {
			want.SetUint64(math.MaxUint64)
		}
		if have := c.ns(tsc); have != want.Uint64() {
			t.Fatalf("%d, want %d", have, want)
		}
	})
}

// TestClockZero: a header of zeros must not divide by them.
func TestClockZero(t *testing.T) {
	for _, f := range []Formula{OldFormula, NewFormula, ExactFormula} {
		c := newClock(f, 0, 0, 0)
		if have := c.ns(5); have != 5e9 {
			t.Errorf("formula %d: %d", f, have)
		}
	}
}
