package archive

import (
	"bufio"
	"errors"
	"fmt"
	"io"
)

// The format of compress (.Z): two bytes of magic, one byte of settings, then codes, the lowest bit
// first. A code below 256 is a byte. Other codes are entries. Each entry is an earlier entry,
// followed by a byte.
const (
	fewestBits = 9  // of a code
	mostBits   = 16 // of a code
	clearCode  = 256
	blockMode  = 0x80 // in the settings: clearCode empties the table
	reserved   = 0x60 // in the settings: bits without a meaning
)

var errCompress = errors.New("a code that is not defined yet")

// compressReader unpacks files of compress.
type compressReader struct {
	src   *bufio.Reader
	block bool
	most  int  // bits of the widest codes
	flags byte // reserved bits that are set

	bits, held uint // bits that were read and do not belong to a code yet, and their number
	width      int  // bits of a code
	codes      int  // read in this width; codes come in groups of eight
	next       int  // the next entry
	before     int  // the previous code; -1 if there is none
	first      byte // first byte of the previous code's text

	prefix [1 << mostBits]uint16
	last   [1 << mostBits]byte
	out    []byte // unpacked bytes, taken from the end
	stack  [1<<mostBits + 1]byte
	err    error
}

func openCompress(src *io.SectionReader, _ int) (io.ReadCloser, error) {
	var head [3]byte
	if _, err := io.ReadFull(src, head[:]); err != nil {
		return nil, err
	}
	c := &compressReader{src: bufio.NewReader(src), block: head[2]&blockMode != 0, most: int(head[2] & 0x1f),
		flags: head[2] & reserved, width: fewestBits, before: -1}
	if c.most < fewestBits || c.most > mostBits {
		return nil, fmt.Errorf("codes of %d bits", c.most)
	}
	c.next = c.firstEntry()
	return io.NopCloser(c), nil
}

func (c *compressReader) firstEntry() int {
	if c.block {
		return clearCode + 1
	}
	return clearCode
}

func (c *compressReader) Read(p []byte) (n int, err error) {
	for n < len(p) {
		if len(c.out) == 0 {
			if c.err != nil {
				break
			}
			c.err = c.expand()
			continue
		}
		k := copy(p[n:], c.out)
		c.out, n = c.out[k:], n+k
	}
	if n == 0 && len(p) > 0 {
		if c.flags != 0 && errors.Is(c.err, io.EOF) { // gzip warns, and unpacks as if they were not set
			return 0, fmt.Errorf("unpacked in spite of unknown flags 0x%x in the header", c.flags)
		}
		return 0, c.err
	}
	return n, nil
}

// code reads the next code.
func (c *compressReader) code() (int, error) {
	for c.held < uint(c.width) {
		b, err := c.src.ReadByte()
		if errors.Is(err, io.EOF) && (c.held >= 8 || c.bits != 0) { // the last code is padded with zeros to a byte
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return 0, err
		}
		c.bits |= uint(b) << c.held
		c.held += 8
	}
	code := int(c.bits & (1<<c.width - 1))
	c.bits >>= c.width
	c.held -= uint(c.width)
	c.codes++
	return code, nil
}

// setWidth begins codes of another width. It is also called when the table is emptied. The rest of
// a group of eight codes is skipped.
func (c *compressReader) setWidth(width int) error {
	for c.codes%8 != 0 {
		if _, err := c.code(); errors.Is(err, io.ErrUnexpectedEOF) {
			return io.EOF // only the rest of the group is missing
		} else if err != nil {
			return err
		}
	}
	c.width, c.codes = width, 0
	return nil
}

// expand unpacks one code into c.out.
func (c *compressReader) expand() error {
	if c.next >= 1<<c.width && c.width < max(c.most, fewestBits+1) { // even with a full table of 9 bits, as in gzip
		if err := c.setWidth(c.width + 1); err != nil {
			return err
		}
	}
	code, err := c.code()
	if err != nil {
		return err
	}
	switch {
	case c.block && code == clearCode:
		c.next, c.before = clearCode+1, -1
		return c.setWidth(fewestBits)
	case c.before < 0 && code >= clearCode, code > c.next:
		return errCompress
	}
	at := len(c.stack)
	put := func(b byte) { at--; c.stack[at] = b }
	from := code
	if code >= c.next { // the code is the entry that it adds itself
		put(c.first)
		from = c.before
	}
	for from >= clearCode {
		put(c.last[from])
		from = int(c.prefix[from])
	}
	c.first = byte(from)
	put(c.first)
	c.out = c.stack[at:]
	if c.before >= 0 && c.next < 1<<c.most {
		c.prefix[c.next], c.last[c.next] = uint16(c.before), c.first
		c.next++
	}
	c.before = code
	return nil
}
