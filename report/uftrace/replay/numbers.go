package replay

import (
	"bytes"
	"encoding/binary"

	"github.com/tracec/tracec/report/uftrace/internal/line"
)

const noDuration = "          "

// durationUnits are the units of a duration. The divisors are uftrace's, including its error that
// an hour has 24 minutes (uftrace.md 2.1).
var durationUnits = [...]struct {
	div  uint64
	unit string
}{{1000, "us"}, {1000, "ms"}, {1000, " s"}, {60, " m"}, {24, " h"}}

// appendDuration appends ns in the ten columns of a duration, with blanks for 0.
func appendDuration(dst []byte, ns uint64) []byte {
	n := len(dst)
	dst = append(dst, noDuration...)
	putDuration((*[10]byte)(dst[n:]), ns)
	return dst
}

// putDuration writes the text of ns, and returns the index of its unit, or -1 for 0.
func putDuration(dst *[10]byte, ns uint64) int {
	if ns == 0 {
		return -1
	}
	if int64(ns) < 0 { // from damaged data; uftrace prints the absolute value
		ns = -ns
	}
	if ns < 1000_000 {
		us := uint32(ns) / 1000
		putParts(dst, us, uint32(ns)-1000*us, "us")
		return 0
	}
	whole, part, unit := ns, uint64(0), 0
	for i, u := range durationUnits {
		whole, part, unit = whole/u.div, whole%u.div, i
		if i+1 == len(durationUnits) || whole < durationUnits[i+1].div {
			break
		}
	}
	if whole > 999 {
		whole, part = 999, 999
	}
	putParts(dst, uint32(whole), uint32(part), durationUnits[unit].unit)
	return unit
}

// putParts writes "  1.234 us".
func putParts(dst *[10]byte, whole, part uint32, unit string) {
	binary.LittleEndian.PutUint32(dst[:], line.Blanks[whole]|'.'<<24)
	binary.LittleEndian.PutUint32(dst[4:], line.Digits[part]|' '<<24)
	dst[8], dst[9] = unit[0], unit[1]
}

// appendTime appends a time as seconds and nanoseconds in 18 columns.
func appendTime(dst []byte, ns uint64) []byte {
	dst = appendPadded(dst, ns/1e9, 8)
	rest := ns % 1e9
	dst = appendThree(append(dst, '.'), rest/1e6)
	return appendThree(appendThree(dst, rest/1000%1000), rest%1000)
}

// appendThree appends a number below 1000 with three digits.
func appendThree(dst []byte, v uint64) []byte {
	return binary.LittleEndian.AppendUint32(dst, line.Digits[v])[:len(dst)+3]
}

// appendPadded appends a number, right-aligned.
func appendPadded(dst []byte, v uint64, width int) []byte {
	var b [20]byte
	i := len(b)
	for {
		i--
		b[i] = byte('0' + v%10)
		v /= 10
		if v == 0 {
			break
		}
	}
	for n := len(b) - i; n < width; n++ {
		dst = append(dst, ' ')
	}
	return append(dst, b[i:]...)
}

// appendHex appends a number in hexadecimal, right-aligned.
func appendHex(dst []byte, v uint64, width int) []byte {
	var b [16]byte
	i := len(b)
	for {
		i--
		b[i] = "0123456789abcdef"[v&15]
		v >>= 4
		if v == 0 {
			break
		}
	}
	for n := len(b) - i; n < width; n++ {
		dst = append(dst, ' ')
	}
	return append(dst, b[i:]...)
}

var indentation = bytes.Repeat([]byte{' '}, 256)

// appendBlanks appends n blanks.
func appendBlanks(dst []byte, n int) []byte {
	for n > len(indentation) {
		dst = append(dst, indentation...)
		n -= len(indentation)
	}
	if n > 0 {
		dst = append(dst, indentation[:n]...)
	}
	return dst
}
