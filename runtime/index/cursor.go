package index

import (
	"encoding/binary"
	"math"
)

// A Cursor goes through the parts of a stream by rising offset. It is for one goroutine. Malformed
// data end it: parts that are not listed are read.
type Cursor struct {
	Part // the part that Next has reached

	parts []byte
	pos   int
	sets  int
}

// Cursor returns a cursor before the first part.
func (s *Stream) Cursor() *Cursor { return &Cursor{parts: s.parts, sets: s.sets} }

// Next goes to the next part. It returns false at the end.
func (c *Cursor) Next() bool {
	if c.pos >= len(c.parts) {
		return false
	}
	first := c.pos == 0
	step, bytes, since := c.number(), c.number(), c.number()
	c.First += since>>1 ^ -(since & 1) // the zigzag encoding of binary.Varint
	c.Last = c.First + c.number()
	records, set := c.number(), c.number()
	if step == 0 && !first || step > uint64(math.MaxInt64-c.At) || bytes > uint64(math.MaxInt64-c.At)-step ||
		records > math.MaxInt || set >= uint64(c.sets) {
		c.pos = len(c.parts)
		return false
	}
	c.At, c.Bytes = c.At+int64(step), int64(bytes)
	c.Records, c.Set = int(records), int(set)
	return true
}

// number reads a number. At the end of the data, it returns a number that is too large for every
// use.
func (c *Cursor) number() uint64 {
	if c.pos < len(c.parts) && c.parts[c.pos] < 0x80 { // the common case
		c.pos++
		return uint64(c.parts[c.pos-1])
	}
	v, n := binary.Uvarint(c.parts[min(c.pos, len(c.parts)):])
	if n <= 0 {
		c.pos = len(c.parts)
		return math.MaxUint64
	}
	c.pos += n
	return v
}
