package ftrace

import (
	"math/bits"
	"sort"

	"github.com/tracec/tracec/runtime/record"
)

// clock turns the times of one CPU into those that are shown (spec 1.5): the difference to the peer's clock,
// then the scale, then the shift. The zero clock leaves times as they are.
type clock struct {
	samples     []TimeSample
	interpolate bool
	rate        float64 // ns per tick when the user says so
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

// sync applies the sample that holds at t, the last one at or before it. Before the first sample and behind the
// last one there is nothing to interpolate with.
func (c *clock) sync(t uint64) uint64 {
	if len(c.samples) == 1 {
		return t + uint64(c.samples[0].Offset)
	}
	i := sort.Search(len(c.samples), func(i int) bool { return c.samples[i].Time > t })
	if i == 0 {
		return c.samples[0].adjust(t)
	}
	a := &c.samples[i-1]
	if !c.interpolate || i == len(c.samples) {
		return a.adjust(t)
	}
	b := &c.samples[i]
	span := b.Time - a.Time // not 0: b.Time > t >= a.Time
	between := float64(t-a.Time) / float64(span) * float64(b.Offset-a.Offset)
	return a.scale(t) + uint64(a.Offset+int64(between))
}

func (s *TimeSample) adjust(t uint64) uint64 { return s.scale(t) + uint64(s.Offset) }

// scale multiplies with 128 bits between. Recordings without scaling have 1 and no fraction, or 0 for nothing.
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
