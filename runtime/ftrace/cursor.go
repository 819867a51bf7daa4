package ftrace

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
)

// A cursor reads metadata in sequence. The first failure sticks, and later reads return zero
// values. So callers check for errors once. Reads end at end, which is the end of a section or of
// the file.
type cursor struct {
	src   *source
	order binary.ByteOrder
	off   int64
	end   int64
	err   *Damage

	window []byte // bytes read in advance from a source that is not in memory, to save a system call per integer
	start  int64  // of window
}

// The first window is small, because many cursors read only the header of a section.
const (
	cursorFirst  = 1 << 10
	cursorWindow = 64 << 10
)

// maxText bounds a text that is stored uncompressed in the file. The kallsyms of a large kernel has
// 20 MB.
const maxText = 64 << 20

func newCursor(src *source, order binary.ByteOrder, off int64) *cursor {
	return &cursor{src: src, order: order, off: off, end: src.size}
}

// fork returns an independent cursor at the same place. A plain copy would share the window, which
// each of the two overwrites.
func (c *cursor) fork() cursor {
	k := *c
	k.window = nil
	return k
}

func (c *cursor) fail(want string, err error) {
	if c.err == nil {
		c.err = c.src.fail(c.off, want, err)
	}
}

// failure returns err as an error interface. It is nil if there was no failure.
func (c *cursor) failure() error {
	if c.err == nil {
		return nil
	}
	return c.err
}

func (c *cursor) left() int64 {
	if c.err != nil {
		return 0
	}
	return c.end - c.off
}

// take returns the next n bytes, valid until the next call.
func (c *cursor) take(n int64, want string) []byte {
	if c.err != nil {
		return nil
	}
	if n < 0 || n > c.end-c.off {
		kind := ErrTruncated
		if c.end < c.src.size || c.src.packed || c.src.part {
			kind = ErrCorrupt
		}
		c.fail(fmt.Sprintf("%s (%d bytes, %d are left)", want, uint64(n), c.end-c.off), kind)
		return nil
	}
	var b []byte
	var err error
	switch at := c.off - c.start; {
	case c.src.data != nil:
		b, err = c.src.view(c.off, n, nil)
	case at >= 0 && at+n <= int64(len(c.window)):
		b = c.window[at : at+n]
	case n > cursorWindow:
		b, err = c.src.view(c.off, n, nil)
	default:
		size := max(n, min(cursorWindow, max(cursorFirst, 4*int64(len(c.window)))))
		c.window, err = c.src.view(c.off, min(size, c.end-c.off), c.window)
		c.start = c.off
		if err == nil {
			b = c.window[:n]
		}
	}
	if err != nil {
		c.fail(want, err)
		return nil
	}
	c.off += n
	return b
}

func (c *cursor) u8(want string) uint8 {
	if b := c.take(1, want); b != nil {
		return b[0]
	}
	return 0
}

func (c *cursor) u16(want string) uint16 {
	if b := c.take(2, want); b != nil {
		return c.order.Uint16(b)
	}
	return 0
}

func (c *cursor) u32(want string) uint32 {
	if b := c.take(4, want); b != nil {
		return c.order.Uint32(b)
	}
	return 0
}

func (c *cursor) u64(want string) uint64 {
	if b := c.take(8, want); b != nil {
		return c.order.Uint64(b)
	}
	return 0
}

// size64 reads a 64-bit size or offset. A result that is negative as an int64 is invalid.
func (c *cursor) size64(want string) int64 {
	at := c.off
	v := int64(c.u64(want))
	if v < 0 {
		c.off = at
		c.fail(want, ErrCorrupt)
		return 0
	}
	return v
}

// text copies n bytes.
func (c *cursor) text(n int64, want string) string {
	if n > maxText {
		c.fail(want, ErrLimit)
		return ""
	}
	if n < 0 || n > c.left() {
		c.take(n, want) // reports the missing bytes
		return ""
	}
	var b strings.Builder // a piece at a time, so that long texts are not in memory twice
	for b.Grow(int(n)); n > 0; n -= min(n, cursorWindow) {
		b.Write(c.take(min(n, cursorWindow), want))
	}
	if c.err != nil {
		return ""
	}
	return b.String()
}

// zstring reads up to a NUL, which must come within limit bytes.
func (c *cursor) zstring(limit int64, want string) string {
	at := c.off
	b := c.take(min(limit, c.left()), want)
	i := bytes.IndexByte(b, 0)
	if i < 0 {
		c.off = at
		c.fail(want+", ended by a NUL", ErrCorrupt)
		return ""
	}
	c.off = at + int64(i) + 1
	return string(b[:i])
}

// seek continues elsewhere in the same source.
func (c *cursor) seek(off int64, want string) {
	if c.err != nil {
		return
	}
	if off < 0 || off > c.end {
		c.off = c.end
		c.fail(fmt.Sprintf("%s at %d", want, uint64(off)), ErrTruncated)
		return
	}
	c.off = off
}
