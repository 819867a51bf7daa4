package view

import (
	"encoding/binary"
	"sort"
)

// item is one span or instant of a lane.
type item struct {
	begin, end uint64
	name       uint32
	flags      uint32
}

// The flags of an item.
const (
	cut    = 1 << iota // its end was not recorded
	unseen             // its begin was not recorded
	open               // it has not ended yet: the recording is still being read
	gone               // in a summary: its items could not be kept

	keptBits = 2 // number of flags that are stored with an item: cut and unseen
)

// chunk is a sequence of items in a lane, and their summary.
type chunk struct {
	// The first begin and the last end. If odd is set, last is the last end in the lane so far.
	first, last uint64
	covered     uint64 // time in spans
	longest     uint64 // length of the longest span
	names       uint64 // bit n%64 is set if an item has name n
	at          int64  // place of the items in the store
	name        uint32 // name of the longest item
	index       uint32 // index of the first item in the lane
	size        uint32 // number of bytes of the items
	count       uint32
	odd         bool // an item begins before the end of an earlier one in the lane
}

// add counts an item.
func (c *chunk) add(it item) {
	if c.count == 0 {
		c.first, c.name = it.begin, it.name
	}
	c.first, c.last = min(c.first, it.begin), max(c.last, it.end)
	length := it.end - it.begin
	c.covered += length
	if length > c.longest {
		c.longest, c.name = length, it.name
	}
	c.names |= 1 << (it.name % 64)
	c.count++
}

// merge adds the items of d, which follow the items of c.
func (c *chunk) merge(d *chunk) {
	if c.count == 0 {
		*c = *d
		return
	}
	c.first, c.last = min(c.first, d.first), max(c.last, d.last)
	c.covered += d.covered
	if d.longest > c.longest {
		c.longest, c.name = d.longest, d.name
	}
	c.names |= d.names
	c.count += d.count
}

// lane holds the spans of one track at one depth, or its instants, in the order of their begins.
type lane struct {
	chunks []chunk
	tail   []byte // encoded items of chunk
	chunk  chunk  // the chunk that is being filled
	prev   uint64 // end of the last item of chunk
	last   uint64 // latest end of all items
}

// add appends an item. It is encoded as three numbers: the distance from the end of the previous
// item in the chunk, its length, and its name with the flags.
func (l *lane) add(s *store, size uint32, it item) {
	it.end = max(it.begin, it.end)
	c := &l.chunk
	if c.count == 0 {
		l.prev = 0
		if n := len(l.chunks); n > 0 {
			c.index = l.chunks[n-1].index + l.chunks[n-1].count
		}
	}
	if it.begin < l.last {
		c.odd = true
	}
	l.tail = binary.AppendVarint(l.tail, int64(it.begin-l.prev))
	l.tail = binary.AppendUvarint(l.tail, it.end-it.begin)
	l.tail = binary.AppendUvarint(l.tail, uint64(it.name)<<keptBits|uint64(it.flags))
	l.prev, l.last = it.end, max(l.last, it.end)
	c.add(it)
	c.last = l.last
	if c.count >= size {
		c.size = uint32(len(l.tail))
		c.at = s.put(l.tail)
		l.chunks = append(l.chunks, *c)
		l.chunk, l.tail = chunk{}, l.tail[:0]
	}
}

// count returns the number of items of the lane.
func (l *lane) count() uint32 {
	n := l.chunk.count
	if i := len(l.chunks); i > 0 {
		n += l.chunks[i-1].index + l.chunks[i-1].count
	}
	return n
}

// all returns the number of chunks, including the one that is being filled.
func (l *lane) all() int {
	if l.chunk.count > 0 {
		return len(l.chunks) + 1
	}
	return len(l.chunks)
}

// at returns a chunk.
func (l *lane) at(i int) *chunk {
	if i < len(l.chunks) {
		return &l.chunks[i]
	}
	return &l.chunk
}

// ending returns the first chunk with an item that ends at a time or later.
func (l *lane) ending(t uint64) int {
	return sort.Search(l.all(), func(i int) bool { return l.at(i).last >= t })
}

// holding returns the index of the chunk with item n, or -1.
func (l *lane) holding(n uint32) int {
	if n >= l.count() {
		return -1
	}
	return sort.Search(l.all(), func(i int) bool { c := l.at(i); return c.index+c.count > n })
}

// scratch is memory for reuse by decode.
type scratch struct {
	items []item
	bytes []byte
}

// decode returns the items of a chunk. It returns nil if they could not be kept.
func (l *lane) decode(s *store, i int, buf *scratch) []item {
	b := l.tail
	c := l.at(i)
	if i < len(l.chunks) {
		if cap(buf.bytes) < int(c.size) {
			buf.bytes = make([]byte, c.size)
		}
		if b = s.get(c.at, int(c.size), buf.bytes); b == nil {
			return nil
		}
	}
	buf.items = buf.items[:0]
	at := uint64(0)
	for i := 0; i < len(b); {
		delta, j := uvarint(b, i)
		length, k := uvarint(b, j)
		name, n := uvarint(b, k)
		i = n
		begin := at + (delta>>1 ^ -(delta & 1)) // as encoded by binary.AppendVarint
		at = begin + length
		buf.items = append(buf.items, item{begin, at, uint32(name >> keptBits), uint32(name & (1<<keptBits - 1))})
	}
	return buf.items
}

// uvarint reads a number in the encoding of binary.AppendUvarint at an index, and returns the index
// after it.
func uvarint(b []byte, i int) (uint64, int) {
	if i < len(b) && b[i] < 0x80 {
		return uint64(b[i]), i + 1
	}
	return longUvarint(b, i)
}

func longUvarint(b []byte, i int) (x uint64, next int) {
	for shift := uint(0); i < len(b); shift += 7 {
		c := b[i]
		i++
		x |= uint64(c&0x7f) << shift
		if c < 0x80 {
			break
		}
	}
	return x, i
}
