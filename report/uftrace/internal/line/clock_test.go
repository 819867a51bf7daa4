package line_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tracec/tracec/report/uftrace/internal/line"
)

// forms format times with fmt.
var forms = map[line.Form]func(at uint64) string{
	line.Seconds:      func(at uint64) string { return fmt.Sprintf("%d.%09d", at/1e9, at%1e9) },
	line.Microseconds: func(at uint64) string { return fmt.Sprintf("%d.%03d", at/1000, at%1000) },
	line.Nanoseconds:  func(at uint64) string { return fmt.Sprint(at) },
}

// TestClock: times equal fmt's, in any order.
func TestClock(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before := strings.Repeat("b", rapid.IntRange(0, 16).Draw(t, "before"))
		form := rapid.SampledFrom([]line.Form{line.Seconds, line.Microseconds, line.Nanoseconds}).Draw(t, "form")
		c := line.NewClock(form, before)
		at := rapid.OneOf(rapid.Uint64(), rapid.Uint64Range(0, 3e9)).Draw(t, "begin")
		for range 20 {
			// Steps go in both directions. Short and long steps cross the ends of the range.
			at += uint64(rapid.OneOf(rapid.Int64Range(-1000, 1000), rapid.Int64Range(-2e6, 2e6),
				rapid.Int64Range(-2e9, 2e9), rapid.Int64()).Draw(t, "step"))
			dst := make([]byte, 1, rapid.IntRange(1, 80).Draw(t, "room"))
			if want, got := before+forms[form](at), string(c.Append(dst, at)[1:]); got != want {
				t.Fatalf("%d: %s, want %s", at, got, want)
			}
		}
	})
}

func TestEnds(t *testing.T) {
	for form, text := range forms {
		for _, at := range []uint64{0, 1, 999999, 1000000, 999999999, 1e9, 1e9 - 1, math.MaxUint64} {
			c := line.NewClock(form, "")
			if want, got := text(at), string(c.Append(nil, at)); got != want {
				t.Errorf("%s, want %s", got, want)
			}
		}
	}
}
