package lttng

import (
	"bytes"
	"encoding/binary"
)

// event is the event that is being read. Places are bytes from the start of the sub-buffer.
type event struct {
	tsc     uint64
	marker  *Marker
	data    []byte
	size    int // size of the payload; -1 while unknown
	next    int // end of the event
	need    int // number of bytes needed from the start of the event
	trouble string
	whole   bool // the header has the whole time stamp (2.x)
}

// status is the result of an attempt to read an event.
type status uint8

const (
	fine status = iota
	more        // the window ends too early: event.need bytes are needed
	bad         // event.trouble
	end         // there are no more events
)

// parserOf returns the function that reads the events of a file.
func parserOf(f *File) func(*Stream, *event) status {
	switch {
	case f.isPacked() && f.isBigEndian():
		return packed[bigEndian]
	case f.isPacked():
		return packed[littleEndian]
	case f.isCompact():
		return (*Stream).compact
	}
	return (*Stream).plain
}

// isPacked reports whether events have id and time in one word: 2.0 to 2.6.
func (f *File) isPacked() bool { return f.head.dialect >= V20 && f.head.dialect != Seed }

func (f *File) isBigEndian() bool { return f.head.order == binary.ByteOrder(binary.BigEndian) }

// order is a byte order that the compiler can inline.
type order interface {
	uint16(b []byte) uint16
	uint32(b []byte) uint32
	uint64(b []byte) uint64
}

type (
	littleEndian struct{}
	bigEndian    struct{}
)

func (littleEndian) uint16(b []byte) uint16 { return binary.LittleEndian.Uint16(b) }
func (littleEndian) uint32(b []byte) uint32 { return binary.LittleEndian.Uint32(b) }
func (littleEndian) uint64(b []byte) uint64 { return binary.LittleEndian.Uint64(b) }
func (bigEndian) uint16(b []byte) uint16    { return binary.BigEndian.Uint16(b) }
func (bigEndian) uint32(b []byte) uint32    { return binary.BigEndian.Uint32(b) }
func (bigEndian) uint64(b []byte) uint64    { return binary.BigEndian.Uint64(b) }

// Time stamps of 2.x have 27 bits, ids 5 (lttng.md 4.3).
const (
	shortBits = 27
	shortMask = 1<<shortBits - 1
)

// maxEventHeader is the size of the largest header of an event, with all padding.
const maxEventHeader = 40

// The ids that determine the parts after the first word.
const (
	withTSC  = 29 // u16 id, u16 size, u64 time stamp
	withSize = 30 // u16 id, u16 size
	withID   = 31 // u16 id
)

// maxEvent limits the payload of an event in bytes. The tracers' events were smaller than a
// sub-buffer, which had a megabyte or two.
const maxEvent = 64 << 20

// large in a size of 16 bits means that the size is stored elsewhere.
const large = 0xFFFF

// packed reads an event of 2.0 to 2.6: a word, then the parts that do not fit into it (lttng.md
// 4.3).
func packed[O order](s *Stream, ev *event) status {
	var o O
	if s.sub.hi-s.sub.pos < maxEventHeader && s.sub.hi < s.sub.used {
		ev.need = maxEventHeader
		return more
	}
	b, base := s.sub.buf, s.sub.lo
	p := s.sub.pos
	if s.dec.head.machine.alignment != 0 {
		p = alignUp(p, min(s.dec.head.machine.alignment, 4))
	}
	if p+4 > s.sub.hi {
		return s.sub.tail(ev)
	}
	w := o.uint32(b[p-base:])
	id := w >> shortBits
	p += 4
	if id < withTSC {
		ev.short(w)
		return s.payload(ev, s.dec.marker(id), p)
	}
	if p+2 > s.sub.hi {
		return s.sub.tail(ev)
	}
	kind := id
	id = uint32(o.uint16(b[p-base:]))
	p += 2
	if kind == withID {
		ev.short(w)
		return s.payload(ev, s.dec.marker(id), p)
	}
	if p+2 > s.sub.hi {
		return s.sub.tail(ev)
	}
	ev.size = int(o.uint16(b[p-base:]))
	p += 2
	if ev.size == large {
		if p+4 > s.sub.hi {
			return s.sub.tail(ev)
		}
		ev.size = int(min(o.uint32(b[p-base:]), maxBlock)) // no sub-buffer has room for this size
		p += 4
	}
	if kind == withSize {
		ev.short(w)
		return s.payload(ev, s.dec.marker(id), p)
	}
	if s.dec.head.machine.alignment != 0 {
		p = alignUp(p, s.dec.longAlign())
	}
	if p+8 > s.sub.hi {
		return s.sub.tail(ev)
	}
	ev.tsc, ev.whole = o.uint64(b[p-base:]), true
	return s.payload(ev, s.dec.marker(id), p+8)
}

