package line

import (
	"slices"

	"github.com/tracec/tracec/runtime/uftrace"
)

// AddrMask masks the recorded bits of an address. uftrace prints kernel addresses without the other
// bits.
const AddrMask = 1<<48 - 1

const slotBits = 12

// Texts caches the texts of functions by their address and symbol. It has a fixed number of places.
// A text replaces the previous text of its place.
type Texts struct {
	write func(dst []byte, addr uint64, sym *uftrace.Symbol) []byte
	slots []slot
}

type slot struct {
	addr uint64
	sym  *uftrace.Symbol
	text []byte
}

// NewTexts returns a cache of the texts that write appends. sym is nil for an address without a
// symbol.
func NewTexts(write func(dst []byte, addr uint64, sym *uftrace.Symbol) []byte) *Texts {
	return &Texts{write: write, slots: make([]slot, 1<<slotBits)}
}

// Text returns the text of a function, valid until the next call. Its capacity is at least Short.
func (c *Texts) Text(addr uint64, sym *uftrace.Symbol) []byte {
	s := &c.slots[addr*0x9e3779b97f4a7c15>>(64-slotBits)]
	if s.addr != addr || s.sym != sym || s.text == nil {
		s.addr, s.sym = addr, sym
		s.text = c.write(slices.Grow(s.text[:0], Short), addr, sym)
	}
	return s.text
}
