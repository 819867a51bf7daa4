package render

import (
	"math"
	"math/bits"
)

// RegisterInt returns the value of an 8-byte register for which uftrace does not record a type. An
// int is in the lower half, with an upper half of 0. A value that uftrace prints as a negative
// number becomes negative. Other values are unchanged, such as an unsigned int of 4000000000.
func RegisterInt(v, _ uint64) uint64 {
	if v > autoNegative && v <= math.MaxUint32 {
		return uint64(int64(int32(v)))
	}
	return v
}

// autoNegative is the number above which uftrace treats 32 bits as a negative int: -65535 to -1.
const autoNegative = 0xffff0000

// EnumWidth returns the size in bytes and the signedness of a C enumeration with the given greatest
// and least values. Its type is int, unsigned int, or an integer of 8 bytes.
func EnumWidth(most, least int64) (size int, signed bool) {
	switch {
	case most > math.MaxUint32, least < math.MinInt32, least < 0 && most > math.MaxInt32:
		return 8, true
	case most > math.MaxInt32:
		return 4, false
	}
	return 4, true
}

// enumerator returns v as a value of the enumeration with the given rows, cut to its width. wide
// reports a width of 8 bytes.
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

// EnumName appends the name of a value of a C enumeration. Its rows are in descending order. If v
// has no name and the enumeration has flags, it appends their names joined by |, and the remaining
// bits in hexadecimal. Otherwise it appends the number.
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

// ValueName appends the text of the row with a value, or else the number.
func ValueName(dst []byte, _ *Env, v uint64, rows Table) []byte {
	for _, r := range rows {
		if r.Value == v {
			return append(dst, clip(r.Text)...)
		}
	}
	return Udec(dst, v)
}

// SignedName is ValueName for a signed number.
func SignedName(dst []byte, _ *Env, v uint64, rows Table) []byte {
	for _, r := range rows {
		if r.Value == v {
			return append(dst, clip(r.Text)...)
		}
	}
	return Dec(dst, int64(v))
}

// RangeName appends the text of the first range that contains a value, or else the number. A row
// without text is the begin of a range, and the next row is its end. Other rows are ranges of one
// value.
func RangeName(dst []byte, _ *Env, v uint64, rows Table) []byte {
	if text, ok := inRange(v, rows); ok {
		return append(dst, text...)
	}
	return Udec(dst, v)
}

// SignedRangeName is RangeName for a signed number. Ranges may begin below zero.
func SignedRangeName(dst []byte, _ *Env, v uint64, rows Table) []byte {
	if text, ok := inRange(v, rows); ok {
		return append(dst, text...)
	}
	return Dec(dst, int64(v))
}

func inRange(v uint64, rows Table) (text string, ok bool) {
	for i, r := range rows {
		low := r.Value
		if i > 0 && rows[i-1].Text == "" {
			low = rows[i-1].Value
		}
		if r.Text != "" && v-low <= r.Value-low { // even if the range crosses zero
			return clip(r.Text), true
		}
	}
	return "", false
}

// FlagNames appends the texts of the rows whose bits are all set in a value, joined by |, and the
// remaining bits in hexadecimal. If the value is 0 and no row applies, it appends 0. A row without
// text is the mask of the next row. That row applies if the masked value equals it.
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

// areFlags reports whether sums of the rows are also values. This is so if most rows are one bit,
// and the rows are not simply numbered.
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
