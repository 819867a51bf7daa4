package render

import (
	"math"
	"math/bits"
)

// RegisterInt returns what a register of 8 bytes holds whose type uftrace does not record. An int is in its lower half, and the upper half is
// 0 then: what uftrace prints as a negative number is one. Other numbers stay, as an unsigned int of 4000000000.
func RegisterInt(v, _ uint64) uint64 {
	if v > autoNegative && v <= math.MaxUint32 {
		return uint64(int64(int32(v)))
	}
	return v
}

// autoNegative is the number above which uftrace takes 32 bits for a negative int: -65535 to -1.
const autoNegative = 0xffff0000

// EnumWidth returns the size in bytes of an enumeration of C, and whether it has a sign, from the
// greatest and the least of its numbers: int, unsigned int, or one of 8 bytes.
func EnumWidth(most, least int64) (size int, signed bool) {
	switch {
	case most > math.MaxUint32, least < math.MinInt32, least < 0 && most > math.MaxInt32:
		return 8, true
	case most > math.MaxInt32:
		return 4, false
	}
	return 4, true
}

// enumerator returns v as a value of the enumeration that has the rows, cut to its width. wide says
// that it is 8 bytes.
func enumerator(v uint64, rows Table) (n int64, wide bool) {
	size, signed := 4, true
	if len(rows) > 0 {
		size, signed = EnumWidth(int64(rows[0].Value), int64(rows[len(rows)-1].Value))
	}
	switch {
	case size == 8:
		return int64(v), true
	case signed:
		return int64(int32(v)), false
	}
	return int64(uint32(v)), false
}

// EnumName appends the name of a value of an enumeration of C, whose rows are in descending order. A value without one that consists of
// flags is their names, joined by |, and what is left of it in hexadecimal. Any other is its number.
func EnumName(dst []byte, _ *Env, v uint64, rows Table) []byte {
	n, _ := enumerator(v, rows)
	for _, r := range rows {
		if int64(r.Value) == n {
			return append(dst, clip(r.Text)...)
		}
	}
	if n <= 0 || !areFlags(rows) {
		return Dec(dst, n)
	}
	rest, start := uint64(n), len(dst)
	for _, r := range rows {
		if r.Value == 0 || int64(r.Value) < 0 || r.Value&^rest != 0 || len(dst)-start > MaxText {
			continue
		}
		if len(dst) > start {
			dst = append(dst, '|')
		}
		dst, rest = append(dst, clip(r.Text)...), rest&^r.Value
	}
	switch {
	case len(dst) == start:
		return Dec(dst, n)
	case rest != 0:
		dst = hex0x(append(dst, '|'), rest)
	}
	return dst
}

// ValueName appends the text of the row with a value, else its number.
func ValueName(dst []byte, _ *Env, v uint64, rows Table) []byte {
	for _, r := range rows {
		if r.Value == v {
			return append(dst, clip(r.Text)...)
		}
	}
	return Udec(dst, v)
}

// SignedName is ValueName of a number with a sign.
func SignedName(dst []byte, _ *Env, v uint64, rows Table) []byte {
	for _, r := range rows {
		if r.Value == v {
			return append(dst, clip(r.Text)...)
		}
	}
	return Dec(dst, int64(v))
}

// FlagNames appends the texts of the rows whose bits are all in a value, joined by |, and what is left of
// it in hexadecimal; 0 where nothing is in it. A row without text is the mask of the row after it, which counts
// where the value has just its bits of those of the mask.
func FlagNames(dst []byte, _ *Env, v uint64, rows Table) []byte {
	rest, start, masked := v, len(dst), false
	for i, r := range rows {
		if r.Text == "" {
			masked = true
			continue
		}
		mask := r.Value
		if masked {
			mask, masked = rows[i-1].Value, false
		}
		if mask == 0 || v&mask != r.Value || len(dst)-start > MaxText {
			continue
		}
		if len(dst) > start {
			dst = append(dst, '|')
		}
		dst, rest = append(dst, clip(r.Text)...), rest&^r.Value
	}
	switch {
	case len(dst) == start && rest == 0:
		return append(dst, '0')
	case rest != 0 && len(dst) > start:
		dst = append(dst, '|')
		fallthrough
	case rest != 0:
		return hex0x(dst, rest)
	}
	return dst
}

// areFlags reports whether sums of the rows are values, too: most of them are one bit, and they are not just numbered.
func areFlags(rows Table) bool {
	single, other, most := 0, 0, int64(0)
	for i, r := range rows {
		switch {
		case r.Value == 0 || i > 0 && r.Value == rows[i-1].Value:
		case int64(r.Value) > 0 && bits.OnesCount64(r.Value) == 1:
			single++
		default:
			other++
		}
		most = max(most, int64(r.Value))
	}
	numbered := most >= 3 && int64(single+other) == most
	return single >= 2 && single > other && !numbered
}
