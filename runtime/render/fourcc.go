package render

// FourCC appends a pixel format code, `BG12 little-endian (0x32314742)`: %p4cc. Bit 31 says the
// order; the characters come lowest byte first.
func FourCC(dst []byte, _ *Env, v uint64) []byte {
	const bigEndian = 1 << 31 // DRM_FORMAT_BIG_ENDIAN
	code := uint32(v)
	for shift := 0; shift < 32; shift += 8 {
		c := byte(code &^ bigEndian >> shift)
		if c < ' ' || c > '~' {
			c = '.'
		}
		dst = append(dst, c)
	}
	if code&bigEndian != 0 {
		dst = append(dst, " big-endian (0x"...)
	} else {
		dst = append(dst, " little-endian (0x"...)
	}
	return append(HexPad(dst, uint64(code), 8), ')')
}
