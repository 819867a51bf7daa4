package ftrace

import (
	"io"
	"os"
)

// A PageReader yields the sub-buffers of one CPU in order, as they were recorded, unpacked if
// necessary. It is for one goroutine.
type PageReader struct {
	s  *stream
	at int // in the block
}

// PageReader begins to read the sub-buffers of one of the buffer's CPUs.
func (b *Buffer) PageReader(c *CPU) *PageReader {
	var o StreamOptions
	return &PageReader{s: b.stream(c, &o, b.unpackers(&o))}
}

// Pages calls fn with the sub-buffers that a PageReader yields, until fn fails. They are valid
// until fn returns.
func (b *Buffer) Pages(c *CPU, fn func(page []byte) error) error {
	p := b.PageReader(c)
	defer p.Close()
	for page, ok := p.Next(); ok; page, ok = p.Next() {
		if err := fn(page); err != nil {
			return err
		}
	}
	return nil
}

// Next returns the next sub-buffer, which is valid until the next call. ok is false at the end. The
// last sub-buffer of damaged data may be short.
func (p *PageReader) Next() (page []byte, ok bool) {
	s := p.s
	if p.at >= len(s.at.block) {
		switch {
		case s.err != nil:
			return nil, false
		case s.rec.closed.Load():
			s.end(os.ErrClosed)
			return nil, false
		case !s.fetch():
			s.end(io.EOF)
			return nil, false
		}
		p.at = 0
		s.share.Reach(s.at.off - s.cpu.Offset)
	}
	page = s.at.block[p.at:min(p.at+s.buf.PageSize, len(s.at.block))]
	p.at += len(page)
	return page, true
}

// Position returns how many of the bytes that CPU.Size counts have been read, and their total.
// Bytes count as read before the current block. Any goroutine may call it.
func (p *PageReader) Position() (done, total int64) { return p.s.Position() }

// Close ends the reading before its end.
func (p *PageReader) Close() {
	if p.s.err == nil {
		p.s.end(io.EOF)
	}
}
