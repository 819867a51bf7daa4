package babeltrace

import (
	"time"

	"github.com/tracec/tracec/runtime/render"
)

const second = 1_000_000_000

// clockText appends the times of lines (docs/spec/ctf.md 7.2).
type clockText struct {
	Times
	names bool

	// The distance from the line before is known only within a block. The place of the first one in
	// a block is gap, -1 before it. Its text comes later.
	gap           int
	first, before uint64 // times, or cycles

	second int64 // whose text is text
	text   []byte
	// negative is set once a time was negative. Such times are printed as seconds, with one
	// message.
	negative bool
}

// begin begins a block.
func (c *clockText) begin() { c.gap = -1 }

// append appends a time: ns after base, in nanoseconds, or cycles.
func (c *clockText) append(dst []byte, base int64, ns, cycles uint64) []byte {
	open, between, end := "[", "] (", ") "
	switch {
	case c.names && c.NoDelta:
		open, between, end = "timestamp = ", "", ""
	case c.names:
		open, between, end = "timestamp = ", ", delta = ", ""
	case c.NoDelta:
		between, end = "] ", ""
	}
	dst = append(dst, open...)
	now := uint64(base) + ns
	if c.Cycles {
		now = cycles
		dst = padded(dst, cycles, 20)
	} else {
		dst = c.wall(dst, int64(now))
	}
	dst = append(dst, between...)
	if !c.NoDelta {
		if c.gap < 0 {
			c.gap, c.first = len(dst), now
		} else {
			dst = c.delta(dst, now-c.before)
		}
	}
	c.before = now
	return append(dst, end...)
}

// delta appends the distance from the line before. It has no sign.
func (c *clockText) delta(dst []byte, d uint64) []byte {
	if c.Cycles {
		return padded(append(dst, '+'), d, 12)
	}
	return render.Fixed(append(dst, '+'), d, 9)
}

// none is the distance of the first line.
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
		return render.Fixed(append(dst, '-'), -uint64(ns), 9)
	}
	if c.Seconds {
		return render.Fixed(dst, uint64(ns), 9)
	}
	if s := ns / second; c.text == nil || s != c.second {
		c.second = s
		layout, zone := "15:04:05.", c.Zone
		if c.Date {
			layout = "2006-01-02 15:04:05."
		}
		if zone == nil {
			zone = time.Local
		}
		c.text = time.Unix(s, 0).In(zone).AppendFormat(c.text[:0], layout)
	}
	return padded(append(dst, c.text...), uint64(ns%second), 9)
}

// padded appends a number with at least so many digits, at most 20.
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
