package line

import (
	"encoding/binary"
	"slices"
	"strconv"
)

// Form is the format of a Clock's times.
type Form uint8

// The formats, for 2416281630192 ns.
const (
	Seconds      Form = iota // 2416.281630192
	Microseconds             // 2416281630.192
	Nanoseconds              // 2416281630192
)

// The lengths of units, in ns.
const (
	second      = 1e9
	millisecond = 1e6
)

const (
	// beforeRoom is the space for the text before a time.
	beforeRoom = 16
	// ClockRoom is the maximum number of bytes that Put writes.
	ClockRoom = beforeRoom + 24
)

// Clock formats times of records. Many records share a millisecond, so a Clock caches the text of
// the last millisecond. The zero value has the form Seconds.
type Clock struct {
	form   Form
	dot    int         // 1 if a dot precedes the last three digits
	before int         // length of the text before times
	begin  uint64      // start of the cached millisecond
	span   uint64      // length of the cached millisecond; 0 before the first time
	text   [Short]byte // the text before times, and the digits down to the millisecond
	size   int
}

// NewClock returns a Clock that writes a text of at most 16 bytes before each time.
func NewClock(form Form, before string) Clock {
	c := Clock{form: form, before: len(before)}
	if form == Microseconds {
		c.dot = 1
	}
	if copy(c.text[:beforeRoom], before) < len(before) {
		panic("line: a long text before times")
	}
	return c
}

// Append appends a time in ns.
func (c *Clock) Append(dst []byte, t uint64) []byte {
	n := len(dst)
	if cap(dst)-n < ClockRoom {
		dst = slices.Grow(dst, ClockRoom)
	}
	return dst[:n+c.Put(dst[n:n+ClockRoom], t)]
}

// Put writes a time in ns to the start of b, and returns its length. b must have ClockRoom bytes.
// Put may overwrite bytes after the time.
func (c *Clock) Put(b []byte, t uint64) int {
	ns := t - c.begin
	if ns >= c.span {
		return c.turn(b, t)
	}
	b = b[:ClockRoom]
	*(*[Short]byte)(b) = c.text
	us := uint32(ns) / 1000
	b = b[c.size&(Short-1):]
	binary.LittleEndian.PutUint32(b, Digits[us])
	b[3] = '.'
	binary.LittleEndian.PutUint32(b[3+c.dot:], Digits[uint32(ns)-1000*us])
	return c.size + c.dot + 6
}

// turn is Put for another millisecond.
func (c *Clock) turn(b []byte, t uint64) int {
	if t < second && c.form != Seconds { // the time has fewer digits
		return c.putSmall(b, t)
	}
	now := t / second
	if c.span == 0 || now != c.begin/second {
		text := strconv.AppendUint(c.text[:c.before], now, 10)
		if c.form == Seconds {
			text = append(text, '.')
		}
		c.size = len(text) + 3
	}
	c.begin = t - t%millisecond
	c.span = min(millisecond-1, ^c.begin) + 1 // the last millisecond before overflow is shorter
	binary.LittleEndian.PutUint32(c.text[c.size-3:], Digits[c.begin/millisecond%1000])
	return c.Put(b, t)
}

// putSmall writes a time in the first second.
func (c *Clock) putSmall(b []byte, t uint64) int {
	b = append(b[:0], c.text[:c.before]...)
	if c.form == Nanoseconds {
		return len(strconv.AppendUint(b, t, 10))
	}
	b = append(strconv.AppendUint(b, t/1000, 10), '.')
	return len(binary.LittleEndian.AppendUint32(b, Digits[t%1000])) - 1
}
