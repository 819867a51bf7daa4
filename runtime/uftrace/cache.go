package uftrace

// views are the session lookups of one goroutine: of a stream that is read alone, or of all streams of a merge.
type views struct {
	by map[*Session]*addressCache
}

func (v *views) of(s *Session) *addressCache {
	if s == nil {
		return nil
	}
	if c := v.by[s]; c != nil {
		return c
	}
	if v.by == nil {
		v.by = map[*Session]*addressCache{}
	}
	c := newAddressCache(s, 64)
	v.by[s] = c
	return c
}

// addressCache finds the symbols of exact addresses: programs have few distinct recorded addresses, one a function or
// PLT slot. It is an open hash table.
type addressCache struct {
	session *Session
	slots   []addressSlot // a power of two
	shift   uint
	used    int
}

type addressSlot struct {
	addr     uint64 // 0: free. Address 0 is never cached
	from, to uint64 // when it holds: dlopen may bring another module
	sym      *Symbol
}

// maxSlots bounds the table against files of noise, where no address comes twice.
const maxSlots = 1 << 16

func newAddressCache(s *Session, slots int) *addressCache {
	c := &addressCache{session: s, slots: make([]addressSlot, slots), shift: 64}
	for n := slots; n > 1; n >>= 1 {
		c.shift--
	}
	return c
}

// find is Session.Find for an address that probably came before.
func (c *addressCache) find(addr, time uint64) *Symbol {
	mask := uint(len(c.slots) - 1)
	for i := uint(addr * 0x9e3779b97f4a7c15 >> (c.shift & 63)); ; i++ {
		slot := &c.slots[i&mask]
		if slot.addr == addr && time >= slot.from && time < slot.to {
			return slot.sym
		}
		if slot.addr == 0 || slot.addr == addr {
			return c.miss(addr, time)
		}
	}
}

func (c *addressCache) miss(addr, time uint64) *Symbol {
	sym, _ := c.session.Find(addr, time)
	if addr == 0 {
		return sym
	}
	if 2*c.used >= len(c.slots) {
		c.grow()
	}
	from, to := c.session.lifetime(time)
	if c.put(addressSlot{addr, from, to, sym}) {
		c.used++
	}
	return sym
}

// put stores a slot; true when it took a free one.
func (c *addressCache) put(s addressSlot) bool {
	mask := uint(len(c.slots) - 1)
	for i := uint(s.addr * 0x9e3779b97f4a7c15 >> (c.shift & 63)); ; i++ {
		slot := &c.slots[i&mask]
		if slot.addr == 0 || slot.addr == s.addr {
			free := slot.addr == 0
			*slot = s
			return free
		}
	}
}

func (c *addressCache) grow() {
	if len(c.slots) >= maxSlots {
		clear(c.slots)
		c.used = 0
		return
	}
	old := c.slots
	*c = *newAddressCache(c.session, 2*len(old))
	for i := range old {
		if old[i].addr != 0 {
			c.put(old[i])
			c.used++
		}
	}
}
