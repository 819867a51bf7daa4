package gencode

import (
	"fmt"
	"math"
	"testing"
	"time"
)

func TestDuration(t *testing.T) {
	for _, x := range []struct {
		got, want time.Duration
	}{
		{Duration(int32(-3), time.Microsecond), -3 * time.Microsecond},
		{Duration(uint8(255), time.Second), 255 * time.Second},
		{Duration(uint64(math.MaxInt64), time.Nanosecond), math.MaxInt64},
		{Duration(uint64(math.MaxInt64)+1, time.Nanosecond), math.MaxInt64},
		{Duration(uint64(math.MaxUint64), time.Second), math.MaxInt64},
		{Duration(int64(math.MinInt64), time.Nanosecond), math.MinInt64},
		{Duration(int64(math.MinInt64), time.Second), math.MinInt64},
		{Duration(int64(math.MaxInt64/1000), time.Microsecond), math.MaxInt64 / 1000 * time.Microsecond},
		{Duration(int64(math.MaxInt64/1000+1), time.Microsecond), math.MaxInt64},
		{Duration(int64(math.MinInt64/1000), time.Microsecond), math.MinInt64 / 1000 * time.Microsecond},
		{Duration(int64(math.MinInt64/1000-1), time.Microsecond), math.MinInt64},
	} {
		if x.got != x.want {
			t.Errorf("got %d, want %d", x.got, x.want)
		}
	}
}

// Strings equal the bytes at the time of the call. They are made only once as long as few different
// strings are in use.
func TestStrings(t *testing.T) {
	var s Strings
	b := []byte("first")
	first := s.Of(b)
	copy(b, "other")
	if second := s.Of(b); first != "first" || second != "other" || s.Of(nil) != "" {
		t.Errorf("%q, then %q", first, second)
	}
	long := make([]byte, 1000)
	if got := s.Of(long); got != string(long) {
		t.Errorf("%d bytes of %d", len(got), len(long))
	}
	for i := range 10_000 { // more than are remembered
		if want := fmt.Sprint(i % 3000); s.Of([]byte(want)) != want {
			t.Fatal(want)
		}
	}
	if n := testing.AllocsPerRun(100, func() { s.Of(b) }); n != 0 {
		t.Errorf("%v allocations for a text that comes again", n)
	}
}
