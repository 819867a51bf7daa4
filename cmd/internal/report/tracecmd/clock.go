package tracecmd

import (
	"strings"

	"github.com/tracec/tracec/runtime/render"
)

// timeFormat is how a time column looks.
type timeFormat uint8

const (
	micros timeFormat = iota // seconds with 6 digits, rounded
	nanos                    // seconds with 9 digits
	ticks                    // bare integer
)

// countsTime tells whether a clock counts nanoseconds, so that its times print as seconds. The list is the
// one of trace-cmd 3.1.6, which lacks `boot` (spec/ftrace.md 1.5); a recording without a clock has `local`.
func countsTime(clock string) bool {
	switch clock {
	case "", "local", "global", "uptime", "perf":
		return true
	}
	return strings.HasPrefix(clock, "mono") || strings.HasPrefix(clock, "tai")
}

// appendTime appends the time column with the blanks before it.
func appendTime(dst []byte, t uint64, f timeFormat) []byte {
	switch f {
	case ticks:
		start := len(dst)
		dst = render.Udec(dst, t)
		return padLeft(dst, start, 12)
	case nanos:
		dst = appendSeconds(dst, t/1e9)
		dst = append(dst, '.')
		return appendDigits(dst, uint32(t%1e9), 9)
	}
	us := (t + 500) / 1000 // cannot wrap in practice: 2^64 ns are 584 years
	dst = appendSeconds(dst, us/1e6)
	dst = append(dst, '.')
	return appendDigits(dst, uint32(us%1e6), 6)
}

// appendSeconds right-aligns seconds to five digits after a blank.
func appendSeconds(dst []byte, s uint64) []byte {
	dst = append(dst, ' ')
	start := len(dst)
	dst = render.Udec(dst, s)
	return padLeft(dst, start, 5)
}

// appendDigits appends n digits of v with leading zeros.
func appendDigits(dst []byte, v uint32, n int) []byte {
	var b [10]byte
	for i := n; i > 0; i-- {
		b[i-1] = byte('0' + v%10)
		v /= 10
	}
	return append(dst, b[:n]...)
}

// padLeft puts blanks before what was appended since start until it is width bytes wide.
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

// padRight appends blanks until what was appended since start is width bytes wide.
func padRight(dst []byte, start, width int) []byte {
	for len(dst)-start < width {
		dst = append(dst, ' ')
	}
	return dst
}
