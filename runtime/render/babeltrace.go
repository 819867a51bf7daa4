package render

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"
)

// The text of values in babeltrace2's sink.text.pretty (docs/spec/ctf.md 7.3).

// BtBinary appends all bits of an integer of size bits: 0b0101.
func BtBinary(dst []byte, _ *Env, v, size uint64) []byte {
	dst = append(dst, "0b"...)
	for i := range min(size, 64) {
		dst = append(dst, '0'+byte(v>>(min(size, 64)-1-i)&1))
	}
	return dst
}

// The form of BtIntegers: the base, which is 2, 8, 10 or 16, plus some of these bits.
const (
	BtSigned  = 1 << (iota + 8)
	BtBig     // big-endian
	BtIndexes // with indexes
	btBase    = BtSigned - 1
)

// btElement exceeds the room that an element takes: a comma, an index, and an integer of 64 bits
// with its prefix.
const btElement = 128

// btIndex is the text before element 0 without its first character, `[ [0] = `, and before other
// elements, as the bytes of numbers.
const (
	btFirst = 0x20_3d_20_5d_30_5b_20_5b
	btIndex = 0x20_3d_20_5d_30_5b_20_2c
)

// BtIntegers appends a list of integers of size bytes: 1, 2, 4 or 8. For other sizes the list is
// empty. The form may include indexes, `[ [0] = 1, [1] = 2 ]`.
func BtIntegers(dst []byte, _ *Env, data []byte, size, form uint64) []byte {
	if size != 1 && size != 2 && size != 4 && size != 8 {
		data, size = nil, 1
	}
	n, before := len(dst), uint64(btFirst)
	b, unused := dst[:cap(dst)], (64-8*size)&63
	for i := uint64(0); uint64(len(data)) >= size; i++ {
		if len(b)-n < btElement {
			b = slices.Grow(b[:n], btElement*min(16, len(data)))
			b = b[:cap(b)]
		}
		out := (*[btElement]byte)(b[n:])
		binary.LittleEndian.PutUint64(out[:8], before+i<<24)
		at := 8
		switch before = btIndex; {
		case form&BtIndexes == 0:
			at = 2
		case i >= 10:
			at = btLongIndex(out, i)
		}
		v := uint64(0)
		switch size {
		case 1:
			v = uint64(data[0])
		case 2:
			v = uint64(binary.LittleEndian.Uint16(data))
		case 4:
			v = uint64(binary.LittleEndian.Uint32(data))
		default:
			v = binary.LittleEndian.Uint64(data)
		}
		data = data[size:]
		if form&BtBig != 0 {
			v = bits.ReverseBytes64(v) >> unused
		}
		switch form & (btBase | BtSigned) {
		case 10:
		case 10 | BtSigned:
			if v = uint64(int64(v<<unused) >> unused); int64(v) < 0 {
				out[at&31] = '-'
				at, v = at+1, -v
			}
		default:
			n += btBased(out, at, v, size, form)
			continue
		}
		if v < 1e8 {
			w := dec8(uint32(v))
			zeros := bits.TrailingZeros64(w-'0'*eachByte|1<<56) &^ 7
			binary.LittleEndian.PutUint64(out[at&31:at&31+8], w>>(zeros&63))
			at += 8 - zeros/8
		} else {
			at += PutUdec(out[at:], v)
		}
		n += at
	}
	if n == len(dst) {
		return append(dst, "[ ]"...)
	}
	return append(b[:n], " ]"...)
}

// btLongIndex writes the text before an element whose index has several digits.
func btLongIndex(out *[btElement]byte, i uint64) int {
	at := copy(out[:], ", [")
	at += PutUdec(out[at:], i)
	return at + copy(out[at:], "] = ")
}

// btBased writes an integer in base 16, 8 or 2. It returns the end. The number of octal digits
// covers the bits of the integer.
func btBased(out *[btElement]byte, at int, v, size, form uint64) int {
	switch form & btBase {
	case 2:
		return len(BtBinary(out[:at], nil, v, 8*size))
	case 8:
		out[at] = '0'
		if unused := (64 - 8*size) & 63; form&BtSigned != 0 {
			v = uint64(int64(v<<unused) >> unused)
		}
		if digits := (8*size + 2) / 3; digits < 21 {
			v &= 1<<(3*digits) - 1
		}
		return len(strconv.AppendUint(out[:at+1], v, 8))
	}
	out[at], out[at+1] = '0', 'x'
	return at + 2 + PutHexUpper(out[at+2:], v, 0)
}

// BtFloat appends an IEEE number of size bytes (4, otherwise 8) as C's %g.
func BtFloat(dst []byte, _ *Env, v, size uint64) []byte {
	f := math.Float64frombits(v)
	if size == 4 {
		f = float64(math.Float32frombits(uint32(v)))
	}
	switch {
	case math.IsNaN(f) && math.Signbit(f):
		return append(dst, "-nan"...)
	case math.IsNaN(f):
		return append(dst, "nan"...)
	case math.IsInf(f, 1):
		return append(dst, "inf"...)
	case math.IsInf(f, -1):
		return append(dst, "-inf"...)
	}
	return strconv.AppendFloat(dst, f, 'g', 6, 64)
}

// btEscapes are the characters after a backslash, by the byte that they represent. For other
// control characters it is x.
var btEscapes = func() (t [256]byte) {
	for c := range byte(0x20) {
		t[c] = 'x'
	}
	t[0x7f] = 'x'
	const from, to = "\a\b\x1b\f\n\r\t\v\\'\"?", `abefnrtv\'"?`
	for i := range from {
		t[from[i]] = to[i]
	}
	return t
}()

