package tables

import (
	"math"
	"math/bits"
	"slices"
)

// A Distribution sums up durations and finds their quantiles. The zero value is empty. It holds up
// to 1,024 values exactly. Beyond that, quantiles are exact to one part in 512, in at most 225 kB.
type Distribution struct {
	Count, Sum uint64 // Sum wraps at 2^64 ns, after 584 years
	Min, Max   uint64 // valid if Count > 0

	values  []uint64   // all values, if there are few
	octaves [][]uint32 // counts by power of two and the ten leading bits
}

const (
	exactValues = 1024
	subBits     = 10
)

// Add adds a value.
func (d *Distribution) Add(v uint64) {
	if d.Count == 0 || v < d.Min {
		d.Min = v
	}
	d.Max = max(d.Max, v)
	d.Sum += v
	d.Count++
	switch {
	case d.octaves != nil:
		d.count(v)
	case len(d.values) < exactValues:
		d.values = append(d.values, v)
	default:
		d.widen()
		d.count(v)
	}
}

// Merge adds the values of o, as if each had been added.
func (d *Distribution) Merge(o *Distribution) {
	if o.octaves == nil {
		for _, v := range o.values {
			d.Add(v)
		}
		return
	}
	if d.Count == 0 || o.Min < d.Min {
		d.Min = o.Min
	}
	d.Max, d.Sum, d.Count = max(d.Max, o.Max), d.Sum+o.Sum, d.Count+o.Count
	d.widen()
	for octave, counts := range o.octaves {
		for sub, n := range counts {
			if n > 0 {
				to := d.bucket(octave, uint64(sub))
				*to += min(n, math.MaxUint32-*to)
			}
		}
	}
}

// widen starts to count values by their leading bits.
func (d *Distribution) widen() {
	if d.octaves != nil {
		return
	}
	d.octaves = make([][]uint32, 0, 32)
	for _, v := range d.values {
		d.count(v)
	}
	d.values = nil
}

// count counts a value by its leading bits.
func (d *Distribution) count(v uint64) {
	octave := max(bits.Len64(v)-subBits, 0)
	if n := d.bucket(octave, v>>octave); *n < math.MaxUint32 {
		*n++
	}
}

// bucket returns the count of the values of an octave with the same leading bits.
func (d *Distribution) bucket(octave int, sub uint64) *uint32 {
	for len(d.octaves) <= octave {
		d.octaves = append(d.octaves, nil)
	}
	if d.octaves[octave] == nil {
		d.octaves[octave] = make([]uint32, 1<<subBits)
	}
	return &d.octaves[octave][sub]
}

// Mean returns the mean, or 0 without values.
func (d *Distribution) Mean() uint64 { return d.Sum / max(d.Count, 1) }

// Quantile returns the value of the nearest rank: the smallest value such that at least the part q
// of all values does not exceed it. It returns 0 without values.
func (d *Distribution) Quantile(q float64) uint64 {
	if d.Count == 0 {
		return 0
	}
	rank := uint64(math.Ceil(q * float64(d.Count)))
	rank = min(max(rank, 1), d.Count)
	if d.octaves == nil {
		slices.Sort(d.values)
		return d.values[rank-1]
	}
	for octave, counts := range d.octaves {
		for sub, n := range counts {
			if rank <= uint64(n) {
				return min(uint64(sub+1)<<octave-1, d.Max)
			}
			rank -= uint64(n)
		}
	}
	return d.Max
}

// Each calls yield for the powers of two between the minimum and the maximum, with the number of
// values from low to below 2*low. If there are zeros, the first low is 0.
func (d *Distribution) Each(yield func(low, n uint64)) {
	var counts [65]uint64
	for _, v := range d.values {
		counts[bits.Len64(v)]++
	}
	for octave, subs := range d.octaves {
		for sub, n := range subs {
			counts[bits.Len64(uint64(sub)<<octave)] += uint64(n)
		}
	}
	if d.Count == 0 {
		return
	}
	for i := bits.Len64(d.Min); i <= bits.Len64(d.Max); i++ {
		low := uint64(0)
		if i > 0 {
			low = 1 << (i - 1)
		}
		yield(low, counts[i])
	}
}
