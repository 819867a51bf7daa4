package render

import (
	"encoding/binary"
	"math"
	"math/bits"
	"strconv"
	"strings"
)

// The text of values in babeltrace2's sink.text.pretty (docs/spec/ctf.md 7.3).

// BtInteger appends an integer of size bits in a base: 2, 8 or 16. Digits of 8 and 16 are as many
// bits as the integer has, rounded up to whole digits.
func BtInteger(dst []byte, _ *Env, v, size, base uint64) []byte {
	cut := func(digit uint64) uint64 {
		if n := (size + digit - 1) / digit * digit; n < 64 {
			return v & (1<<n - 1)
		}
		return v
	}
	switch base {
	case 2:
		dst = append(dst, "0b"...)
		for i := range min(size, 64) {
			dst = append(dst, '0'+byte(v>>(min(size, 64)-1-i)&1))
		}
		return dst
	case 8:
		return strconv.AppendUint(append(dst, '0'), cut(3), 8)
	}
	return appendUpperHex(append(dst, "0x"...), cut(4))
}

func appendUpperHex(dst []byte, v uint64) []byte {
	digits := (bits.Len64(v|1) + 3) / 4
	for shift := 4 * (digits - 1); shift >= 0; shift -= 4 {
		dst = append(dst, "0123456789ABCDEF"[v>>shift&15])
	}
	return dst
}

// BtIntegers appends a list of integers, `[ [0] = 1, [1] = 2 ]`. The letters of form are their
// size, which is 1, 2, 4 or 8 bytes; s for signed, b for big-endian, n for indexes, and x, o or y
// for the bases 16, 8 and 2.
func BtIntegers(dst []byte, env *Env, data []byte, form string) []byte {
	size, base := 8, uint64(10)
	signed, big, names := false, false, false
	for _, c := range form {
		switch c {
		case '1', '2', '4', '8':
			size = int(c - '0')
		case 's':
			signed = true
		case 'b':
			big = true
		case 'n':
			names = true
		case 'x':
			base = 16
		case 'o':
			base = 8
		case 'y':
			base = 2
		}
	}
	dst = append(dst, '[')
	for i := uint64(0); len(data) >= size; i++ {
		if i > 0 {
			dst = append(dst, ',')
		}
		if dst = append(dst, ' '); names {
			dst = append(Udec(append(dst, '['), i), "] = "...)
		}
		v := btNumber(data[:size], big)
		if unused := 64 - 8*size; signed {
			v = uint64(int64(v<<unused) >> unused)
		}
		switch data = data[size:]; {
		case base != 10:
			dst = BtInteger(dst, env, v, uint64(size)*8, base)
		case signed:
			dst = Dec(dst, int64(v))
		default:
			dst = Udec(dst, v)
		}
	}
	return append(dst, " ]"...)
}

// btNumber reads a number of 1, 2, 4 or 8 bytes.
func btNumber(b []byte, big bool) uint64 {
	order := binary.ByteOrder(binary.LittleEndian)
	if big {
		order = binary.BigEndian
	}
	switch len(b) {
	case 1:
		return uint64(b[0])
	case 2:
		return uint64(order.Uint16(b))
	case 4:
		return uint64(order.Uint32(b))
	}
	return order.Uint64(b)
}

// BtFloat appends an IEEE number of size bytes (4, else 8) as C's %g.
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

// btEscapes are the characters after a backslash, by the byte that they stand for. Of other control
// characters it is x.
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

// BtString appends a text up to its first NUL in quotes. Bytes above 0x7f stay as they are.
func BtString(dst []byte, _ *Env, text []byte) []byte {
	dst = append(dst, '"')
	plain := 0 // from here on, no byte is escaped
	for i, c := range text {
		escape := btEscapes[c]
		if escape == 0 {
			continue
		}
		dst = append(dst, text[plain:i]...)
		if plain = i + 1; c == 0 {
			return append(dst, '"')
		}
		if dst = append(dst, '\\', escape); escape == 'x' {
			dst = append(dst, "0123456789abcdef"[c>>4], "0123456789abcdef"[c&15])
		}
	}
	return append(append(dst, text[plain:]...), '"')
}

// BtLabels appends the labels of an enumeration that have a value, in the order of the table. A row
// without text begins the range that the next row ends and names. form has b for several labels
// without braces, and f for the labels of bits of a value that has no label.
func BtLabels(dst []byte, env *Env, v uint64, form string, t Table) []byte {
	return btLabels(dst, env, v, form, t, func(a, b uint64) bool { return a < b })
}

// BtSignedLabels is BtLabels for ranges of numbers with a sign.
func BtSignedLabels(dst []byte, env *Env, v uint64, form string, t Table) []byte {
	return btLabels(dst, env, v, form, t, func(a, b uint64) bool { return int64(a) < int64(b) })
}

func btLabels(dst []byte, env *Env, v uint64, form string, t Table, less func(a, b uint64) bool) []byte {
	braces := strings.IndexByte(form, 'b') < 0
	l := btList{dst: dst, at: len(dst), braces: braces}
	for i := 0; i+1 < len(t); i += 2 {
		if !less(v, t[i].Value) && !less(t[i+1].Value, v) {
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

// BtFlags appends the labels of the flags that are on, ` { "a", "b" }`, or nothing if none is. A
// flag is on if one of the bits of its ranges is set.
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

// btList appends labels. The second one puts all into braces.
type btList struct {
	dst    []byte
	at, n  int // where they begin, and their number
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
		dst = append(dst, "0123456789abcdef"[c>>4], "0123456789abcdef"[c&15], ' ')
	}
	return append(dst, '}')
}