// longAlign returns the alignment of a u64 (lttng.md 0.5). On 32-bit machines it is 4, except in
// 2.4 and 2.5.
func (d *decoder) longAlign() int {
	if d.head.dialect.natural() {
		return 8
	}
	return min(d.head.machine.alignment, 8)
}

// short sets the time from a time stamp of 27 bits. It counts from the previous event. If there is
// more than one wrap, the stamp is a long one.
func (ev *event) short(w uint32) {
	stamp := uint64(w & shortMask)
	if stamp < ev.tsc&shortMask {
		ev.tsc += 1 << shortBits
	}
	ev.tsc = ev.tsc&^shortMask | stamp
}

// tail handles a sub-buffer that ends within a header: padding, or damage.
func (b *subBuffer) tail(ev *event) status {
	for _, c := range b.buf[max(b.pos-b.lo, 0):] {
		if c != 0 {
			ev.trouble = "the sub-buffer ends within the header of an event"
			return bad
		}
	}
	return end
}

func (d *decoder) marker(id uint32) *Marker {
	if t := d.table.byID; uint(id) < uint(len(t)) {
		return t[id]
	}
	return nil
}

// payload finds the payload that begins at p, after padding. ev.size is the size in the header, or
// -1.
func (s *Stream) payload(ev *event, m *Marker, p int) status {
	if m == nil {
		return s.unknown(ev, p)
	}
	ev.marker = m
	if s.dec.head.machine.alignment != 0 && s.dec.head.dialect >= V20 {
		p = alignUp(p, m.payload.align)
	}
	size := ev.size
	if size < 0 {
		if size = m.payload.fixed; size < 0 {
			var st status
			if size, st = s.measure(ev, m, p); st != fine {
				return st
			}
		}
	}
	return s.sub.take(ev, p, size)
}

// take cuts the payload out of the window.
func (b *subBuffer) take(ev *event, p, size int) status {
	if size > b.hi-p {
		if size > b.used-p {
			ev.trouble = "an event that is longer than its sub-buffer"
			return bad
		}
		if size > maxEvent {
			ev.trouble = "an event of more bytes than any tracer wrote"
			return bad
		}
		ev.need = p + size - b.pos
		return more
	}
	ev.data = b.buf[p-b.lo : p-b.lo+size : p-b.lo+size]
	ev.next = p + size
	return fine
}

// unknown skips an event without a marker. If events are aligned, its padding is also unknown.
func (s *Stream) unknown(ev *event, p int) status {
	zero := s.dec.open && ev.size <= 0 // memory that was never written
	if ev.size < 0 || zero || ev.size > 0 && s.dec.head.machine.alignment != 0 && s.dec.head.dialect >= V20 {
		ev.trouble = "an event that no marker describes, of unknown size"
		return bad
	}
	return s.sub.take(ev, p, ev.size)
}

// measure computes the size of a payload whose size is not in the header.
func (s *Stream) measure(ev *event, m *Marker, start int) (int, status) {
	if m.state.broken != nil || !m.state.laid {
		ev.trouble = "an event of a marker without a usable format, of unknown size"
		return 0, bad
	}
	data := s.sub.buf[min(start, s.sub.hi)-s.sub.lo:]
	at := 0
	for i := range m.Fields {
		f := &m.Fields[i]
		if f.Kind == Integer {
			at = alignUp(at, f.Align) + f.Size
			continue
		}
		if f.Kind == String && at < len(data) {
			if n := bytes.IndexByte(data[at:], 0); n >= 0 {
				at = alignUp(at+n+1, f.PadAfter)
				continue
			}
		} else if end, ok := f.extent(data, at, s.dec.head.order); ok {
			at = end
			continue
		}
		if s.sub.hi >= s.sub.used || s.sub.hi-s.sub.pos > maxEvent {
			ev.trouble = "a " + f.noun() + " without an end"
			return 0, bad
		}
		ev.need = min(2*(s.sub.hi-s.sub.pos)+maxEventHeader, s.sub.used-s.sub.pos)
		return 0, more
	}
	return at, fine
}

// noun returns the name of a field without a fixed size, for messages.
func (f *Field) noun() string {
	return map[Kind]string{String: "string", Sequence: "sequence", Array: "array", Struct: "structure"}[f.Kind]
}
