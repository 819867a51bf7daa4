package render

// guidOrder is the order of bytes in a little-endian GUID: its first three parts are integers.
var guidOrder = [16]byte{3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15}

// UUID appends sixteen bytes as a UUID. s is U, which may be followed by b (the default) or B for
// big-endian, l or L for little-endian. Capital letters select capital digits (uuid_string in
// lib/vsprintf.c).
func UUID(dst []byte, _ *Env, r []byte, s string) []byte {
	if s != "" && s[0] == 'U' {
		s = s[1:]
	}
	variant := byte('b')
	if s != "" {
		variant = s[0]
	}
	var a [16]byte
	copy(a[:], r)
	digits := hexLower
	if variant == 'B' || variant == 'L' {
		digits = hexUpper
	}
	for i := range a {
		switch i {
		case 4, 6, 8, 10:
			dst = append(dst, '-')
		}
		b := a[i]
		if variant == 'l' || variant == 'L' {
			b = a[guidOrder[i]]
		}
		dst = append(dst, digits[b>>4], digits[b&15])
	}
	return dst
}
