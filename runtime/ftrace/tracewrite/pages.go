package tracewrite

import "fmt"

// Pages makes sub-buffers from the records of one CPU, like the kernel's ring buffer
// (kernel/trace/ring_buffer.c). It holds one sub-buffer.
type Pages struct {
	order ByteOrder
	big   bool
	word  int
	size  int
	emit  func(page []byte) error

	buf   []byte // the page; empty between pages
	last  uint64 // time of the last record
	lost  int64  // events lost before the page; -1 if the number is unknown
	count int    // of pages emitted
}

// NewPages makes sub-buffers of size bytes for a kernel whose long has word bytes, 4 or 8. It
// passes them to emit, which must not keep them.
func NewPages(o ByteOrder, word, size int, emit func(page []byte) error) *Pages {
	return &Pages{order: o, big: o.Uint16([]byte{0, 1}) == 1, word: word, size: size, emit: emit,
		buf: make([]byte, 0, size)}
}

// The parts of an event's header: 5 bits of type or length, and 27 bits of the time since the
// previous event.
const (
	deltaBits  = 27
	typeLong   = 0
	typeExtend = 30
	maxShort   = 28 * 4       // maximum data size of an event whose type is its length
	maxDelta   = 1<<59 - 1    // maximum of a time extend
	missedMark = 1 << 31      // in the commit word: events are missing before the page
	missedHas  = 1 << 30      // and their number is stored after the data
	maxRecord  = 1 << 20      // no ring buffer has longer records
	pageHead   = 8            // the time
	extendSize = 8            // of a time extend
	headSize   = 4            // of an event
	longSize   = 4            // of the length of a long event
	align      = headSize - 1 // events begin at multiples of 4
)

// Add appends a record. t is the time as recorded, in units of the clock. lost is the number of
// records missing before it, or -1 if the number is unknown. data are the bytes after the ring
// buffer's header, from common_type on.
func (p *Pages) Add(t uint64, lost int64, data []byte) error {
	need := p.need(t, data)
	head := pageHead + p.word
	if len(p.buf) > 0 && (lost != 0 || t < p.last || t-p.last > maxDelta || len(p.buf)+need > p.size) {
		if err := p.Flush(); err != nil {
			return err
		}
	}
	if len(p.buf) == 0 {
		p.last, p.lost = t, lost
		p.buf = append(p.buf[:0], make([]byte, head)...)
		p.putUint(p.buf, t, 8)
		need = p.need(t, data)
	}
	if len(p.buf)+need > p.size {
		p.buf = p.buf[:0]
		return fmt.Errorf("%w: a record of %d bytes in sub-buffers of %d", ErrHeader, len(data), p.size)
	}
	delta := t - p.last
	p.last = t
	if delta >= 1<<deltaBits {
		p.event(typeExtend, delta&(1<<deltaBits-1))
		p.buf = p.order.AppendUint32(p.buf, uint32(delta>>deltaBits))
		delta = 0
	}
	if n := len(data); n > 0 && n <= maxShort && n%4 == 0 {
		p.event(uint32(n/4), delta)
		p.buf = append(p.buf, data...)
		return nil
	}
	p.event(typeLong, delta)
	p.buf = p.order.AppendUint32(p.buf, uint32(len(data)+longSize))
	p.buf = append(p.buf, data...)
	for len(p.buf)&align != head&align {
		p.buf = append(p.buf, 0)
	}
	return nil
}

// need returns the number of bytes that a record takes in the current page.
func (p *Pages) need(t uint64, data []byte) int {
	n := headSize + min(len(data), maxRecord)
	if len(data) == 0 || len(data) > maxShort || len(data)%4 != 0 {
		n += longSize + -len(data)&align
	}
	if len(p.buf) > 0 && t-p.last >= 1<<deltaBits {
		n += extendSize
	}
	return n
}

func (p *Pages) event(typ uint32, delta uint64) {
	if p.big {
		p.buf = p.order.AppendUint32(p.buf, typ<<deltaBits|uint32(delta))
		return
	}
	p.buf = p.order.AppendUint32(p.buf, typ|uint32(delta)<<5)
}

func (p *Pages) putUint(b []byte, v uint64, size int) {
	if size == 4 {
		p.order.PutUint32(b, uint32(v))
		return
	}
	p.order.PutUint64(b, v)
}

// Flush completes the current page.
func (p *Pages) Flush() error {
	if len(p.buf) == 0 {
		return nil
	}
	committed := uint64(len(p.buf) - pageHead - p.word)
	if p.lost != 0 {
		committed |= missedMark
		if at := len(p.buf); p.lost > 0 && at+p.word <= p.size {
			committed |= missedHas
			p.buf = p.buf[:at+p.word]
			p.putUint(p.buf[at:], uint64(p.lost), p.word)
		}
	}
	p.putUint(p.buf[pageHead:], committed, p.word)
	n := len(p.buf)
	p.buf = p.buf[:p.size]
	clear(p.buf[n:])
	err := p.emit(p.buf)
	p.buf = p.buf[:0]
	p.count++
	return err
}

// Count returns the number of completed pages.
func (p *Pages) Count() int { return p.count }
