package render

// MAC appends six bytes as 00:11:22:33:44:55. s has the letters after %pM, of which the first one
// counts: R reverses the bytes, F selects dashes. A leading m is %pm, without separators, and may
// be followed by R (mac_address_string in lib/vsprintf.c).
func MAC(dst []byte, _ *Env, r []byte, s string) []byte {
	sep := byte(':')
	if s != "" && s[0] == 'm' {
		sep = 0
		s = s[1:]
	}
	reversed := false
	if s != "" {
		switch s[0] {
		case 'R':
			reversed = true
		case 'F':
			if sep != 0 {
				sep = '-'
			}
		}
	}
	r = first(r, 6)
	if !reversed {
		return hexJoined(dst, r, sep)
	}
	for i := len(r) - 1; i >= 0; i-- {
		dst = hexByte(dst, r[i])
		if i > 0 && sep != 0 {
			dst = append(dst, sep)
		}
	}
	return dst
}

// IP4 appends four bytes as 127.0.0.1. The parameter s is I4, or i4 for three digits each. It may
// end in the byte order: h for machine order, l for little-endian, n, b or no letter for
// big-endian.
func IP4(dst []byte, env *Env, r []byte, s string) []byte {
	order := byte(0)
	if len(s) > 2 {
		order = s[2]
	}
	return ip4(dst, env, r, s != "" && s[0] == 'i', order)
}

func ip4(dst []byte, env *Env, r []byte, padded bool, order byte) []byte {
	var a [4]byte
	copy(a[:], r)
	if order == 'l' || order == 'h' && !env.bigEndian() {
		a[0], a[1], a[2], a[3] = a[3], a[2], a[1], a[0]
	}
	for i, b := range a {
		if i > 0 {
			dst = append(dst, '.')
		}
		if padded {
			dst = udecPad(dst, uint64(b), 3)
		} else {
			dst = Udec(dst, uint64(b))
		}
	}
	return dst
}

// IP6 appends sixteen bytes: I6 in eight groups of four digits, i6 without colons, I6c compressed.
func IP6(dst []byte, env *Env, r []byte, s string) []byte {
	var a [16]byte
	copy(a[:], r)
	switch {
	case s != "" && s[0] == 'i':
		return hexJoined(dst, a[:], 0)
	case len(s) > 2 && s[2] == 'c':
		return ip6Compressed(dst, env, &a)
	}
	return ip6Full(dst, &a)
}

func ip6Full(dst []byte, a *[16]byte) []byte {
	for i := 0; i < 16; i += 2 {
		if i > 0 {
			dst = append(dst, ':')
		}
		dst = hexByte(hexByte(dst, a[i]), a[i+1])
	}
	return dst
}

// ip6Compressed shortens the first of the longest runs of zero groups, if the run has at least two.
// It writes the last four bytes as IPv4 if the address is v4-mapped or ISATAP
// (ip6_compressed_string in lib/vsprintf.c).
func ip6Compressed(dst []byte, env *Env, a *[16]byte) []byte {
	groups := 8
	tail4 := v4mapped(a) || isatap(a)
	if tail4 {
		groups = 6
	}
	runAt, runLen := -1, 1
	for i := 0; i < groups; i++ {
		n := 0
		for i+n < groups && a[2*(i+n)] == 0 && a[2*(i+n)+1] == 0 {
			n++
		}
		if n > runLen {
			runAt, runLen = i, n
		}
	}
	colon := false
	for i := 0; i < groups; i++ {
		if i == runAt {
			dst = append(dst, "::"...)
			i += runLen - 1
			colon = false
			continue
		}
		if colon {
			dst = append(dst, ':')
		}
		dst = HexLower(dst, uint64(a[2*i])<<8|uint64(a[2*i+1]))
		colon = true
	}
	if !tail4 {
		return dst
	}
	if colon {
		dst = append(dst, ':')
	}
	return ip4(dst, env, a[12:], false, 0)
}

// v4mapped reports whether an address is in ::ffff:0:0/96.
func v4mapped(a *[16]byte) bool {
	for _, b := range a[:10] {
		if b != 0 {
			return false
		}
	}
	return a[10] == 0xff && a[11] == 0xff
}

// isatap reports whether an interface identifier is one of RFC 5214. The universal bit may be set
// or not.
func isatap(a *[16]byte) bool {
	return a[8]|2 == 2 && a[9] == 0 && a[10] == 0x5e && a[11] == 0xfe
}
