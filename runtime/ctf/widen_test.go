package ctf

import (
	"math"
	"testing"
)

// TestWiden compares all 16-bit floating-point numbers with their values according to IEEE 754.
func TestWiden(t *testing.T) {
	for v := range uint64(1 << 16) {
		sign, exponent, fraction := 1-2*float64(v>>15), int(v>>10&0x1f), float64(v&0x3ff)/1024
		want := sign * math.Ldexp(1+fraction, exponent-15)
		switch {
		case exponent == 0:
			want = sign * math.Ldexp(fraction, -14)
		case exponent == 0x1f && fraction == 0:
			want = math.Inf(int(sign))
		case exponent == 0x1f:
			want = math.NaN()
		}
		got := float64(math.Float32frombits(uint32(widen(v))))
		if math.Float64bits(got) != math.Float64bits(want) && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Errorf("%#x is %v, want %v", v, got, want)
		}
	}
}
