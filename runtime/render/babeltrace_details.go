package render

import (
	"math"
	"strconv"
)

// The text of values in babeltrace2's sink.text.details (docs/spec/ctf.md 7.6).

// BtNumber appends an integer: form is its base and BtSigned. Base 2 is printed as 16. Longer
// numbers have their digits in groups.
func BtNumber(dst []byte, _ *Env, v, form uint64) []byte {
	if form&BtSigned != 0 && int64(v) < 0 {
		dst, v = append(dst, '-'), -v
	}
	switch form & btBase {
	case 8:
		return btGroups(append(dst, '0'), v, 8, 3, ':')
	case 2, 16:
		return btGroups(append(dst, "0x"...), v, 16, 4, ':')
	}
	if v <= 9999 {
		return strconv.AppendUint(dst, v, 10)
	}
	return btGroups(dst, v, 10, 3, ',')
}

// btGroups appends digits in groups.
func btGroups(dst []byte, v uint64, base, group int, between byte) []byte {
	var room [24]byte
	digits := strconv.AppendUint(room[:0], v, base)
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%group == 0 {
			dst = append(dst, between)
		}
		dst = append(dst, d)
	}
	return dst
}

// BtFixed appends an IEEE number of size bytes, 4 or 8, with six digits after its point.
func BtFixed(dst []byte, env *Env, v, size uint64) []byte {
	f := math.Float64frombits(v)
	if size == 4 {
		f = float64(math.Float32frombits(uint32(v)))
	}
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return BtFloat(dst, env, v, size)
	}
	return strconv.AppendFloat(dst, f, 'f', 6, 64)
}
