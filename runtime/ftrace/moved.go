package ftrace

import "fmt"

// Lost or added bytes move all later data, but the table of a buffer still has the old offsets.
// This is noticed if an offset does not lead to the beginning of sub-buffers or of chunks. The data
// are then searched for nearby. The distance found moves the data of all later CPUs.

const (
	// nearby is the range of a search for data, in both directions.
	nearby = 16 << 10
	// maxMoves bounds the number of searches.
	maxMoves = 64
	// firstPages is the number of sub-buffers that may be damaged before data are searched for
	// elsewhere.
	firstPages = 4
)

// suspect reports whether offsets may be wrong: another part is damaged, or the data of a version 6
// file do not end with the file.
func (r *Recording) suspect() bool {
	if r.info.Version == 0 { // a snapshot has a file for each CPU
		return false
	}
	if r.info.Version == 7 || r.damage.Stats().Count > 0 {
		return r.damage.Stats().Count > 0
	}
	end, size := int64(0), int64(0)
	for _, b := range r.buffers {
		if b.text != nil {
			return false
		}
		for i := range b.CPUs {
			if c := &b.CPUs[i]; c.Size > 0 {
				end, size = max(end, c.Offset+c.Size), c.src.size
			}
		}
	}
	return end != size
}

// described selects how many events of a sub-buffer must have formats.
type described int

const (
	none described = iota
	half
	all
)

// settle finds the data of the CPUs.
func (b *Buffer) settle() {
	by := b.moved
	empty := int64(0) // data size of CPUs without events
	if b.packed {
		empty = 4 // the count 0
	}
	before := int64(-1) // place of the data of the previous CPU
	for i := range b.CPUs {
		c := &b.CPUs[i]
		if c.Size <= empty || b.PageSize <= b.layout.data {
			continue
		}
		if d, ok := b.place(c, by, before); ok {
			by = d
		}
		if before = c.Offset + by; by == 0 || before < 0 {
			continue
		}
		b.rec.damage.Add(&Damage{
			File: c.src.name, Offset: c.Offset, Part: b.part(c.ID),
			Want: fmt.Sprintf("CPU data, which begin at %d", c.Offset+by), Err: ErrCorrupt,
		}, 3)
		c.Offset += by
	}
}

// place returns the distance of a CPU's data from their offset in the table. It tries the distance
// of the previous CPUs, then 0, then a search.
func (b *Buffer) place(c *CPU, by, before int64) (int64, bool) {
	switch {
	case b.begins(c, c.Offset+by, all) > 0:
		return by, true
	case by != 0 && b.begins(c, c.Offset, all) > 0:
		return 0, true
	case b.begins(c, c.Offset+by, none) > 0: // the formats may also be lost
		return by, true
	case by != 0 && b.begins(c, c.Offset, none) > 0:
		return 0, true
	case b.rec.led.moves >= maxMoves:
		return 0, false
	}
	b.rec.led.moves++
	if d, ok := b.near(c, c.Offset+by, before); ok {
		return by + d, true
	}
	return by, by != 0 && (!b.packed || b.looksPacked(c, c.Offset+by))
}

// begins returns a measure of the evidence that the data of a CPU begin at off: the number of
// events in the first sub-buffers, or for chunks whether their length fits.
func (b *Buffer) begins(c *CPU, off int64, need described) (events int) {
	if off < 0 || off >= c.src.size {
		return 0
	}
	page := int64(b.PageSize)
	if b.packed {
		if !b.looksPacked(c, off) {
			return 0
		}
		switch b.rec.chunksEnd(c.src, off, c.src.size, page) - off - c.Size {
		case 0, 4: // recorders of 3.0 and 3.1 did not include the count
			return 1
		}
		return 0
	}
	for i := range min(firstPages, (c.Size+page-1)/page) {
		raw, err := c.src.view(off+i*page, min(page, c.src.size-off-i*page), nil)
		if err != nil {
			break
		}
		found := b.sound(raw, need)
		if found == 0 && need == half {
			return 0
		}
		events += found
	}
	return events
}

