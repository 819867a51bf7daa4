package own

import "math"

// sizedFloat returns the number for the bits of a float. size is in bytes.
func sizedFloat(bits uint64, size int8) float64 {
	if size == 4 {
		return float64(math.Float32frombits(uint32(bits)))
	}
	return math.Float64frombits(bits)
}

func floatBits(f float64, size int8) uint64 {
	if size == 4 {
		return uint64(math.Float32bits(float32(f)))
	}
	return math.Float64bits(f)
}
