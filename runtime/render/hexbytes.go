package render

// Hex appends the first n bytes of r as `0a 1b`: __print_hex.
func Hex(dst []byte, _ *Env, r []byte, n uint64) []byte {
	return hexJoined(dst, first(r, n), ' ')
}

// HexStr appends the first n bytes of r as `0a1b`: __print_hex_str.
func HexStr(dst []byte, _ *Env, r []byte, n uint64) []byte {
	return hexJoined(dst, first(r, n), 0)
}

// maxHexBytes is the maximum number of bytes that %*ph prints (hex_string in lib/vsprintf.c).
const maxHexBytes = 64

// HexBytes appends n bytes of r, at most 64, as %*ph does. s is C for colons, D for dashes, N for
// no separator, and empty for spaces.
func HexBytes(dst []byte, _ *Env, r []byte, n uint64, s string) []byte {
	sep := byte(' ')
	if s != "" {
		switch s[0] {
		case 'C':
			sep = ':'
		case 'D':
			sep = '-'
		case 'N':
			sep = 0
		}
	}
	return hexJoined(dst, first(r, min(widthArg(n), maxHexBytes)), sep)
}

// widthArg returns the number of bytes for a `*` before an extension of %p. The width is an int,
// and its sign is the flag '-'.
func widthArg(n uint64) uint64 {
	w := int64(int32(n))
	if w < 0 {
		w = -w
	}
	return uint64(w)
}

// hexJoined appends b in pairs of digits with sep between them. If sep is 0, there is no separator.
func hexJoined(dst, b []byte, sep byte) []byte {
	for i, c := range b {
		if i > 0 && sep != 0 {
			dst = append(dst, sep)
		}
		dst = hexByte(dst, c)
	}
	return dst
}

// Array appends n elements of size bytes as `{0x1,0x2}`: __print_array. big is the byte order of
// the elements. The list ends before an element that is not wholly inside r.
func Array(dst []byte, _ *Env, r []byte, big bool, n, size uint64) []byte {
	start := len(dst)
	dst = append(dst, '{')
	bad := false
	switch size {
	case 1, 2, 4, 8:
	default:
		// trace_print_array_seq continues byte by byte and prints a note at every element.
		bad = true
	}
	step := int(size & 15)
	if bad {
		step = 1
	}
	for i := 0; int64(n) > 0 && uint64(i) < n && len(r) >= step && len(dst)-start <= MaxText*4; i++ {
		if i > 0 {
			dst = append(dst, ',')
		}
		if bad {
			dst = append(dst, "BAD SIZE:"...)
			dst = append(Udec(dst, size), ' ')
		}
		dst = hex0x(dst, uintOf(r[:step], big))
		r = r[step:]
	}
	return append(dst, '}')
}
