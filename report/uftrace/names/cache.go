// Package names keeps the texts that functions have in the output of uftrace's commands.
package names

import (
	"slices"

	"github.com/tracec/tracec/report/uftrace/line"
	"github.com/tracec/tracec/runtime/uftrace"
)

// AddrMask is what a record holds of an address: uftrace prints kernel addresses without the bits
// that it does not hold.
const AddrMask = 1<<48 - 1

const slotBits = 12

// Cache keeps the texts of functions by their address and symbol. It has a fixed number of places;
// what falls on a taken one takes it over.
type Cache struct {
	write func(dst []byte, addr uint64, sym *uftrace.Symbol) []byte
	slots []slot
}

type slot struct {
	addr uint64
	sym  *uftrace.Symbol
	text []byte
}

// NewCache keeps what write appends for a function. sym is nil for an address of no symbol.
func NewCache(write func(dst []byte, addr uint64, sym *uftrace.Symbol) []byte) *Cache {
	return &Cache{write: write, slots: make([]slot, 1<<slotBits)}
}

// Text is the text of a function, valid until the next call. It has room for line.Short bytes.
func (c *Cache) Text(addr uint64, sym *uftrace.Symbol) []byte {
	s := &c.slots[addr*0x9e3779b97f4a7c15>>(64-slotBits)]
	if s.addr != addr || s.sym != sym || s.text == nil {
		s.addr, s.sym = addr, sym
		s.text = c.write(slices.Grow(s.text[:0], line.Short), addr, sym)
	}
	return s.text
}
