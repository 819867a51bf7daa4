package lttng

import (
	"math/bits"

	"github.com/tracec/tracec/runtime/record"
)

// clock converts time stamps to nanoseconds (lttng.md 6). The readers of the time computed with
// float64, and their text shows it. So every operation here is rounded separately, and no compiler
// joins two into one.
type clock struct {
	formula     Formula
	freq, scale float64
	start       uint64 // T0
	base        uint64 // nanoseconds of T0, by the old formula
	perTick     float64
	num, den    uint64 // exact: ns = tsc·num/den
	shift       uint64 // added to all times, modulo 2⁶⁴
}

func newClock(f Formula, freq uint64, scale uint32, start uint64) clock {
	freq, scale = max(freq, 1), max(scale, 1)
	c := clock{formula: f, freq: float64(freq), scale: float64(scale), start: start}
	c.perTick = float64(1e9 / c.scale)
	c.base = c.span(start)
	hi, lo := bits.Mul64(1e9, uint64(scale))
	if hi == 0 {
		c.num, c.den = lo, freq
	} else {
		c.num, c.den = 1e9, max(freq/uint64(scale), 1)
	}
	return c
}

// span returns the result of the old formula for a distance.
func (c *clock) span(ticks uint64) uint64 {
	return uint64(float64(float64(float64(ticks)*c.perTick) / c.freq))
}

// ns returns the time of a time stamp, without the shift.
func (c *clock) ns(tsc uint64) uint64 {
	switch c.formula {
	case OldFormula:
		if tsc >= c.start {
			return c.base + c.span(tsc-c.start)
		}
		return c.base - c.span(c.start-tsc)
	case ExactFormula:
		hi, lo := bits.Mul64(tsc, c.num)
		if hi >= c.den {
			return ^uint64(0)
		}
		q, _ := bits.Div64(hi, lo, c.den)
		return q
	}
	return uint64(float64(float64(float64(float64(tsc)*1e9)*c.scale) / c.freq))
}

// times sets the times of records to nanoseconds.
func (c *clock) times(batch []record.Record, entries []Entry) {
	if c.formula == ExactFormula {
		for i := range batch {
			batch[i].Time = c.ns(entries[i].TSC) + c.shift
		}
		return
	}
	// Both formulas in one: a factor of 1 does not change a float64.
	start, base, times, scale, freq := c.start, c.base+c.shift, c.perTick, 1.0, c.freq
	if c.formula == NewFormula {
		start, base, times, scale = 0, c.shift, 1e9, c.scale
	}
	const small = 1 << 63 // below it signed numbers have the same result, and machines convert them faster
	for i := range batch {
		tsc := entries[i].TSC
		if ticks := tsc - start; tsc >= start && ticks < small {
			batch[i].Time = base + uint64(float64(float64(float64(float64(int64(ticks))*times)*scale)/freq))
		} else {
			batch[i].Time = c.ns(tsc) + c.shift
		}
	}
}
