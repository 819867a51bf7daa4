package ftrace

import (
	"fmt"
)

// In a version 7 file, the table with the offsets of a buffer's data comes after the data. If the
// end of the file is missing, the table is also missing, but most of the data may be there.
// rescueBuffer finds them.
//
// The section of a buffer holds the data of its processors, each at a page boundary. Packed data
// have a recorded length. Raw pages do not. But the times of a processor do not go back: where they
// do, the data of the next processor begin. The numbers of the processors and the names of
// instances are lost.

// rescueBuffer finds the data in a section. Its size is 0 if the recorder did not write it.
func (r *Recording) rescueBuffer(src *source, off, size int64, packed bool) {
	end := src.size
	if size > 0 && size < end-off {
		end = off + size
	}
	b := &Buffer{PageSize: r.info.PageSize, packed: packed, Clock: r.info.TraceClock, searched: true}
	if len(r.buffers) > 0 {
		b.Name = fmt.Sprintf("unnamed-%d", len(r.buffers))
	}
	page := int64(b.PageSize)
	for off = (off + page - 1) / page * page; off < end && len(b.CPUs) < maxCPUs; {
		next := r.blobEnd(src, off, end, page, packed)
		if next <= off {
			break
		}
		b.CPUs = append(b.CPUs, CPU{ID: len(b.CPUs), Offset: off, Size: next - off, src: src})
		off = (next + page - 1) / page * page
	}
	if len(b.CPUs) == 0 {
		return
	}
	r.damage.Add(src.fail(end, fmt.Sprintf("the table of %s, whose processors are numbered as they come", b.describe()),
		ErrTruncated), 0)
	r.info.CPUs = max(r.info.CPUs, len(b.CPUs))
	r.buffers = append(r.buffers, b)
}

func (b *Buffer) describe() string {
	if b.Name == "" {
		return "the top buffer"
	}
	return "buffer " + b.Name
}

// part names the data of one processor for a Damage.
func (b *Buffer) part(cpu int) string {
	if b.Name == "" {
		return cpuPart(cpu)
	}
	return fmt.Sprintf("buffer %q, %s", b.Name, cpuPart(cpu))
}

// cpuPart names the data of one processor of the top buffer for a Damage.
func cpuPart(cpu int) string { return fmt.Sprintf("CPU %d", cpu) }

// blobEnd returns the end of the data of one processor, or off if there are no data.
func (r *Recording) blobEnd(src *source, off, end, page int64, packed bool) int64 {
	if packed {
		return r.chunksEnd(src, off, end, page)
	}
	last := uint64(0)
	at := off
	for ; at+int64(r.layout.data) <= end; at += page {
		head, err := src.view(at, int64(r.layout.data), nil)
		if err != nil {
			break
		}
		stamp := r.layout.stamp(head)
		if stamp < last || r.layout.committed(head) > int(page)-r.layout.data {
			return at
		}
		last = stamp
	}
	return min(at, end)
}

// chunksEnd follows chunks while they look valid.
func (r *Recording) chunksEnd(src *source, off, end, page int64) int64 {
	c := newCursor(src, r.order, off)
	c.end = end
	count := c.u32("number of chunks")
	good := off
	for range count {
		packed, plain := int64(c.u32("packed size")), int64(c.u32("plain size"))
		if c.err != nil || plain%page != 0 || plain == 0 || checkSizes(packed, plain, MaxChunk) != nil {
			return good
		}
		if packed > c.left() {
			return end // the stream reports the missing data
		}
		c.seek(c.off+packed, "a chunk")
		good = c.off
	}
	return good
}
