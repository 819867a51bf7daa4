package gencode

import (
	"hash/maphash"
	"math"
	"math/bits"
	"time"
)

// Strings converts bytes to strings. It remembers some hundred recent strings, so that repeated
// texts, such as names of threads, are allocated once. The zero value is ready for use, by one
// goroutine.
type Strings struct {
	seed maphash.Seed
	kept []string
}

// The bounds of the memory of a Strings: 64 KiB of text.
const (
	keptStrings = 512
	keptLength  = 128
)

// Of returns b as a string. The string does not change when b changes.
func (s *Strings) Of(b []byte) string {
	if len(b) == 0 {
		return ""
	}
	if len(b) > keptLength {
		return string(b)
	}
	if s.kept == nil {
		s.seed, s.kept = maphash.MakeSeed(), make([]string, keptStrings)
	}
	slot := &s.kept[maphash.Bytes(s.seed, b)%keptStrings]
	if *slot != string(b) {
		*slot = string(b)
	}
	return *slot
}

// Duration returns v units of time. A value that a Duration cannot hold, beyond 292 years, becomes
// the longest or the shortest Duration.
func Duration[T Integer](v T, unit time.Duration) time.Duration {
	if v < 0 {
		if n := int64(v); n >= math.MinInt64/int64(unit) {
			return time.Duration(n) * unit
		}
		return math.MinInt64
	}
	high, low := bits.Mul64(uint64(v), uint64(unit))
	if high != 0 || low > math.MaxInt64 {
		return math.MaxInt64
	}
	return time.Duration(low)
}
