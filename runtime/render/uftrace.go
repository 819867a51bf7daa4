package render

// The text of values in uftrace's recordings (uftrace.md 2.4). The comments name uftrace's formats.
// Behavior that the section leaves open was observed with uftrace 0.13.

// uftraceHexFrom is the number above which uftrace shows integers in hexadecimal.
const uftraceHexFrom = 100000

// UftraceAuto appends an integer of size bytes, zero-extended in v, in the automatic format d:
// decimal up to 100000 on either side of zero, otherwise hexadecimal. The sign of a value below 8
// bytes is applied only when it is printed. So -1 of 2 bytes is small, and -70000 of 4 bytes is
// large.
func UftraceAuto(dst []byte, _ *Env, v, size uint64) []byte {
	switch s := int64(v); {
	case s > autoNegative && s <= 0xffffffff:
		return Dec(dst, int64(int32(v)))
	case s > uftraceHexFrom || s < -uftraceHexFrom:
		return hex0x(dst, v)
	}
	switch size {
	case 1:
		return Dec(dst, int64(int8(v)))
	case 2:
		return Dec(dst, int64(int16(v)))
	case 4:
		return Dec(dst, int64(int32(v)))
	}
	return Dec(dst, int64(v))
}

// UftraceUnsigned appends v in decimal, or in hexadecimal above 100000: u.
func UftraceUnsigned(dst []byte, _ *Env, v uint64) []byte {
	if v > uftraceHexFrom {
		return hex0x(dst, v)
	}
	return Udec(dst, v)
}

// UftraceHex appends v as %#x of the C library, which prints no prefix before 0: x.
func UftraceHex(dst []byte, _ *Env, v uint64) []byte {
	if v == 0 {
		return append(dst, '0')
	}
	return hex0x(dst, v)
}

// UftraceOctal appends v as %#o of the C library: o.
func UftraceOctal(dst []byte, _ *Env, v uint64) []byte {
	if v != 0 {
		dst = append(dst, '0')
	}
	return Uint(dst, v, Spec{Verb: 'o', Prec: -1})
}

// UftraceChar appends the low byte of v in single quotes: c. Three characters are escaped. All
// others are raw.
func UftraceChar(dst []byte, _ *Env, v uint64) []byte {
	dst = append(dst, '\'')
	switch c := byte(v); c {
	case 0:
		dst = append(dst, `\0`...)
	case '\b':
		dst = append(dst, `\b`...)
	case '\n':
		dst = append(dst, `\n`...)
	default:
		dst = append(dst, c)
	}
	return append(dst, '\'')
}

// UftraceString appends a string in double quotes, up to its first NUL: s. A newline and a
// backspace are escaped, unless a byte above 127 is at any place but the last (observed with 0.13).
// Before version 0.8.2 four bytes 255 represented a null pointer.
func UftraceString(dst []byte, _ *Env, s []byte) []byte {
	if string(s) == uftraceNull {
		return append(dst, "NULL"...)
	}
	s = CString(s)
	dst = append(dst, '"')
	escape := false
	for i, c := range s {
		if c >= 0x80 && i < len(s)-1 {
			escape = false
			break
		}
		escape = escape || c == '\n' || c == '\b'
	}
	if !escape {
		return append(append(dst, s...), '"')
	}
	for _, c := range s {
		switch c {
		case '\n':
			dst = append(dst, `\n`...)
		case '\b':
			dst = append(dst, `\b`...)
		default:
			dst = append(dst, c)
		}
	}
	return append(dst, '"')
}

const uftraceNull = "\xff\xff\xff\xff"

// UftraceRaw appends a string unchanged, up to its first NUL: s in a dump.
func UftraceRaw(dst []byte, _ *Env, s []byte) []byte {
	if len(s) >= len(uftraceNull) && string(s[:len(uftraceNull)]) == uftraceNull {
		return append(dst, "NULL"...)
	}
	return append(dst, CString(s)...)
}

// UftraceCharJSON is like [UftraceChar] for the inside of a JSON string.
func UftraceCharJSON(dst []byte, _ *Env, v uint64) []byte {
	return append(uftraceJSON(append(dst, '\''), byte(v)), '\'')
}

// UftraceStringJSON is like [UftraceString] for the inside of a JSON string. The quotes are
// escaped. Bytes other than printable ASCII characters appear as C escapes with a doubled
// backslash.
func UftraceStringJSON(dst []byte, _ *Env, s []byte) []byte {
	if string(s) == uftraceNull {
		return append(dst, "NULL"...)
	}
	dst = append(dst, `\"`...)
	for _, c := range CString(s) {
		dst = uftraceJSON(dst, c)
	}
	return append(dst, `\"`...)
}

