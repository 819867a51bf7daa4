package ftrace

import (
	"fmt"
	"io"

	"github.com/tracec/tracec/runtime/internal/memory"
)

// blocks yields the sub-buffers of one CPU, many at a time.
type blocks interface {
	// next returns whole sub-buffers, except for the last one of damaged data. data are valid until the next
	// call unless the recording is mapped. off is where they lie in the file; when they were packed, where
	// the chunk lies. The error is io.EOF at the end, or a *Damage, after which next may be called again.
	next() (data []byte, off int64, err error)
	// seek makes next continue at or shortly before the first sub-buffer with events from some time on, found by
	// bisection: late reports from the head of one whether it begins at that time or after it.
	seek(late func(head []byte) bool)
}

// flat is uncompressed data.
type flat struct {
	src      *source
	off, end int64 // of what is left
	start    int64
	page     int64
	block    int64 // bytes read at a time: whole pages
	lease    *memory.Lease
	buf      []byte
	from, to int64 // what of the mapping is resident
}

func newFlat(b *Buffer, c *CPU, l *memory.Lease) *flat {
	page := int64(b.PageSize)
	return &flat{
		src: c.src, off: c.Offset, start: c.Offset, end: c.Offset + c.avail, page: page,
		block: max(page, b.rec.share.block/page*page), lease: l,
	}
}

func (f *flat) next() ([]byte, int64, error) {
	if f.src.data != nil && f.to > f.from && f.src.file != nil {
		release(f.src.data, int(f.from), int(f.to))
	}
	if f.off >= f.end {
		f.from = f.to
		return nil, f.end, io.EOF
	}
	n := min(f.block, f.end-f.off)
	off := f.off
	f.off += n
	f.from, f.to = off, off+n
	if f.src.shrunk(off + n) {
		return nil, off, f.lost(off, ErrTruncated)
	}
	if f.src.data != nil && f.src.file != nil {
		prefault(f.src.data, int(off), int(off+n))
	}
	if f.src.data == nil && int64(cap(f.buf)) < n {
		if err := f.lease.Swap(int64(cap(f.buf)), n); err != nil {
			return nil, off, f.lost(off, err)
		}
		f.buf = make([]byte, n)
	}
	data, err := f.src.view(off, n, f.buf)
	if err != nil {
		return nil, off, f.lost(off, err)
	}
	if f.src.data == nil {
		f.buf = data
	}
	return data, off, nil
}

// lost gives up the rest: a file that became shorter, or a disk that cannot be read.
func (f *flat) lost(off int64, err error) error {
	d := f.src.fail(off, "CPU data", err)
	d.Skipped = f.end - off
	f.off, f.from, f.to = f.end, 0, 0
	return d
}

func (f *flat) seek(late func(head []byte) bool) {
	n := bisect((f.end-f.start)/f.page, func(i int64) bool {
		head, err := f.src.view(f.start+i*f.page, min(f.page, pageHead), nil)
		return err != nil || late(head)
	})
	f.off = f.start + n*f.page
}

// pageHead is more than any layout's bytes before the data.
const pageHead = 64

