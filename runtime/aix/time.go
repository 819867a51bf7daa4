package aix

import (
	"math"
	"math/bits"

	"github.com/tracec/tracec/runtime/record"
)

// unwrapper adds the wraps to the 32-bit stamps of one stream, by the rules of Unwrap.
type unwrapper struct {
	rule    Unwrap
	period  uint64
	sum     uint64 // of the periods added so far
	last    uint64 // the previous stamp
	prior   uint64 // the stamp before last
	seen    int    // number of these two stamps that are set
	wrapped bool   // last added a period
	exempt  bool   // last is from a utility hook: a timer sync, which is nearly a period away from its neighbours
}

// ticks returns stamp v plus all wraps up to it.
func (u *unwrapper) ticks(v uint64, utility bool) uint64 {
	wrapped, single := false, false
	switch {
	case u.seen == 0 || u.rule == UnwrapNever:
	case v < u.last:
		if single = !u.wrapped && u.alone(v); !single {
			u.sum += u.period
			wrapped = true
		}
	case u.wrapped && u.alone(v):
		u.sum -= u.period
		single = true
	}
	if !single { // otherwise the stamp in between is dropped
		u.prior = u.last
		u.seen = min(u.seen+1, 2)
	}
	u.last, u.wrapped, u.exempt = v, wrapped, utility
	return v + u.sum
}

// alone reports whether v is so close to prior, the stamp before last, that last cannot be right.
func (u *unwrapper) alone(v uint64) bool {
	return u.rule == UnwrapSteady && u.seen == 2 && !u.exempt && v >= u.prior && v-u.prior < u.period/16
}

// converter is Clock.NS for stamps that usually grow a little. It keeps quotient and remainder of
// the last one, so only a small product is divided, by a multiplication.
type converter struct {
	clock    Clock
	mul, div uint64
	inverse  uint64 // 2^64/div, rounded down
	reach    uint64 // largest difference whose product fits

	ticks, ns, rest uint64 // ticks*mul = ns*div + rest
	known           bool
}

func newConverter(c Clock) converter {
	mul, div := c.scale()
	k := converter{clock: c, mul: mul, div: div, inverse: math.MaxUint64 / div}
	if div < 1<<62 {
		k.reach = (1 << 62) / mul
	}
	return k
}

func (k *converter) convert(ticks uint64) uint64 {
	if k.mul == k.div {
		return ticks
	}
	d := ticks - k.ticks
	if !k.known || d > k.reach || k.ns >= 1<<63 {
		return k.begin(ticks)
	}
	x := d*k.mul + k.rest
	q, _ := bits.Mul64(x, k.inverse)
	rest := x - q*k.div
	for rest >= k.div { // at most twice: inverse is too small by less than 2
		q++
		rest -= k.div
	}
	k.ticks, k.ns, k.rest = ticks, k.ns+q, rest
	return k.ns
}

// begin converts without history.
func (k *converter) begin(ticks uint64) uint64 {
	hi, lo := bits.Mul64(ticks, k.mul)
	if k.known = hi < k.div; !k.known {
		return math.MaxUint64
	}
	k.ns, k.rest = bits.Div64(hi, lo, k.div)
	k.ticks = ticks
	return k.ns
}

// timing converts stamps to times.
type timing struct {
	unwrap  unwrapper
	convert converter
	ticks   uint64 // of the previous entry
	time    uint64
	known   bool // the scale is known
}

func (t *timing) set(c Clock) {
	t.unwrap.period = c.period()
	t.convert = newConverter(c)
}

// stamp sets the times in a separate loop: few loads, no branches that depend on the kind of hook.
func (t *timing) stamp(records []record.Record, entries []Entry, is64 bool) {
	if is64 {
		for i := range entries {
			e := &entries[i]
			if e.Flags&Stamped != 0 {
				t.ticks = e.Ticks
				t.time = t.convert.convert(t.ticks)
			}
			e.Ticks = t.ticks
			records[i].Time = t.time
		}
		return
	}
	for i := range entries {
		e := &entries[i]
		if e.Flags&Stamped != 0 {
			t.ticks = t.unwrap.ticks(e.Ticks, records[i].ID == idUtility)
			t.time = t.convert.convert(t.ticks)
		}
		e.Ticks = t.ticks
		records[i].Time = t.time
	}
}
