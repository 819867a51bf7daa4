package ftrace

import (
	"io"

	"github.com/tracec/tracec/runtime/internal/memory"
	"github.com/tracec/tracec/runtime/record"
)

// blocks yields the sub-buffers of one CPU, many at a time.
type blocks interface {
	// next returns whole sub-buffers, except for the last one of damaged data. data are valid until
	// the next call. off is the offset in the file. For packed data, it is the offset of the chunk.
	// The error is io.EOF at the end, or a *Damage, after which next may be called again.
	next() (data []byte, off int64, err error)
	// seek makes next continue at or shortly before the first sub-buffer with events from some time
	// on. It bisects: late gets the head of a sub-buffer and reports whether it begins at that time
	// or later.
	seek(late func(head []byte) bool)
}

// flat is uncompressed data.
type flat struct {
	src      *source
	off, end int64 // of the rest
	page     int64
	block    int64 // bytes read at a time: whole pages
	lease    *memory.Lease
	buf      []byte
	head     [pageHead]byte
	unwanted *unwanted // nil if all is read

	low, high int64        // bounds of seek
	part      *record.Part // of a slice; else nil
}

func newFlat(b *Buffer, c *CPU, l *memory.Lease) *flat {
	page := int64(b.PageSize)
	block := min(b.rec.pool.share.block, c.avail+page-1) // no more than is available
	return &flat{
		src: c.src, off: c.Offset, end: c.Offset + c.avail, low: c.Offset, high: c.Offset + c.avail, page: page,
		block: max(page, block/page*page), lease: l,
	}
}

// needs returns the memory size of the blocks of a stream that is read as a whole.
func (f *flat) needs() int64 {
	return min(f.block, f.end-f.off)
}

func (f *flat) next() ([]byte, int64, error) {
	if f.off >= f.end {
		return nil, f.end, io.EOF
	}
	end := f.end
	if f.unwanted != nil {
		if f.off, end = f.unwanted.next(f.off, f.end); f.off >= f.end {
			return nil, f.end, io.EOF
		}
	}
	n := min(f.block, end-f.off)
	if f.part != nil {
		n = f.part.Reach(f.off, n, beyondPages*f.page)
	}
	off := f.off
	f.off += n
	if int64(cap(f.buf)) < n {
		room := n
		if f.part != nil {
			room = f.block // for later slices
		}
		if err := f.lease.Swap(int64(cap(f.buf)), room); err != nil {
			return nil, off, f.lost(off, err)
		}
		f.buf = make([]byte, room)
	}
	data, err := f.src.view(off, n, f.buf)
	if err != nil {
		return nil, off, f.lost(off, err)
	}
	f.buf = data
	return data, off, nil
}

// beyondPages is the number of pages that are read first after the probable end of a part. The
// number grows if the part continues.
const beyondPages = 4

// lost gives up the rest: the file became shorter, or the disk cannot be read.
func (f *flat) lost(off int64, err error) error {
	d := f.src.fail(off, "CPU data", err)
	d.Skipped = f.end - off
	f.off = f.end
	return d
}

func (f *flat) seek(late func(head []byte) bool) {
	n := bisect((f.high-f.low)/f.page, func(i int64) bool {
		head, err := f.src.view(f.low+i*f.page, min(f.page, pageHead), f.head[:])
		return err != nil || late(head)
	})
	f.off = f.low + n*f.page
}

// pageHead exceeds the number of bytes before the data in any layout.
const pageHead = 64

// bisect returns the number of the page before the first late one, because its events may be later
// than its own time stamp. A page that cannot be read counts as late. The result is then an earlier
// page, and no record is missed.
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