// bisect returns the number of the page before the first late one: its events may go on after the time that
// its stamp gives. What cannot be read counts as late: that leads to an earlier page and leaves nothing out.
func bisect(n int64, late func(i int64) bool) int64 {
	lo, hi := int64(0), n
	for lo < hi {
		mid := (lo + hi) / 2
		if late(mid) {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return max(0, lo-1)
}

// chunks is compressed data: a count, then chunks of packed size, plain size and data (spec 1.3).
type chunks struct {
	rec    *Recording
	src    *source
	cur    *cursor
	count  int64 // of chunks, as recorded
	n      int64 // of the next chunk
	end    int64 // as the CPU table says
	plain  []byte
	lease  *memory.Lease
	began  bool
	table  []int64 // offsets of every stride-th chunk, for bisection
	stride int64
}

// newChunks reads chunks of a recording between off and limit, of which those up to end are known to belong together.
func newChunks(r *Recording, src *source, off, end, limit int64, l *memory.Lease) *chunks {
	k := newCursor(src, r.order, off)
	k.end = limit
	return &chunks{rec: r, src: src, cur: k, end: end, lease: l}
}

// begin reads the count. The size in the CPU table does not bound the chunks: recorders of 3.0 and 3.1 wrote it 4
// bytes short (kernel bugzilla 217367).
func (c *chunks) begin() error {
	c.began = true
	c.count = int64(c.cur.u32("number of chunks"))
	if c.cur.err == nil && c.count*8 > c.cur.left() {
		n := c.cur.left() / 8
		d := c.src.fail(c.cur.off-4, fmt.Sprintf("room for %d chunks", c.count), ErrTruncated)
		c.count = n
		return d
	}
	if c.cur.err != nil {
		c.count = 0
		return c.cur.err
	}
	return nil
}

func (c *chunks) next() ([]byte, int64, error) {
	if !c.began {
		if err := c.begin(); err != nil {
			return nil, c.cur.off, err
		}
	}
	if c.n >= c.count {
		return nil, c.cur.off, io.EOF
	}
	c.n++
	at := c.cur.off
	packed, plain := int64(c.cur.u32("packed size")), int64(c.cur.u32("plain size"))
	body := c.cur.off
	if c.cur.err != nil || packed > c.cur.left() {
		c.cur.fail(fmt.Sprintf("a chunk of %d bytes", packed), ErrTruncated)
		return nil, at, c.stop(at)
	}
	c.cur.seek(body+packed, "a chunk")
	err := checkSizes(packed, plain, MaxChunk)
	if err == nil && c.src.shrunk(body+packed) {
		c.cur.fail("a chunk", ErrTruncated)
		return nil, at, c.stop(at)
	}
	if err == nil {
		var out []byte
		if out, err = c.unpack(body, packed, plain); err == nil {
			return out, at, nil
		}
	}
	d := c.src.fail(at, fmt.Sprintf("a chunk of %d bytes that unpacks to %d", packed, plain), err)
	d.Skipped = plain
	return nil, at, d
}

// unpack returns the plain bytes of the packed ones at off, in a buffer that the next call uses again.
func (c *chunks) unpack(off, packed, plain int64) ([]byte, error) {
	if have := int64(cap(c.plain)); have < plain {
		want := plain + int64(c.rec.share.slack)
		if err := c.lease.Swap(have, want); err != nil {
			return nil, err
		}
		c.plain = make([]byte, want)
	}
	var buf, data []byte
	var err error
	if c.src.data == nil {
		if buf, err = c.rec.scratch.get(c.rec.memory, packed); err != nil {
			return nil, err
		}
		defer c.rec.scratch.put(buf)
	}
	if data, err = c.src.view(off, packed, buf); err != nil {
		return nil, err
	}
	out, err := c.rec.codec.unpack(c.plain[:0], data, int(plain))
	if c.src.data != nil && c.src.file != nil {
		release(c.src.data, int(off), int(off+packed))
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	c.plain = out
	return out, nil
}

// stop ends the walk: without a chunk's size there is no way to the next one.
func (c *chunks) stop(at int64) error {
	c.n = c.count
	d := *c.cur.err
	d.Skipped = max(0, min(c.end, c.src.size)-at)
	return &d
}

// jump makes next return chunk n.
func (c *chunks) jump(n int64) {
	i := min(n/c.stride, int64(len(c.table)-1))
	c.cur.err = nil
	c.cur.off, c.n = c.table[i], i*c.stride
	for c.n < n && c.skip() {
		c.n++
	}
}

// skip passes over a chunk.
func (c *chunks) skip() bool {
	packed := int64(c.cur.u32("packed size"))
	c.cur.u32("plain size")
	c.cur.seek(c.cur.off+packed, "a chunk")
	return c.cur.err == nil
}

// maxTable bounds the table of chunk offsets; a longer recording has coarser steps.
const maxTable = 4096

func (c *chunks) seek(late func(head []byte) bool) {
	if start := *c; c.begin() != nil || c.count == 0 {
		*c = start // next meets the same trouble and reports it
		return
	}
	c.index()
	n := bisect(c.count, func(i int64) bool {
		c.jump(i)
		data, _, err := c.next()
		return err != nil || late(data[:min(len(data), pageHead)])
	})
	c.jump(n)
}

// index notes where the chunks are.
func (c *chunks) index() {
	c.stride = 1
	c.n = 0
	for c.n < c.count {
		if c.n%c.stride == 0 {
			if len(c.table) == maxTable {
				for i := 0; i < maxTable/2; i++ {
					c.table[i] = c.table[2*i]
				}
				c.table = c.table[:maxTable/2]
				c.stride *= 2
			}
			if c.n%c.stride == 0 {
				c.table = append(c.table, c.cur.off)
			}
		}
		if !c.skip() {
			break
		}
		c.n++
	}
}