func uftraceJSON(dst []byte, c byte) []byte {
	switch {
	case c == '"' || c == '\\':
		return append(dst, '\\', c)
	case c == '\n':
		return append(dst, `\\n`...)
	case c == '\t':
		return append(dst, `\\t`...)
	case c < ' ' || c > '~':
		return hexByte(append(dst, `\\x`...), c)
	}
	return append(dst, c)
}

// UftracePointer appends &name if a function or an object contains address v, or else the text of
// UftraceHex: p.
func UftracePointer(dst []byte, env *Env, v uint64) []byte {
	return UftracePointerIn(dst, env, v, "", "")
}

// UftracePointerIn is like [UftracePointer] with a name between before and after, such as the begin
// and the end of a color.
func UftracePointerIn(dst []byte, env *Env, v uint64, before, after string) []byte {
	if v != 0 {
		if name, _, ok := env.symbol(v); ok {
			dst = append(append(dst, before...), '&')
			return append(append(dst, clip(name)...), after...)
		}
	}
	return UftraceHex(dst, env, v)
}

// UftracePointerDump is like [UftracePointer] in a dump: `555b2f0423be (&twice)`. For 0 it appends
// null.
func UftracePointerDump(dst []byte, env *Env, v uint64, null string) []byte {
	if v == 0 {
		return append(dst, null...)
	}
	if name, _, ok := env.symbol(v); ok {
		dst = append(HexLower(dst, v), " (&"...)
		return append(append(dst, clip(name)...), ')')
	}
	return hex0x(dst, v)
}

// UftraceVariable appends the name of the object at address v, or `[0x%x]`: watch:var.
func UftraceVariable(dst []byte, env *Env, v uint64) []byte {
	if name, _, ok := env.symbol(v); ok {
		return append(dst, clip(name)...)
	}
	return append(hex0x(append(dst, '['), v), ']')
}

// UftraceEnum appends the names of an enumeration whose values add up to v: e. rows are in
// descending order, compared as signed numbers of 64 bits. Each row that is not above the rest is
// subtracted from it once. This includes 0 and values that are not flags, but for v = 0 only a row
// of 0 applies. The rest is appended as +0x%x. If no row fits, the number itself is printed.
//
// The width of v is the width of the enumeration in C. Registers of 8 bytes are recorded, and the
// upper half has no meaning if the rows fit in 4 bytes. (0.13 cuts all to 4 bytes; 0.19 uses all 8
// and finds no negative row.)
func UftraceEnum(dst []byte, env *Env, v uint64, rows Table) []byte {
	return UftraceEnumJoined(dst, env, v, "|", rows)
}

// UftraceEnumJoined is like [UftraceEnum] with joint instead of | between names.
func UftraceEnumJoined(dst []byte, _ *Env, v uint64, joint string, rows Table) []byte {
	n, wide := enumerator(v, rows)
	rest, found, start := n, false, len(dst)
	for _, r := range rows {
		value := int64(r.Value)
		switch {
		case len(dst)-start > MaxText:
			return dst
		case value > rest, rest == 0 && value != 0:
			continue
		case found:
			dst = append(dst, joint...)
		}
		dst, found = append(dst, clip(r.Text)...), true
		if rest -= value; rest == 0 {
			return dst
		}
	}
	switch {
	case found:
		return hex0x(append(dst, '+'), uint64(rest))
	case wide && (n > uftraceHexFrom || n < -uftraceHexFrom):
		return hex0x(dst, v)
	case n > uftraceHexFrom || n < -uftraceHexFrom:
		return hex0x(dst, uint64(uint32(v)))
	}
	return Dec(dst, n)
}

// UftraceStruct appends the bytes of a structure, 16 per line, as in a dump. Every line begins with
// a tab and ends with a newline. Two blanks follow its eighth and its last byte.
func UftraceStruct(dst []byte, _ *Env, b []byte) []byte {
	b = b[:min(len(b), MaxText)]
	for i, c := range b {
		if i&15 == 0 {
			dst = append(dst, '\t')
		}
		dst = append(hexByte(dst, c), ' ')
		if i&7 == 7 {
			dst = append(dst, ' ')
		}
		if i&15 == 15 || i == len(b)-1 {
			dst = append(dst, '\n')
		}
	}
	return dst
}
