package replay

import (
	"encoding/binary"
	"slices"
	"strconv"

	"github.com/tracec/tracec/report/uftrace/internal/line"
)

// countRoom is the maximum number of bytes that count writes.
const countRoom = 24

// count is the decimal text of a growing number, after a bracket. Incrementing the text costs less
// than formatting each number.
type count struct {
	thousands uint64
	text      [countRoom]byte // the bracket and the digits above the last three
	size      int             // size of text; 0 below 1000
	low       uint32          // the number modulo 1000
}

// append appends the text of the number, from "[0" on, and increments the number.
func (c *count) append(dst []byte) []byte {
	n := len(dst)
	dst = slices.Grow(dst, countRoom)
	return dst[:n+c.put(dst[n:n+countRoom])]
}

// put is append to the start of b, which must have countRoom bytes. It returns the length.
func (c *count) put(b []byte) int {
	if c.low == 1000 {
		c.thousands, c.low = c.thousands+1, 0
		c.size = len(strconv.AppendUint(append(c.text[:0], '['), c.thousands, 10))
	}
	low := c.low
	c.low++
	if c.size == 0 {
		return len(strconv.AppendUint(append(b[:0], '['), uint64(low), 10))
	}
	b = b[:countRoom]
	*(*[countRoom]byte)(b) = c.text
	binary.LittleEndian.PutUint32(b[c.size:], line.Digits[low])
	return c.size + 3
}
