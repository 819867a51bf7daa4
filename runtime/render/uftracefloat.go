package render

import (
	"encoding/binary"
	"math"
	"math/big"
	"math/bits"
	"strconv"
)

// UftraceFloat appends the IEEE number with the bits v as C's %#f does. It is a float if size is 4,
// otherwise a double.
func UftraceFloat(dst []byte, _ *Env, v, size uint64) []byte {
	if size == 4 {
		v = math.Float64bits(float64(math.Float32frombits(uint32(v))))
	}
	negative, exp, mant := v>>63 != 0, int(v>>52&0x7ff), v&(1<<52-1)
	switch exp {
	case 0x7ff:
		return notFinite(dst, negative, mant != 0)
	case 0:
		exp = 1
	default:
		mant |= 1 << 52
	}
	if out, ok := sixDecimals(dst, negative, mant, exp-1023-52); ok {
		return out
	}
	return strconv.AppendFloat(dst, math.Float64frombits(v), 'f', 6, 64)
}

// UftraceFloat80 appends the first 10 bytes of b, an extended number of the x87, as C's %#Lf does.
// For that processor, a value without the leading bit but with an exponent other than 0 is not a
// number.
func UftraceFloat80(dst []byte, _ *Env, b []byte, isBig bool) []byte {
	mant, head, ok := float80(b, isBig)
	if !ok {
		return dst
	}
	negative, exp := head>>15 != 0, int(head&0x7fff)
	switch {
	case exp == 0x7fff, exp != 0 && mant>>63 == 0:
		return notFinite(dst, negative, exp != 0x7fff || mant != 1<<63)
	case exp == 0:
		exp = 1
	}
	if out, ok := sixDecimals(dst, negative, mant, exp-16383-63); ok {
		return out
	}
	f := new(big.Float).SetUint64(mant)
	f.SetMantExp(f, exp-16383-63)
	if negative {
		dst = append(dst, '-')
	}
	return f.Append(dst, 'f', 6)
}

// Float80 returns the bits of the double nearest to an extended number of the x87. mant is the
// mantissa with its leading bit. head is the sign and the exponent. Values that are invalid for
// that processor become NaN.
func Float80(mant, head uint64) uint64 {
	sign, exp := head>>15&1<<63, int(head&0x7fff)
	switch {
	case exp == 0x7fff && mant == 1<<63:
		return sign | math.Float64bits(math.Inf(1))
	case exp == 0x7fff, exp != 0 && mant>>63 == 0:
		return sign | math.Float64bits(math.NaN())
	case exp == 0:
		exp = 1
	}
	return sign | math.Float64bits(ldexp(mant, exp-16383-63))
}

// ldexp returns mant times 2 to the power of exp, rounded once, to even.
func ldexp(mant uint64, exp int) float64 {
	const bits53, least = 53, -1074
	drop := max(bits.Len64(mant)-bits53, least-exp, 0) // bits that do not fit in a double
	switch {
	case drop > 64:
		return 0
	case drop > 0:
		rest, half := mant<<(64-drop), uint64(1)<<63
		if drop == 64 {
			rest, mant = mant, 0
		} else {
			mant >>= drop
		}
		if rest > half || rest == half && mant&1 != 0 {
			mant++
		}
	}
	return math.Ldexp(float64(mant), exp+drop)
}

// UftraceFloat80Dump appends the mantissa of the number as in a dump: %#020llx. The tool loses the
// exponent (observed on 0.19; 0.13 crashes).
func UftraceFloat80Dump(dst []byte, _ *Env, b []byte, isBig bool) []byte {
	mant, _, ok := float80(b, isBig)
	if !ok {
		return dst
	}
	return HexPad(append(dst, '0', 'x'), mant, 20)
}

// float80 splits a number into its mantissa with the leading bit, and its sign with its exponent.
func float80(b []byte, isBig bool) (mant uint64, head uint16, ok bool) {
	switch {
	case len(b) < 10:
		return 0, 0, false
	case isBig:
		return binary.BigEndian.Uint64(b[2:]), binary.BigEndian.Uint16(b), true
	}
	return binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint16(b[8:]), true
}

func notFinite(dst []byte, negative, nan bool) []byte {
	if negative {
		dst = append(dst, '-')
	}
	if nan {
		return append(dst, "nan"...)
	}
	return append(dst, "inf"...)
}

// sixDecimals appends mant times 2 to the power of exp with six decimals, rounded to even as the C
// library does. It rejects numbers above 18446744073709. strconv could handle all of them, but
// takes a microsecond for a fixed number of decimals.
func sixDecimals(dst []byte, negative bool, mant uint64, exp int) ([]byte, bool) {
	if exp > 0 {
		if exp > bits.LeadingZeros64(mant) {
			return dst, false
		}
		mant, exp = mant<<exp, 0
	}
	hi, lo := bits.Mul64(mant, 1e6) // millionths, times 2 to the -exp
	up := false
	switch shift := uint(-exp); {
	case shift > 127: // less than half a millionth, because the product has 84 bits
		hi, lo = 0, 0
	case shift > 64:
		rest, half := hi&(1<<(shift-64)-1), uint64(1)<<(shift-65)
		odd := hi >> (shift - 64) & 1
		up = rest > half || rest == half && (lo != 0 || odd != 0)
		hi, lo = 0, hi>>(shift-64)
	case shift == 64:
		up = lo > 1<<63 || lo == 1<<63 && hi&1 != 0
		hi, lo = 0, hi
	case shift > 0:
		rest, half := lo&(1<<shift-1), uint64(1)<<(shift-1)
		hi, lo = hi>>shift, hi<<(64-shift)|lo>>shift
		up = rest > half || rest == half && lo&1 != 0
	}
	if hi != 0 || lo == math.MaxUint64 {
		return dst, false
	}
	if up {
		lo++
	}
	if negative {
		dst = append(dst, '-')
	}
	dst = append(Udec(dst, lo/1e6), '.')
	return udecPad(dst, lo%1e6, 6), true
}

// UftraceRatio appends b divided by a with two decimals: instructions per cycle. The tool divides
// floats, not doubles (observed: 199/200 is 1.00).
func UftraceRatio(dst []byte, _ *Env, a, b uint64) []byte {
	return twoDecimals(dst, float64(float32(b)/float32(a)))
}

// UftracePercent appends the percentage of a that is not in b, with two decimals. It is used for
// the cache's hits, from accesses and misses. The difference is unsigned, as in the tool.
func UftracePercent(dst []byte, _ *Env, a, b uint64) []byte {
	return twoDecimals(dst, 100*float64(a-b)/float64(a))
}

// twoDecimals appends f as %.2f. The result of 0/0 has the sign bit on x86, where the tool runs.
func twoDecimals(dst []byte, f float64) []byte {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return notFinite(dst, math.IsNaN(f) || f < 0, math.IsNaN(f))
	}
	return strconv.AppendFloat(dst, f, 'f', 2, 64)
}
