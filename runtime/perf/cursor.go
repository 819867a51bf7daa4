package perf

import "fmt"

// cursor reads parts of a section. short reports that the section ended too early. From there on,
// all values are 0.
type cursor struct {
	order
	b     []byte
	short bool
	err   error // other damage
}

func (c *cursor) take(n int) []byte {
	if n < 0 || n > len(c.b) {
		c.short, c.b = true, nil
		return nil
	}
	b := c.b[:n]
	c.b = c.b[n:]
	return b
}

func (c *cursor) u32() uint32 {
	if b := c.take(4); b != nil {
		return c.order.u32(b)
	}
	return 0
}

func (c *cursor) u64() uint64 {
	if b := c.take(8); b != nil {
		return c.order.u64(b)
	}
	return 0
}

// text reads a length and a text. The text ends at its first NUL.
func (c *cursor) text() string {
	return string(terminated(c.take(int(min(c.u32(), 1<<30)))))
}

func (c *cursor) texts() []string { return list(c, 4, c.text) }

// count reads a number of parts. Each part has at least size bytes.
func (c *cursor) count(size int) int {
	n := c.u32()
	if int64(n) > int64(len(c.b)/size) {
		c.take(-1)
		return 0
	}
	return int(n)
}

// version reports whether a section has the known version.
func (c *cursor) version(got, known uint64) bool {
	if got != known && !c.short {
		c.err = fmt.Errorf("version %d: %w", got, ErrUnsupported)
	}
	return got == known
}

// list reads a number and that many parts. Each part has at least size bytes. It returns nil if the
// section ends too early.
func list[T any](c *cursor, size int, part func() T) []T {
	n := c.count(size)
	parts := make([]T, 0, n)
	for range n {
		if parts = append(parts, part()); c.short {
			return nil
		}
	}
	return parts
}
