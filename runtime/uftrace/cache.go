package uftrace

import (
	"math"
	"runtime"

	"github.com/tracec/tracec/runtime/internal/memory"
)

// views are the lookups of one goroutine: of a stream that is read alone, or of all streams of a
// merge.
type views struct {
	by    map[view]*addressCache
	lease *memory.Lease
}

func (r *Recording) newViews() *views {
	v := &views{lease: r.memory.Lease()}
	runtime.AddCleanup(v, (*memory.Lease).End, v.lease)
	return v
}

// view determines the symbols of addresses: a program image, and the number of libraries opened by
// dlopen.
type view struct {
	session   *Session
	libraries int
}

// maxViews limits the cached tables. A build has a program image for every compiler that ran.
const maxViews = 1024

func (v *views) of(s *Session, time uint64) *addressCache {
	key := view{s, s.libsAt(time)}
	if c := v.by[key]; c != nil {
		return c
	}
	if v.by == nil || len(v.by) >= maxViews {
		v.by = map[view]*addressCache{}
		v.lease.End()
	}
	c := newAddressCache(s, minSlots)
	c.lease = v.lease
	v.by[key] = c
	return c
}

// addressCache finds the symbols of exact addresses. Programs have few distinct recorded addresses:
// one per function or PLT slot. It is an open hash table.
type addressCache struct {
	session *Session // if nil, no address has a name
	slots   []addressSlot
	shift   uint // 64 minus the number of bits of an index into slots
	used    int
	lease   *memory.Lease // of the memory beyond the minimum
	plain   *plainTable   // for streams that skip calls; may be nil
}

type addressSlot struct {
	addr uint64 // if free, an address that no record has
	sym  *Symbol
	id   uint32   // Symbol.ID of a call or NoSymbol; the lowest bit is for the kind
	size [2]int16 // of the payload of an entry and of an exit: bytes, sizeUnknown or sizeVaries
}

const (
	noAddress = ^uint64(0)
	// maxSlots limits the table for files of noise, in which no address occurs twice.
	maxSlots = 1 << 16
	minSlots = 64
	// sparseSlots is the size from which on a table may be half full.
	sparseSlots = 1 << 12
)

func newAddressCache(s *Session, slots int) *addressCache {
	c := &addressCache{session: s, slots: make([]addressSlot, slots), shift: 64}
	for n := slots; n > 1; n >>= 1 {
		c.shift--
	}
	for i := range c.slots {
		c.slots[i].addr = noAddress
	}
	return c
}

// spread maps an address to its place in a table: addr * spread >> shift.
const spread = 0x9e3779b97f4a7c15

// find is Session.Find for an address that has probably occurred before.
func (c *addressCache) find(addr, time uint64) *addressSlot {
	slot := c.place(addr)
	if slot.addr == addr {
		return slot
	}
	sym, _ := c.session.Find(addr, time)
	if c.crowded() {
		c.grow()
		slot = c.place(addr)
	}
	c.used++
	*slot = addressSlot{addr, sym, NoSymbol, [2]int16{sizeUnknown, sizeUnknown}}
	if sym != nil {
		slot.id = sym.ID(Enter)
		slot.size = [2]int16{shortSize(sym.sizes[Enter]), shortSize(sym.sizes[Leave])}
	}
	return slot
}

// crowded reports whether the table must grow. A small table stays sparse. Then the usual place of
// an address rarely holds another one, which would stop decodePlain.
func (c *addressCache) crowded() bool {
	if len(c.slots) < sparseSlots {
		return 8*c.used >= len(c.slots)
	}
	return 2*c.used >= len(c.slots)
}

// payload returns the size of the payload of a call or a return at the start of data, and its size
// with padding. ok is false if the payload is not complete in data, or if its size is unknown.
func (a *addressSlot) payload(kind uint64, data []byte) (size, padded int, ok bool) {
	if size = int(a.size[kind]); size < 0 {
		if a.sym == nil || a.sym.sizes[kind] != sizeVaries {
			return 0, 0, false
		}
		specs := a.sym.Args
		if Kind(kind) == Leave {
			specs = a.sym.Results
		}
		if size, ok = payloadSize(specs, data[:min(len(data), maxPayload)], false); !ok {
			return 0, 0, false
		}
	}
	padded = (size + 7) &^ 7
	return size, padded, padded <= len(data)
}

// shortSize returns n, or sizeVaries if n does not fit: payload then computes the size.
func shortSize(n int32) int16 {
	if n > math.MaxInt16 {
		return sizeVaries
	}
	return int16(n)
}

// place returns the slot that holds an address or may hold it.
func (c *addressCache) place(addr uint64) *addressSlot {
	mask := uint(len(c.slots) - 1)
	for i := uint(addr * spread >> (c.shift & 63)); ; i++ {
		if slot := &c.slots[i&mask]; slot.addr == addr || slot.addr == noAddress {
			return slot
		}
	}
}

func (c *addressCache) grow() {
	lease, size := c.lease, int64(len(c.slots))*slotBytes
	if len(c.slots) >= maxSlots || lease.Swap(0, size) != nil {
		lease.Swap(size-minSlots*slotBytes, 0) // freeing cannot fail
		plain := c.plain
		*c = *newAddressCache(c.session, minSlots)
		c.lease, c.plain = lease, plain
		return
	}
	old := *c
	*c = *newAddressCache(c.session, 2*len(old.slots))
	c.used, c.lease, c.plain = old.used, lease, old.plain
	for _, slot := range old.slots {
		if slot.addr != noAddress {
			*c.place(slot.addr) = slot
		}
	}
}
