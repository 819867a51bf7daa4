package render

import "strings"

// escapes is the set of classes that string_escape_mem of lib/string_helpers.c escapes.
type escapes struct {
	space, special, null, octal, hex bool
	keepPrintable                    bool // NP: printable bytes are never escaped
}

func parseEscapes(s string) escapes {
	var e escapes
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case 'a':
			e.space, e.special, e.null, e.octal = true, true, true, true
		case 'c':
			e.special = true
		case 'h':
			e.hex = true
		case 'n':
			e.null = true
		case 'o':
			e.octal = true
		case 'p':
			e.keepPrintable = true
		case 's':
			e.space = true
		default:
			// The kernel stops at the first unknown letter.
			i = len(s)
		}
	}
	if e == (escapes{}) {
		e = escapes{space: true, special: true, null: true, octal: true, keepPrintable: true}
	}
	return e
}

// Escaped appends the first n bytes of r as %*pE does. s has the letters after the E.
func Escaped(dst []byte, _ *Env, r []byte, n uint64, s string) []byte {
	e := parseEscapes(s)
	for _, c := range first(r, widthArg(n)) {
		dst = e.append(dst, c)
	}
	return dst
}

func (e *escapes) append(dst []byte, c byte) []byte {
	if e.keepPrintable && printable(c) {
		return append(dst, c)
	}
	if e.space {
		if at := strings.IndexByte("\n\r\t\v\f", c); at >= 0 {
			return append(dst, '\\', "nrtvf"[at])
		}
	}
	if e.special {
		if at := strings.IndexByte("\\\a\x1b\"", c); at >= 0 {
			return append(dst, '\\', `\ae"`[at])
		}
	}
	switch {
	case e.null && c == 0:
		return append(dst, '\\', '0')
	case e.octal:
		return append(dst, '\\', '0'+c>>6, '0'+c>>3&7, '0'+c&7)
	case e.hex:
		return hexByte(append(dst, '\\', 'x'), c)
	}
	return append(dst, c)
}

// printable is the kernel's isprint, whose table (lib/ctype.c) is for Latin-1.
func printable(c byte) bool { return c >= ' ' && c <= '~' || c >= 0xa0 }
