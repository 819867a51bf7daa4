package tables

import (
	"strconv"
	"strings"

	"github.com/tracec/tracec"
)

// naming makes texts for the values of a field, and caches them.
type naming struct {
	field   int    // -1 without it
	none    string // the text without a field
	numbers bool   // a number without a name becomes a text
	// strings returns the text at an address of the kernel. If nil, addresses only have symbols.
	strings func(addr uint64) (text string, ok bool)

	last  string // cache of the last text, which often repeats
	texts map[string]string
	bits  map[uint64]string
}

// maxNames bounds the number of texts that a naming caches.
const maxNames = 1 << 16

// of returns the text of the field of an event: its text, the described name of a number, or the
// text or the symbol at an address. For other numbers it returns "", unless numbers is set.
func (n *naming) of(ev *tracec.Event) string {
	if n.field < 0 {
		return n.none
	}
	if ev.TextIs(n.field, n.last) {
		return n.last
	}
	if ev.Type.Fields[n.field].Kind == tracec.Text {
		v, _ := ev.At(n.field)
		return n.text(v.Bytes())
	}
	bits, ok := ev.Bits(n.field)
	if !ok {
		return ""
	}
	s, ok := n.bits[bits]
	if !ok {
		s = n.read(ev, bits)
		if n.bits == nil {
			n.bits = map[uint64]string{}
		}
		if len(n.bits) < maxNames {
			n.bits[bits] = s
		}
	}
	return s
}

func (n *naming) text(b []byte) string {
	s, ok := n.texts[string(b)]
	if !ok {
		s = string(b)
		if n.texts == nil {
			n.texts = map[string]string{}
		}
		if len(n.texts) < maxNames {
			n.texts[s] = s
		}
	}
	n.last = s
	return s
}

func (n *naming) read(ev *tracec.Event, bits uint64) string {
	f := &ev.Type.Fields[n.field]
	if name, ok := f.AppendName(nil, bits); ok {
		return string(name)
	}
	if f.Hex && n.strings != nil {
		if text, ok := n.strings(bits); ok {
			return text
		}
	}
	switch name, _, ok := ev.Symbol(bits); {
	case f.Hex && ok:
		return name
	case !f.Hex && !n.numbers:
		return ""
	case !f.Hex && shownInHex(f):
		return "0x" + strconv.FormatUint(bits, 16)
	}
	v, _ := ev.At(n.field)
	return string(v.AppendShown(nil))
}

// shownInHex reports whether a template of AIX prints a number in hexadecimal: by the code X, by a
// cast to it, or as a macro without a cast (docs/spec/aix.md sections 3.3 and 3.4).
func shownInHex(f *tracec.Field) bool {
	macro, cast, ok := strings.Cut(f.Decl, "%")
	if !ok {
		return strings.HasPrefix(macro, "$") || strings.HasPrefix(macro, "X")
	}
	return strings.HasPrefix(cast, "X")
}

// bitsAt returns the bits of a field of an event, or 0 if the event lacks it.
func bitsAt(ev *tracec.Event, field int) uint64 {
	if field < 0 {
		return 0
	}
	bits, _ := ev.Bits(field)
	return bits
}
