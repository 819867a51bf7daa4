package ftrace

import (
	"fmt"
	"io"

	"github.com/tracec/tracec/runtime/internal/memory"
)

// chunks is compressed data: a count, then chunks, each with packed size, plain size and data
// (ftrace.md 1.3).
type chunks struct {
	rec   *Recording
	src   *source
	cur   *cursor
	count int64  // of chunks, as recorded
	n     int64  // of the next chunk
	end   int64  // according to the CPU table
	plain []byte // of the last returned chunk
	lease *memory.Lease
	began bool

	ahead ahead // without unpackers, chunks are unpacked on demand

	unwanted *unwanted // nil if all is read

	table  []int64 // offsets of every stride-th chunk, for bisection
	stride int64
}

// newChunks reads chunks of a recording between off and limit. The bytes up to end are known to
// belong together.
func newChunks(r *Recording, src *source, off, end, limit int64, l *memory.Lease) *chunks {
	k := newCursor(src, r.order, off)
	k.end = limit
	return &chunks{rec: r, src: src, cur: k, end: end, lease: l}
}

// begin reads the count. The size in the CPU table does not bound the chunks: recorders of 3.0 and
// 3.1 wrote it 4 bytes short (kernel bugzilla 217367).
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

// A chunk is the location of a chunk and the contents of its header.
type chunk struct {
	at, body      int64 // of the header, of the packed bytes
	packed, plain int64 // bytes
}

// next implements blocks.
func (c *chunks) next() ([]byte, int64, error) {
	if c.ahead.unpackers != nil {
		return c.queued()
	}
	return c.single()
}

// single is next on this goroutine alone.
func (c *chunks) single() ([]byte, int64, error) {
	k, err := c.locate()
	if err != nil {
		return nil, k.at, err
	}
	var out []byte
	if c.plain, err = c.grow(c.plain, k.plain); err == nil {
		out, err = c.unpack(&k, c.plain)
	}
	if err != nil {
		return nil, k.at, c.lost(&k, err)
	}
	return out, k.at, nil
}

// lost returns the damage of a chunk that cannot be unpacked.
func (c *chunks) lost(k *chunk, err error) error {
	d := c.src.fail(k.at, fmt.Sprintf("a chunk of %d bytes that unpacks to %d", k.packed, k.plain), err)
	d.Skipped = k.plain
	return d
}

// locate reads the header of the next chunk. Its errors are returned by next.
func (c *chunks) locate() (k chunk, err error) {
	if !c.began {
		if err := c.begin(); err != nil {
			return chunk{at: c.cur.off}, err
		}
	}
	if c.n >= c.count {
		return chunk{at: c.cur.off}, io.EOF
	}
	for c.unwanted != nil && c.n < c.count && c.unwanted.Has(c.cur.off) && c.skip() {
		c.n++
	}
	if c.n >= c.count && c.cur.err == nil {
		return chunk{at: c.cur.off}, io.EOF
	}
	c.n++
	k.at = c.cur.off
	k.packed, k.plain = int64(c.cur.u32("packed size")), int64(c.cur.u32("plain size"))
	k.body = c.cur.off
	if c.cur.err != nil || k.packed > c.cur.left() {
		c.cur.fail(fmt.Sprintf("a chunk of %d bytes", k.packed), ErrTruncated)
		return k, c.stop(k.at)
	}
	c.cur.seek(k.body+k.packed, "a chunk")
	if err := checkSizes(k.packed, k.plain, MaxChunk); err != nil {
		return k, c.lost(&k, err)
	}
	return k, nil
}

// grow returns buf, or a larger buffer if buf is too small.
func (c *chunks) grow(buf []byte, plain int64) ([]byte, error) {
	have := int64(cap(buf))
	if have >= plain {
		return buf, nil
	}
	want := plain + int64(c.rec.pool.share.slack)
	if err := c.lease.Swap(have, want); err != nil {
		return buf, err
	}
	return make([]byte, want), nil
}

// unpack unpacks a chunk into plain, which must be large enough. Several goroutines may call it.
func (c *chunks) unpack(k *chunk, plain []byte) ([]byte, error) {
	buf, err := c.rec.pool.scratch.get(c.rec.memory, k.packed)
	if err != nil {
		return nil, err
	}
	defer c.rec.pool.scratch.put(buf)
	data, err := c.src.view(k.body, k.packed, buf)
	if err != nil {
		return nil, err
	}
	out, err := c.rec.codec.unpack(plain[:0], data, int(k.plain))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	return out, nil
}

// stop ends the walk: without the size of a chunk, the next one cannot be found.
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

// skip skips a chunk.
func (c *chunks) skip() bool {
	packed := int64(c.cur.u32("packed size"))
	c.cur.u32("plain size")
	c.cur.seek(c.cur.off+packed, "a chunk")
	return c.cur.err == nil
}

// maxTable bounds the table of chunk offsets. A longer recording uses coarser steps.
const maxTable = 4096

func (c *chunks) seek(late func(head []byte) bool) {
	if start := *c; c.begin() != nil || c.count == 0 {
		*c = start // next will meet the same damage and report it
		return
	}
	c.index()
	unwanted := c.unwanted
	c.unwanted = nil // their times are needed
	defer func() { c.unwanted = unwanted }()
	n := bisect(c.count, func(i int64) bool {
		c.jump(i)
		data, _, err := c.single()
		return err != nil || late(data[:min(len(data), pageHead)])
	})
	c.jump(n)
}

// index fills the table of chunk offsets.
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
