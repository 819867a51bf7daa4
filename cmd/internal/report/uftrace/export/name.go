package export

import (
	"strconv"
	"unicode/utf8"

	"github.com/tracec/tracec/runtime/uftrace"
)

const (
	// addrMask is what a record holds of an address.
	addrMask     = 1<<48 - 1
	nameSlotBits = 12
)

// nameCache keeps the names of functions as the inside of JSON strings, with the closing quote. It has a fixed number of
// places; what falls on a taken one takes it over.
type nameCache struct {
	name  func(*uftrace.Symbol) string
	slots []nameSlot
}

type nameSlot struct {
	addr uint64
	sym  *uftrace.Symbol
	text []byte
}

func newNameCache(name func(*uftrace.Symbol) string) nameCache {
	return nameCache{name: name, slots: make([]nameSlot, 1<<nameSlotBits)}
}

// text is valid until the next call.
func (c *nameCache) text(addr uint64, sym *uftrace.Symbol) []byte {
	s := &c.slots[addr*0x9e3779b97f4a7c15>>(64-nameSlotBits)]
	if s.addr != addr || s.sym != sym || s.text == nil {
		s.addr, s.sym = addr, sym
		s.text = append(appendJSON(s.text[:0], functionName(addr, sym, c.name)), '"')
	}
	return s.text
}

// functionName is the name of a function, <hex> when it is unknown.
func functionName(addr uint64, sym *uftrace.Symbol, name func(*uftrace.Symbol) string) string {
	if sym != nil {
		return name(sym)
	}
	return "<" + strconv.FormatUint(addr&addrMask, 16) + ">"
}

const hexDigits = "0123456789abcdef"

// appendJSON writes the inside of a JSON string. Only what must be escaped is; invalid UTF-8 becomes U+FFFD.
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
