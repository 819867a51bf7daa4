package export

import (
	"strconv"
	"unicode/utf8"

	"github.com/tracec/tracec/report/uftrace/internal/line"
	"github.com/tracec/tracec/runtime/uftrace"
)

// jsonNames returns a cache of function names for the inside of JSON strings, with the closing
// quote and the end of the enclosing object.
func jsonNames(name func(*uftrace.Symbol) string) *line.Texts {
	return line.NewTexts(func(dst []byte, addr uint64, sym *uftrace.Symbol) []byte {
		return append(appendJSON(dst, functionName(addr, sym, name)), `"}`...)
	})
}

// functionName returns the name of a function, or its address.
func functionName(addr uint64, sym *uftrace.Symbol, name func(*uftrace.Symbol) string) string {
	if sym != nil {
		return name(sym)
	}
	return addressName(addr)
}

// addressName returns the name for a function without a symbol.
func addressName(addr uint64) string { return "<" + strconv.FormatUint(addr&line.AddrMask, 16) + ">" }

const hexDigits = "0123456789abcdef"

// appendJSON appends the inside of a JSON string. It escapes only the necessary characters. Invalid
// UTF-8 becomes U+FFFD.
func appendJSON(dst []byte, s string) []byte {
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c < ' ':
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		case c < utf8.RuneSelf:
			dst = append(dst, c)
		default:
			r, n := utf8.DecodeRuneInString(s[i:])
			dst = utf8.AppendRune(dst, r)
			i += n
			continue
		}
		i++
	}
	return dst
}
