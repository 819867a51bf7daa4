package babeltrace

import (
	"math"
	"time"

	"github.com/tracec/tracec/runtime/render"
)

const second = 1_000_000_000

// clockText appends the times of lines (docs/spec/ctf.md 7.2).
type clockText struct {
	Times

	// gap is the place of the first distance in a block, or -1 before there is one. Distances from
	// the previous line are known only within a block. So the text of the first distance is added
	// later.
	gap           int
	first, before uint64 // times, or cycles

	second int64 // text is the text of second
	text   []byte
	// open, between and end surround the time and the distance.
	open, between, end string
	// negative is set if a time of the block was negative. Negative times are printed as seconds,
	// with one message.
	negative bool
}

// begin begins a block.
func (c *clockText) begin() { c.gap, c.negative = -1, false }

// newClock returns a clockText. If names is set, it prints the names of times.
func newClock(t Times, names bool) clockText {
	c := clockText{Times: t, open: "[", between: "] (", end: ") "}
	switch {
	case names && t.NoDelta:
		c.open, c.between, c.end = "timestamp = ", "", ""
	case names:
		c.open, c.between, c.end = "timestamp = ", ", delta = ", ""
	case t.NoDelta:
		c.between, c.end = "] ", ""
	}
	return c
}

// append appends a time: ns after base, in nanoseconds, or cycles.
func (c *clockText) append(dst []byte, base int64, ns, cycles uint64) []byte {
	now := uint64(base) + ns
	if c.Cycles {
		now = cycles
		dst = padded(append(dst, c.open...), cycles, 20)
	} else {
		dst = c.wall(dst, int64(now))
	}
	dst = append(dst, c.between...)
	if !c.NoDelta {
		if c.gap < 0 {
			c.gap, c.first = len(dst), now
		} else {
			dst = c.delta(dst, now-c.before)
		}
	}
	c.before = now
	return append(dst, c.end...)
}

// delta appends the distance from the previous line. It has no sign. One step back looks like an
// unknown distance, as in babeltrace2.
func (c *clockText) delta(dst []byte, d uint64) []byte {
	if d == math.MaxUint64 {
		return append(dst, c.none()...)
	}
	dst = append(dst, '+')
	if c.Cycles {
		return padded(dst, d, 12)
	}
	return render.Fixed(dst, d, 9)
}

// none returns the text for the distance of the first line.
func (c *clockText) none() string {
	if c.Cycles {
		return "+????????????"
	}
	return "+?.?????????"
}

// wall appends the time of day, or seconds.
func (c *clockText) wall(dst []byte, ns int64) []byte {
	if ns < 0 {
		c.negative = true
		return render.Fixed(append(append(dst, c.open...), '-'), -uint64(ns), 9)
	}
	s := ns / second
	if c.text == nil || s != c.second {
		c.second = s
		c.text = c.appendSecond(append(c.text[:0], c.open...))
	}
	return render.Decimals(append(dst, c.text...), uint32(ns-s*second), 9)
}

// appendSecond appends a second and the point after it.
func (c *clockText) appendSecond(dst []byte) []byte {
	if c.Seconds {
		return append(render.Dec(dst, c.second), '.')
	}
	layout, zone := "15:04:05.", c.Zone
	if c.Date {
		layout = "2006-01-02 15:04:05."
	}
	if zone == nil {
		zone = time.Local
	}
	return time.Unix(c.second, 0).In(zone).AppendFormat(dst, layout)
}

// padded appends a number with at least digits digits. digits is at most 20.
func padded(dst []byte, n uint64, digits int) []byte {
	var b [20]byte
	at := len(b)
	for n > 0 || len(b)-at < digits {
		at--
		b[at] = '0' + byte(n%10)
		n /= 10
	}
	return append(dst, b[at:]...)
}
