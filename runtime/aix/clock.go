package aix

import (
	"math"
	"math/bits"
)

// ClockTimeBase is the type of a clock that counts ticks of the time base register. Any other type
// counts nanoseconds, with 10^9 as the period of its 32-bit stamps: the real-time clock of the
// first systems.
const ClockTimeBase = 2

// Clock is the scale of time stamps: nanoseconds = ticks * Mul / Div (hook 00A, subhook 25C).
type Clock struct{ Mul, Div, Type uint64 }

// scale returns the factors for the conversion. They are 1 and 1 for a clock that is not the time
// base, or is invalid.
func (c Clock) scale() (mul, div uint64) {
	if c.Type != ClockTimeBase || c.Mul == 0 || c.Div == 0 {
		return 1, 1
	}
	return c.Mul, c.Div
}

// period returns the ticks that a wrap of a 32-bit stamp adds.
func (c Clock) period() uint64 {
	if c.Type != ClockTimeBase && c.Type != 0 {
		return 1e9
	}
	return 1 << 32
}

// NS converts ticks to nanoseconds. If the result does not fit, it is the largest number.
func (c Clock) NS(ticks uint64) uint64 {
	mul, div := c.scale()
	hi, lo := bits.Mul64(ticks, mul)
	if hi >= div {
		return math.MaxUint64
	}
	ns, _ := bits.Div64(hi, lo, div)
	return ns
}