func (b *Buffer) looksPacked(c *CPU, off int64) bool {
	if off < 0 || off >= c.src.size {
		return false
	}
	head, err := c.src.view(off, min(16, c.src.size-off), nil)
	return err == nil && b.chunk(head, c.src.size-off)
}

// near searches for the data of a CPU around off, after another place. by is their distance from
// off. It is never a multiple of the page size: that could be other data. Some events may have no
// format, because formats may also be lost. The nearest place wins, unless another one has twice as
// many events: bytes between two headers can look like a header.
func (b *Buffer) near(c *CPU, off, after int64) (by int64, ok bool) {
	page := int64(b.PageSize)
	from := max(0, off-nearby, after+1)
	if off < 0 || off >= c.src.size || from > off {
		return 0, false
	}
	all, err := c.src.view(from, min(off+nearby+page, c.src.size)-from, nil)
	if err != nil {
		return 0, false
	}
	at, best := off-from, 0
	for d := int64(0); d <= nearby; d++ {
		if d > 0 && d%page == 0 {
			continue
		}
		for _, d := range [2]int64{d, -d} {
			if i := at + d; i < 0 || i >= int64(len(all)) || !b.mayBegin(all[i:]) {
				continue
			}
			if n := b.begins(c, off+d, half); n >= 2*best && n > best {
				best, by = n, d
			}
		}
	}
	return by, best > 0
}

// mayBegin rules out most places quickly.
func (b *Buffer) mayBegin(raw []byte) bool {
	if b.packed {
		return b.chunk(raw, nearby)
	}
	return b.sound(raw[:min(len(raw), b.PageSize)], half) > 0
}

// chunk reports whether packed data of a CPU may begin with head: a count, two sizes, and the
// beginning of compressed data. left is the number of available bytes.
func (b *Buffer) chunk(head []byte, left int64) bool {
	if len(head) < 16 || b.rec.codec == nil {
		return false
	}
	o := b.rec.order
	count, packed, plain := int64(o.Uint32(head)), int64(o.Uint32(head[4:])), int64(o.Uint32(head[8:]))
	return count > 0 && count*8 < left+8 && plain > 0 && plain%int64(b.PageSize) == 0 && packed <= left &&
		checkSizes(packed, plain, MaxChunk) == nil &&
		b.rec.codec.begins(head[12:])
}

// sound counts the events of a sub-buffer in the form that the kernel writes. It has a time, and
// its events fill the committed bytes exactly. need determines how many events must have formats.
// If the file ends within the sub-buffer, it has events up to the end.
func (b *Buffer) sound(raw []byte, need described) (events int) {
	l := &b.layout
	if len(raw) < l.data || l.stamp(raw) == 0 {
		return 0
	}
	var p page
	missing, ok := p.enter(l, raw, len(raw))
	if cut := len(raw) < b.PageSize; !ok && cut {
		missing, ok = p.enter(l, raw, b.PageSize)
	}
	if !ok || p.ended() {
		return 0
	}
	order, known := l.order(), 0
	for !p.ended() {
		typ, delta := l.head(p.data[p.pos:])
		if typ == typeLong && (p.pos+8 > len(p.data) || order.Uint32(p.data[p.pos+4:]) == 0) {
			break // zeros, or the end of the data
		}
		payload, pos, _, f := l.event(p.data, p.pos+4, 0, typ, delta, order)
		if f != faultNone || pos <= p.pos {
			break
		}
		if p.pos = pos; payload == nil {
			continue
		}
		events++
		if b.rec.describes(l, payload) {
			known++
		}
	}
	if !p.ended() && missing == 0 || need == all && known < events || need == half && 2*known < events {
		return 0
	}
	return events
}

// describes reports whether an event has a format.
func (r *Recording) describes(l *layout, payload []byte) bool {
	if r.led.ids == nil {
		r.led.ids = map[uint32]bool{}
		for _, f := range r.formats {
			r.led.ids[uint32(f.ID)] = true
		}
	}
	return len(payload) >= l.typeOff+l.typeSize && r.led.ids[l.small(payload[l.typeOff:], l.typeSize)]
}
