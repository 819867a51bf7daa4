package clock_test

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/tracec/tracec/report/uftrace/clock"
)

func TestTimes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var c clock.Clock
		at := rapid.Uint64().Draw(t, "begin")
		for range 20 {
			// Steps of both directions, short and long, over the ends of the range.
			at += uint64(rapid.Int64().Draw(t, "step"))
			if want, got := fmt.Sprintf("%d.%09d", at/1e9, at%1e9), string(c.AppendSeconds(nil, at)); got != want {
				t.Fatalf("seconds of %d: %s, want %s", at, got, want)
			}
			if want, got := fmt.Sprintf("%d.%03d", at/1000, at%1000), string(c.AppendMicroseconds(nil, at)); got != want {
				t.Fatalf("microseconds of %d: %s, want %s", at, got, want)
			}
			if want, got := fmt.Sprint(at), string(c.AppendNanoseconds(nil, at)); got != want {
				t.Fatalf("nanoseconds of %d: %s", at, got)
			}
		}
	})
}

func TestEnds(t *testing.T) {
	for _, at := range []uint64{0, 1, 999999999, 1e9, 1e9 - 1, math.MaxUint64} {
		var c clock.Clock
		if want, got := fmt.Sprintf("%d.%09d", at/1e9, at%1e9), string(c.AppendSeconds(nil, at)); got != want {
			t.Errorf("%s, want %s", got, want)
		}
		if want, got := fmt.Sprintf("%d.%03d", at/1000, at%1000), string(c.AppendMicroseconds(nil, at)); got != want {
			t.Errorf("%s, want %s", got, want)
		}
		if want, got := fmt.Sprint(at), string(c.AppendNanoseconds(nil, at)); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
