package render

// FourCC appends a pixel format code, `BG12 little-endian (0x32314742)`: %p4cc. Bit 31 is the byte
// order. The characters come lowest byte first.
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

// Characters appends the bytes of a number as text, the highest first, and the number: %p4ch
// (lib/vsprintf.c, fourcc_string).
func Characters(dst []byte, _ *Env, v uint64) []byte {
	for shift := 24; shift >= 0; shift -= 8 {
		c := byte(v >> shift)
		if c < ' ' || c > '~' {
			c = '.'
		}
		dst = append(dst, c)
	}
	return append(HexPad(append(dst, " (0x"...), uint64(uint32(v)), 8), ')')
}
