package record

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestCutsReadLittleTwice checks that slices have the wanted size, that at most an eighth of a
// slice lies in stretches that continue after the cut, and that no better cut was missed.
func TestCutsReadLittleTwice(t *testing.T) {
	cuts := 0
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		base, all := r.Uint64()>>uint(1+r.IntN(40)), []Sample{}
		for range 1 + r.IntN(6) { // streams
			step := 1 + r.Uint64N(2000)
			for at := r.Uint64N(1000); at < 10000; at += step {
				s := Sample{Time: base + at, Size: r.Int64N(1000), End: base + at + step}
				switch r.IntN(20) {
				case 0:
					s.End = 0
				case 1:
					s.End = s.Time - min(s.Time, 10)
				}
				all = append(all, s)
			}
		}
		size := 1 + r.Int64N(10000)
		list := Cuts(slices.Clone(all), size)
		first := 0.0
		for i, c := range list[:len(list)-1] {
			if c.First > 0 && c.First != list[i-1].Last || c.Last <= c.First {
				t.Fatalf("seed %d: a cut from %d to %d", seed, c.First, c.Last)
			}
			bytes, twice := passedBefore(all, c.Last)
			if sum := bytes - first; sum < float64(size)-1e-3 || twice > sum/twicePart+1e-3 {
				t.Fatalf("seed %d: cut %d after %g bytes, %g of them twice", seed, i, sum, twice)
			}
			for _, s := range all {
				b, again := passedBefore(all, s.Time)
				if s.Time <= c.First || s.Time >= c.Last || b-first < float64(size)+1e-3 {
					continue
				}
				if again < twice-1e-3 && again < (b-first)/twicePart-1e-3 || again < (b-first)/littlePart-1e-3 {
					t.Fatalf("seed %d: cut %d passes over a better one, after %g bytes, %g of them twice, not %g", seed,
						i, b-first, again, twice)
				}
			}
			first = bytes
			cuts++
		}
	}
	if cuts < 500 {
		t.Errorf("only %d cuts", cuts)
	}
}

// passedBefore returns the number of bytes before a time. Of these, twice bytes are in stretches
// that end after the time. Stretches that begin at the time do not count.
func passedBefore(all []Sample, time uint64) (bytes, twice float64) {
	for _, s := range all {
		switch {
		case s.Time >= time:
		case s.End > time:
			twice += float64(s.Size) * float64(time-s.Time) / float64(s.End-s.Time)
		default:
			bytes += float64(s.Size)
		}
	}
	return bytes + twice, twice
}
