package render

import "encoding/binary"

// Fixed appends v as a number with decimals decimals, at most 9. v counts units of the last
// decimal.
func Fixed(dst []byte, v uint64, decimals int) []byte {
	whole, rest := cutDecimals(v, decimals)
	dst = Udec(dst, whole)
	return Decimals(append(dst, '.'), rest, decimals)
}

// Decimals appends v with that many digits, at most 9, with leading zeros.
func Decimals(dst []byte, v uint32, digits int) []byte {
	switch digits {
	case 6:
		w := dec8(v)
		return binary.LittleEndian.AppendUint16(binary.LittleEndian.AppendUint32(dst, uint32(w>>16)), uint16(w>>48))
	case 9:
		return binary.LittleEndian.AppendUint64(append(dst, byte('0'+v/1e8)), dec8(v%1e8))
	}
	at := len(dst)
	dst = append(dst, "000000000"[:digits]...)
	putDecimals(dst[at:], v)
	return dst
}

// FixedRight writes the text of Fixed into b, right-justified. It returns false and leaves b
// unchanged if there is not enough room.
func FixedRight(b []byte, v uint64, decimals int) bool {
	whole, rest := cutDecimals(v, decimals)
	point := len(b) - decimals - 1
	n := decDigits(whole)
	if point < n {
		return false
	}
	b[point] = '.'
	putDecimals(b[point+1:], rest)
	if whole < 10 {
		b[point-1] = byte('0' + whole)
	} else {
		putDec(b[point-n:point], whole)
	}
	return true
}

// cutDecimals divides v by a power of ten. Divisions by constants take a quarter of the time.
func cutDecimals(v uint64, decimals int) (whole uint64, rest uint32) {
	switch decimals {
	case 9:
		return v / 1e9, uint32(v % 1e9)
	case 6:
		return v / 1e6, uint32(v % 1e6)
	}
	return v / pow10[decimals], uint32(v % pow10[decimals])
}

// putDecimals writes v with leading zeros over all of b, which has at most 9 bytes.
func putDecimals(b []byte, v uint32) {
	switch len(b) {
	case 9:
		b[0] = byte('0' + v/1e8)
		binary.LittleEndian.PutUint64(b[1:], dec8(v%1e8))
	case 6:
		w := dec8(v)
		binary.LittleEndian.PutUint32(b, uint32(w>>16))
		binary.LittleEndian.PutUint16(b[4:], uint16(w>>48))
	default:
		putDec(b, uint64(v))
	}
}
