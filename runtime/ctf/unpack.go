package ctf

import (
	"encoding/binary"
	"math"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/tracec/tracec/runtime/ctf/metadata"
)

// Size returns the number of bytes of a number in the unpacked form: the smallest of 1, 2, 4 and 8
// that holds all its bits, but at least 4 for floating-point numbers.
func Size(c *metadata.Class) int {
	size := 1
	switch c.Kind {
	case metadata.Bool:
		return size
	case metadata.Varint:
		return 8
	case metadata.Float:
		size = 4
	}
	for size*8 < c.Bits {
		size *= 2
	}
	return size
}

// widen converts the bits of a floating-point number of 16 bits to 32 bits.
func widen(v uint64) uint64 {
	sign, exponent, fraction := v>>15<<31, v>>10&0x1f, v&0x3ff
	switch exponent {
	case 0: // a multiple of 1<<-24, the smallest number
		return sign | uint64(math.Float32bits(float32(fraction)/(1<<24)))
	case 0x1f: // infinite or not a number
		return sign | 0xff<<23 | fraction<<13
	}
	return sign | (exponent-15+127)<<23 | fraction<<13
}

// put appends the low bytes of a value, the lowest first.
func (m *machine) put(v uint64, size int) {
	switch size {
	case 1:
		m.out = append(m.out, byte(v))
	case 2:
		m.out = binary.LittleEndian.AppendUint16(m.out, uint16(v))
	case 4:
		m.out = binary.LittleEndian.AppendUint32(m.out, uint32(v))
	default:
		m.out = binary.LittleEndian.AppendUint64(m.out, v)
	}
}

// selector appends the selector of a variant or an optional field, if the form includes it.
func (m *machine) selector(n *node) {
	if m.copying && n.selects {
		m.put(m.slots[n.from], 8)
	}
}

// copyCounted appends a length and the bytes of a text, up to its NUL, or of a blob.
func (m *machine) copyCounted(n *node, b []byte) {
	at := len(m.out)
	m.put(0, 4)
	if n.Kind == metadata.Blob {
		m.out = append(m.out, b...)
	} else {
		if i := terminator(b, n.Encoding.Unit()); i >= 0 {
			b = b[:i]
		}
		m.out = appendUTF8(m.out, b, n.Encoding)
	}
	binary.LittleEndian.PutUint32(m.out[at:], uint32(len(m.out)-at-4))
}

// appendUTF8 appends a text in UTF-8. Invalid characters become U+FFFD. Bytes of UTF-8 and ASCII do
// not change.
func appendUTF8(dst, b []byte, e metadata.Encoding) []byte {
	order := binary.ByteOrder(binary.LittleEndian)
	if e == metadata.UTF16BE || e == metadata.UTF32BE {
		order = binary.BigEndian
	}
	switch e.Unit() {
	case 1:
		return append(dst, b...)
	case 2:
		for ; len(b) >= 2; b = b[2:] {
			r := rune(order.Uint16(b))
			if utf16.IsSurrogate(r) {
				if len(b) >= 4 {
					if r = utf16.DecodeRune(r, rune(order.Uint16(b[2:]))); r != utf8.RuneError {
						b = b[2:]
					}
				} else {
					r = utf8.RuneError
				}
			}
			dst = utf8.AppendRune(dst, r)
		}
	default:
		for ; len(b) >= 4; b = b[4:] {
			dst = utf8.AppendRune(dst, rune(min(order.Uint32(b), utf8.MaxRune+1)))
		}
	}
	return dst
}