// BtString appends a text up to its first NUL in quotes. Bytes above 0x7f do not change.
func BtString(dst []byte, _ *Env, text []byte) []byte {
	dst = slices.Grow(dst, len(text)+btRoom)
	dst = append(dst, '"')
	for len(text) >= 8 {
		w := binary.LittleEndian.Uint64(text)
		plain := bits.TrailingZeros64(btEscaped(w)) / 8
		n := len(dst)
		binary.LittleEndian.PutUint64(dst[n:n+8:cap(dst)], w)
		dst, text = dst[:n+plain], text[plain:]
		if plain == 8 {
			continue
		}
		if text[0] == 0 {
			return append(dst, '"')
		}
		dst = slices.Grow(btEscape(dst, text[0]), len(text)+btRoom)
		text = text[1:]
	}
	for _, c := range text {
		switch {
		case c == 0:
			return append(dst, '"')
		case btEscapes[c] != 0:
			dst = btEscape(dst, c)
		default:
			dst = append(dst, c)
		}
	}
	return append(dst, '"')
}

// btRoom is the room that BtString needs after the rest of a text: for both quotes, and for the
// bytes that it writes beyond the text.
const btRoom = 10

// btEscaped returns a word with the highest bit set in the first byte of w that must be escaped.
// Bits of later bytes may also be set.
func btEscaped(w uint64) uint64 {
	const high = 0x80 * eachByte
	is := func(c uint64) uint64 {
		x := w ^ c*eachByte
		return (x - eachByte) &^ x
	}
	control := (w - 0x20*eachByte) &^ w
	return (control | is(0x7f) | is('"') | is('\'') | is('?') | is('\\')) & high
}

func btEscape(dst []byte, c byte) []byte {
	escape := btEscapes[c]
	if dst = append(dst, '\\', escape); escape == 'x' {
		dst = append(dst, hexLower[c>>4], hexLower[c&15])
	}
	return dst
}

// BtLabels appends the labels of an enumeration for a value, in the order of the table. A row
// without text is the begin of a range. The next row is its end and has its label. form contains b
// for several labels without braces, and f for the labels of the bits of a value without a label.
func BtLabels(dst []byte, env *Env, v uint64, form string, t Table) []byte {
	braces := strings.IndexByte(form, 'b') < 0
	l := btList{dst: dst, at: len(dst), braces: braces}
	for i := 0; i+1 < len(t); i += 2 {
		if v-t[i].Value <= t[i+1].Value-t[i].Value { // even if the range crosses zero
			l.add(env, t[i+1].Text)
		}
	}
	if l.n == 0 && strings.IndexByte(form, 'f') >= 0 {
		if l.dst = btLabelsOfBits(dst, env, v, braces, t); len(l.dst) > len(dst) {
			return l.dst
		}
	}
	return l.end()
}

// btLabelsOfBits appends the labels of the set bits with ` | ` between them, the lowest bit first.
// It appends nothing if a bit has no label of its own.
func btLabelsOfBits(dst []byte, env *Env, v uint64, braces bool, t Table) []byte {
	out := dst
	for rest := v; rest != 0; rest &= rest - 1 {
		if rest != v {
			out = append(out, " | "...)
		}
		bit := rest & -rest
		l := btList{dst: out, at: len(out), braces: braces}
		for i := 0; i+1 < len(t); i += 2 {
			if t[i].Value == bit && t[i+1].Value == bit {
				l.add(env, t[i+1].Text)
			}
		}
		if l.n == 0 {
			return dst
		}
		out = l.end()
	}
	return out
}

// BtFlags appends the labels of the flags that are on, ` { "a", "b" }`, or nothing if no flag is
// on. A flag is on if one of the bits of its ranges is set.
func BtFlags(dst []byte, env *Env, v uint64, t Table) []byte {
	last := -1
	for i := 0; i+1 < len(t); i += 2 {
		mask := ^uint64(0) << (t[i].Value & 63) & (^uint64(0) >> (63 - t[i+1].Value&63))
		if v&mask == 0 || last >= 0 && t[last].Text == t[i+1].Text {
			continue
		}
		if last < 0 {
			dst = append(dst, " { "...)
		} else {
			dst = append(dst, ", "...)
		}
		last = i + 1
		dst = BtString(dst, env, []byte(t[last].Text))
	}
	if last < 0 {
		return dst
	}
	return append(dst, " }"...)
}

// btList appends labels. From the second label on, all are in braces.
type btList struct {
	dst    []byte
	at, n  int // their offset, and their number
	braces bool
}

func (l *btList) add(env *Env, text string) {
	if l.n == 1 && l.braces {
		l.dst = append(l.dst, "  "...)
		copy(l.dst[l.at+2:], l.dst[l.at:])
		copy(l.dst[l.at:], "{ ")
	}
	if l.n > 0 {
		l.dst = append(l.dst, ", "...)
	}
	l.dst, l.n = BtString(l.dst, env, []byte(text)), l.n+1
}

func (l *btList) end() []byte {
	switch {
	case l.n == 0:
		return append(l.dst, "<unknown>"...)
	case l.n == 1 || !l.braces:
		return l.dst
	}
	return append(l.dst, " }"...)
}

// BtBlob appends the bytes of a blob in hexadecimal: `{ aa bb }`.
func BtBlob(dst []byte, _ *Env, b []byte) []byte {
	dst = append(dst, "{ "...)
	for _, c := range b {
		dst = append(dst, hexLower[c>>4], hexLower[c&15], ' ')
	}
	return append(dst, '}')
}
