package columns

import (
	"encoding/json"
	"math"
	"testing"
)

// TestFloats: floats are the shortest JSON numbers that give the same float. Floats without a JSON
// number are texts.
func TestFloats(t *testing.T) {
	w := NewWriter(JSON(false), 0, nil)
	r := &row{style: w.style}
	for _, c := range []struct {
		v    float64
		size int
		want string
	}{
		{0, 8, "0"}, {math.Copysign(0, -1), 8, "-0"}, {0.1, 8, "0.1"}, {float64(float32(0.1)), 4, "0.1"},
		{1e21, 8, "1e+21"}, {-2.5e-300, 8, "-2.5e-300"},
		{math.MaxFloat64, 8, "1.7976931348623157e+308"}, {math.NaN(), 8, `"NaN"`}, {math.Inf(1), 4, `"Infinity"`},
		{math.Inf(-1), 8, `"-Infinity"`},
	} {
		got := w.float(nil, r, c.v, c.size)
		if string(got) != c.want || !json.Valid(got) {
			t.Errorf("%v became %s, want %s", c.v, got, c.want)
		}
	}
}

// TestWallTimes: times have nine digits, also before 1970.
func TestWallTimes(t *testing.T) {
	for _, c := range []struct {
		offset int64
		t      uint64
		want   string
	}{
		{0, 0, "1970-01-01T00:00:00.000000000Z"}, {1763863200_000000001, 999999999, "2025-11-23T02:00:01.000000000Z"},
		{-1, 0, "1969-12-31T23:59:59.999999999Z"},
		{-3_000000000, 1_500000000, "1969-12-31T23:59:58.500000000Z"},
	} {
		w := wall{offset: c.offset}
		for range 2 { // the second time uses the cached second
			if got := string(w.append(nil, c.t)); got != c.want {
				t.Errorf("%d+%d is %s, want %s", c.offset, c.t, got, c.want)
			}
		}
	}
}
