package tracecmd

import (
	"strings"

	"github.com/tracec/tracec/runtime/render"
)

// timeFormat is the format of a time column.
type timeFormat uint8

const (
	micros timeFormat = iota // seconds with 6 digits, rounded
	nanos                    // seconds with 9 digits
	ticks                    // bare integer
)

// countsTime reports whether trace-cmd prints the times of a clock as seconds. Its list lacks
// `boot`, which counts nanoseconds, and has `uptime`, which does not (ftrace.Buffer.Ticks). A
// recording without a clock has `local`.
func countsTime(clock string) bool {
	switch clock {
	case "", "local", "global", "uptime", "perf":
		return true
	}
	return strings.HasPrefix(clock, "mono") || strings.HasPrefix(clock, "tai")
}

// secondsColumn caches the text of the last time's seconds, which change once in many thousand
// lines.
type secondsColumn struct {
	text    []byte // " %5d.", empty before the first time
	seconds uint64
}

func (c *secondsColumn) append(dst []byte, s uint64) []byte {
	if s != c.seconds || len(c.text) == 0 {
		c.seconds = s
		c.text = append(c.text[:0], ' ')
		c.text = render.Udec(c.text, s)
		c.text = append(padLeft(c.text, 1, 5), '.')
	}
	return append(dst, c.text...)
}

// appendTime appends the time column with the blanks before it.
func (c *secondsColumn) appendTime(dst []byte, t uint64, f timeFormat) []byte {
	switch f {
	case ticks:
		start := len(dst)
		dst = render.Udec(dst, t)
		return padLeft(dst, start, 12)
	case nanos:
		dst = c.append(dst, t/1e9)
		ns := uint32(t % 1e9)
		dst = append(dst, byte('0'+ns/1e8))
		dst = append4(dst, ns/1e4%1e4)
		return append4(dst, ns%1e4)
	}
	us := (t + 500) / 1000 // cannot wrap in practice: 2^64 ns are 584 years
	dst = c.append(dst, us/1e6)
	frac := uint32(us % 1e6)
	dst = append(dst, pairs[2*(frac/1e4)], pairs[2*(frac/1e4)+1])
	return append4(dst, frac%1e4)
}

// append4 appends four digits.
func append4(dst []byte, v uint32) []byte {
	hi, lo := 2*(v/100), 2*(v%100)
	return append(dst, pairs[hi], pairs[hi+1], pairs[lo], pairs[lo+1])
}

// pairs holds the numbers 00 to 99.
const pairs = "0001020304050607080910111213141516171819" +
	"2021222324252627282930313233343536373839" +
	"4041424344454647484950515253545556575859" +
	"6061626364656667686970717273747576777879" +
	"8081828384858687888990919293949596979899"

// padLeft inserts blanks at start until the text from there is width bytes wide.
func padLeft(dst []byte, start, width int) []byte {
	n := width - (len(dst) - start)
	if n <= 0 {
		return dst
	}
	for range n {
		dst = append(dst, ' ')
	}
	copy(dst[start+n:], dst[start:len(dst)-n])
	for i := range n {
		dst[start+i] = ' '
	}
	return dst
}

// padRight appends blanks until the text from start is width bytes wide.
func padRight(dst []byte, start, width int) []byte {
	for len(dst)-start < width {
		dst = append(dst, ' ')
	}
	return dst
}
