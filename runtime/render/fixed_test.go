package render_test

import (
	"bytes"
	"fmt"
	"math"
	"testing"

	"github.com/tracec/tracec/runtime/render"
	"pgregory.net/rapid"
)

// TestFixed compares the digits with the digits of the quotient, padded with zeros.
func TestFixed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		decimals := rapid.IntRange(0, 9).Draw(t, "decimals")
		v := rapid.OneOf(rapid.Uint64(), rapid.Uint64Range(0, 2000),
			rapid.SampledFrom([]uint64{0, 999_999, 999_999_999, 1e9, 1e10 - 1, math.MaxUint64})).Draw(t, "value")
		unit := uint64(math.Pow10(decimals))
		want := fmt.Sprintf("%d.%0*d", v/unit, decimals, v%unit)
		if decimals == 0 {
			want = fmt.Sprintf("%d.", v)
		}
		if got := string(render.Fixed([]byte("x"), v, decimals)); got != "x"+want {
			t.Fatalf("got %s, want x%s", got, want)
		}
		b := bytes.Repeat([]byte{' '}, rapid.IntRange(0, 34).Draw(t, "width"))
		ok := render.FixedRight(b, v, decimals)
		if ok != (len(want) <= len(b)) {
			t.Fatalf("%d bytes: %v for %s", len(b), ok, want)
		}
		justified := fmt.Sprintf("%*s", len(b), want)
		if !ok {
			justified = fmt.Sprintf("%*s", len(b), "")
		}
		if string(b) != justified {
			t.Fatalf("got %q, want %q", b, justified)
		}
	})
}
