package ftrace

import (
	"math/bits"
	"sort"

	"github.com/tracec/tracec/runtime/record"
)

// A clock converts the times of one CPU (ftrace.md 1.5): first the difference to the peer's clock,
// then the scale, then the shift. The zero clock does not change times.
type clock struct {
	samples     []TimeSample
	interpolate bool
	rate        float64 // ns per tick, if set by the user
	tsc         *TSC
	shift       uint64
}

func (c *clock) identity() bool {
	return len(c.samples) == 0 && c.rate == 0 && c.tsc == nil && c.shift == 0
}

func (c *clock) convert(t uint64) uint64 {
	if len(c.samples) > 0 {
		t = c.sync(t)
	}
	switch {
	case c.rate != 0:
		t = uint64(float64(t) * c.rate)
	case c.tsc != nil:
		hi, lo := bits.Mul64(t, uint64(c.tsc.Mult))
		t = lo>>c.tsc.Shift | hi<<(64-c.tsc.Shift)
	}
	return t + c.shift
}

func (c *clock) apply(batch []record.Record) {
	if c.rate == 0 && c.tsc == nil && len(c.samples) == 0 {
		for i := range batch {
			batch[i].Time += c.shift
		}
		return
	}
	for i := range batch {
		batch[i].Time = c.convert(batch[i].Time)
	}
}

// sync applies the samples around t. As in trace-cmd, the first two samples apply before the first
// one, and the last two after the last one. Between two samples, the earlier one applies, or the
// line through both.
func (c *clock) sync(t uint64) uint64 {
	n := len(c.samples)
	if n == 1 {
		return t + uint64(c.samples[0].Offset)
	}
	i := sort.Search(n, func(i int) bool { return c.samples[i].Time > t })
	i = min(max(i, 1), n-1)
	a, b := &c.samples[i-1], &c.samples[i]
	offset := a.Offset
	if c.interpolate && b.Time > a.Time { // damaged samples may have any times
		offset += between(int64(t-a.Time), b.Offset-a.Offset, b.Time-a.Time)
	}
	return a.scale(t) + uint64(offset)
}

// between returns dt × rise / span in whole numbers. It is rounded as C rounds dt × rise + span /
// 2.
func between(dt, rise int64, span uint64) int64 {
	negative := (dt < 0) != (rise < 0)
	hi, lo := bits.Mul64(magnitude(dt), magnitude(rise))
	half := span / 2
	if !negative {
		var carry uint64
		lo, carry = bits.Add64(lo, half, 0)
		hi += carry
	} else {
		if hi == 0 && lo <= half {
			return int64((half - lo) / span)
		}
		var borrow uint64
		lo, borrow = bits.Sub64(lo, half, 0)
		hi -= borrow
	}
	q, _ := bits.Div64(hi%span, lo, span) // for valid samples the quotient fits in 64 bits
	if negative {
		return -int64(q)
	}
	return int64(q)
}

func magnitude(v int64) uint64 {
	if v < 0 {
		return -uint64(v)
	}
	return uint64(v)
}

// scale multiplies with an intermediate result of 128 bits. Recordings without scaling have the
// factor 1 without a fraction, or 0.
func (s *TimeSample) scale(t uint64) uint64 {
	if s.Scaling == 0 || s.Scaling == 1 && s.Fraction == 0 {
		return t
	}
	hi, lo := bits.Mul64(t, s.Scaling)
	switch {
	case s.Fraction == 0:
		return lo
	case s.Fraction < 64:
		return lo>>s.Fraction | hi<<(64-s.Fraction)
	case s.Fraction < 128:
		return hi >> (s.Fraction - 64)
	}
	return 0
}
