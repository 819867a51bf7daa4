// Package tracefile writes recordings for tests: ring-buffer pages event by event, and trace.dat
// files of both versions with such pages. It follows the description of the formats, not the
// reader. It checks nothing, so that tests can write invalid files.
package tracefile

import "encoding/binary"

// Machine determines the layout of a page.
type Machine struct {
	Big  bool
	Word int // 4 or 8
}

// Order returns the machine's byte order.
func (m Machine) Order() binary.AppendByteOrder {
	if m.Big {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

// Header returns the number of bytes before the first event.
func (m Machine) Header() int { return 8 + m.Word }

// Page is a sub-buffer under construction.
type Page struct {
	m     Machine
	size  int
	stamp uint64
	data  []byte
	flags uint64
	// Commit replaces the number of committed bytes if it is not negative.
	Commit int
	tail   []byte
}

// NewPage begins a sub-buffer of size bytes.
func (m Machine) NewPage(size int, stamp uint64) *Page {
	return &Page{m: m, size: size, stamp: stamp, Commit: -1}
}

// Word appends any 32-bit word.
func (p *Page) Word(v uint32) *Page {
	p.data = p.m.Order().AppendUint32(p.data, v)
	return p
}

// Head appends an event header.
func (p *Page) Head(typ, delta uint32) *Page {
	if p.m.Big {
		return p.Word(typ<<27 | delta&(1<<27-1))
	}
	return p.Word(typ | delta<<5)
}

// Bytes appends any bytes.
func (p *Page) Bytes(b []byte) *Page {
	p.data = append(p.data, b...)
	return p
}

// Event appends a short record. len(payload) is a multiple of 4 up to 112.
func (p *Page) Event(delta uint32, payload []byte) *Page {
	return p.Head(uint32(len(payload)/4), delta).Bytes(payload)
}

// Long appends a record with a length word.
func (p *Page) Long(delta uint32, payload []byte) *Page {
	p.Head(0, delta).Word(uint32(len(payload) + 4)).Bytes(payload)
	for len(p.data)%4 != 0 {
		p.data = append(p.data, 0)
	}
	return p
}

// Discard appends a discarded event of that many payload bytes.
func (p *Page) Discard(delta uint32, payload int) *Page {
	return p.Head(29, delta).Word(uint32(payload + 4)).Bytes(make([]byte, payload))
}

// Extend appends a TIME_EXTEND.
func (p *Page) Extend(delta uint64) *Page {
	return p.Head(30, uint32(delta&(1<<27-1))).Word(uint32(delta >> 27))
}

// Stamp appends an absolute TIME_STAMP of 59 bits.
func (p *Page) Stamp(t uint64) *Page {
	return p.Head(31, uint32(t&(1<<27-1))).Word(uint32(t << 5 >> 32))
}

// Missed records that events were lost before the page. If count is -1, their number is not stored.
func (p *Page) Missed(count int64) *Page {
	p.flags |= 1 << 31
	if count >= 0 {
		p.flags |= 1 << 30
		p.tail = p.m.long(nil, uint64(count))
	}
	return p
}

func (m Machine) long(b []byte, v uint64) []byte {
	if m.Word == 4 {
		return m.Order().AppendUint32(b, uint32(v))
	}
	return m.Order().AppendUint64(b, v)
}

// Done returns the sub-buffer. The bytes after the committed ones are 0xee.
func (p *Page) Done() []byte {
	n := len(p.data)
	if p.Commit >= 0 {
		n = p.Commit
	}
	b := p.m.Order().AppendUint64(nil, p.stamp)
	b = p.m.long(b, uint64(n)|p.flags)
	b = append(b, p.data...)
	if p.Commit < 0 {
		b = append(b, p.tail...)
	}
	for len(b) < p.size {
		b = append(b, 0xee)
	}
	return b[:p.size]
}

// Payload returns the common header of an event, followed by rest.
func (m Machine) Payload(id uint16, pid int32, rest ...uint32) []byte {
	b := m.Order().AppendUint16(nil, id)
	b = append(b, 0, 0)
	b = m.Order().AppendUint32(b, uint32(pid))
	for _, v := range rest {
		b = m.Order().AppendUint32(b, v)
	}
	return b
}
