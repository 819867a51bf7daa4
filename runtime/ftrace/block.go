package ftrace

import (
	"io"

	"github.com/tracec/tracec/runtime/internal/memory"
	"github.com/tracec/tracec/runtime/record"
)

// blocks yields the sub-buffers of one CPU, many at a time.
type blocks interface {
	// next returns whole sub-buffers, except for the last one of damaged data. data are valid until
	// the next call. off is where they lie in the file; when they were packed, where the chunk
	// lies. The error is io.EOF at the end, or a *Damage, after which next may be called again.
	next() (data []byte, off int64, err error)
	// seek makes next continue at or shortly before the first sub-buffer with events from some time
	// on, found by bisection: late reports from the head of one whether it begins at that time or
	// after it.
	seek(late func(head []byte) bool)
}

// flat is uncompressed data.
type flat struct {
	src      *source
	off, end int64 // of what is left
	page     int64
	block    int64 // bytes read at a time: whole pages
	lease    *memory.Lease
	buf      []byte
	head     [pageHead]byte
	unwanted *unwanted // nil: all is read

	low, high int64        // where seek looks
	part      *record.Part // of a slice; else nil
}

func newFlat(b *Buffer, c *CPU, l *memory.Lease) *flat {
	page := int64(b.PageSize)
	block := min(b.rec.share.block, c.avail+page-1) // no more than there is
	return &flat{
		src: c.src, off: c.Offset, end: c.Offset + c.avail, low: c.Offset, high: c.Offset + c.avail, page: page,
		block: max(page, block/page*page), lease: l,
	}
}

// needs returns how much memory the blocks of a stream that is read as a whole take.
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
			room = f.block // for slices that follow
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

// beyondPages is how many pages are read first where what is wanted should have ended: more of them
// when it goes on.
const beyondPages = 4

// lost gives up the rest: a file that became shorter, or a disk that cannot be read.
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

// pageHead is more than any layout's bytes before the data.
const pageHead = 64

// bisect returns the number of the page before the first late one: its events may go on after the
// time that its stamp gives. What cannot be read counts as late: that leads to an earlier page and
// leaves nothing out.
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
