package trcrpt

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// blanks is longer than any margin. pad appends parts of it.
var blanks = bytes.Repeat([]byte{' '}, 256)

// pad appends n blanks.
func pad(dst []byte, n int) []byte {
	for n > len(blanks) {
		dst = append(dst, blanks...)
		n -= len(blanks)
	}
	if n > 0 {
		dst = append(dst, blanks[:n]...)
	}
	return dst
}

// The tab stops of a text (aix.md 4.9).
const (
	tabWidth     = 8
	firstTabZero = 3 // with L=0
)

// area is the area of a line for the text of an event.
type area struct {
	margin int // first column of the lines after the first
	// firstTab is the first tab stop, counted from the start of the text of a line.
	firstTab int
}

// finish ends the text of an event. The text begins at the byte text of dst, its line at the byte
// line. finish expands lines and tabs, trims blanks at ends of lines (aix.md 4.1 f), and adds a
// newline. It uses scratch as a buffer. It returns the number of ended lines.
func (a area) finish(dst []byte, line, text int, scratch *[]byte) ([]byte, int) {
	plain := text + plainPrefix(dst[text:])
	if plain == len(dst) {
		return append(trim(dst, line), '\n'), 1
	}
	*scratch = append((*scratch)[:0], dst[plain:]...)
	dst = dst[:plain]
	lines := 1
	start := text // start of the text on the line
	for rest := *scratch; ; {
		i := plainPrefix(rest)
		dst = append(dst, rest[:i]...)
		if i == len(rest) {
			break
		}
		if rest[i] == '\t' {
			dst = pad(dst, a.toTab(len(dst)-start))
		} else {
			dst = append(trim(dst, line), '\n')
			line = len(dst)
			dst = pad(dst, a.margin)
			start = len(dst)
			lines++
		}
		rest = rest[i+1:]
	}
	return append(trim(dst, line), '\n'), lines
}

// toTab returns the distance from column to the next tab stop.
func (a area) toTab(column int) int {
	if column < a.firstTab {
		return a.firstTab - column
	}
	return tabWidth - (column-a.firstTab)%tabWidth
}

// plainPrefix returns the length of text before its first newline or tab. Few texts have any byte
// below 11, so it tests eight bytes at a time for such bytes.
func plainPrefix(text []byte) int {
	const each = 0x0101010101010101
	n := 0
	for len(text)-n >= 8 {
		w := binary.LittleEndian.Uint64(text[n:])
		low := (w - 11*each) &^ w & (0x80 * each)
		if low == 0 {
			n += 8
			continue
		}
		n += bits.TrailingZeros64(low) / 8
		if text[n] == '\n' || text[n] == '\t' {
			return n
		}
		n++
	}
	for ; n < len(text) && text[n] != '\n' && text[n] != '\t'; n++ {
	}
	return n
}

// trim cuts the blanks off the end of dst, down to the byte line.
func trim(dst []byte, line int) []byte {
	n := len(dst)
	for n > line && dst[n-1] == ' ' {
		n--
	}
	return dst[:n]
}
