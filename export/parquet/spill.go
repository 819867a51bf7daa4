package parquet

import (
	"encoding/binary"

	"github.com/tracec/tracec/internal/spool"
)

// spill keeps small batches in a temporary file, when there are so many kinds of events that none has enough rows for a row group. The file has no name
// where the system allows it.
type spill struct {
	dir  string
	file *spool.File
	end  int64
	buf  []byte
}

// extent is where a batch is in the file.
type extent struct {
	at   int64
	size int
}

// put writes a batch.
func (s *spill) put(b *batch) (extent, error) {
	if s.file == nil {
		f, err := spool.New(s.dir)
		if err != nil {
			return extent{}, err
		}
		s.file = f
	}
	s.buf = binary.LittleEndian.AppendUint64(s.buf[:0], uint64(b.rows))
	for i := range b.columns {
		s.buf = b.columns[i].appendTo(s.buf)
	}
	x := extent{s.end, len(s.buf)}
	_, err := s.file.WriteAt(s.buf, s.end)
	s.end += int64(len(s.buf))
	return x, err
}

// close removes the file.
func (s *spill) close() error {
	if s.file == nil {
		return nil
	}
	return s.file.Close()
}

// load appends the rows of a batch in the file to another of the same table. Any goroutine may call it.
func (s *spill) load(x extent, b *batch) error {
	buf := make([]byte, x.size)
	if _, err := s.file.ReadAt(buf, x.at); err != nil {
		return err
	}
	b.rows += int(binary.LittleEndian.Uint64(buf))
	buf = buf[8:]
	for i := range b.columns {
		buf = b.columns[i].takeFrom(buf)
	}
	return nil
}

// appendTo appends the values of a column.
func (c *column) appendTo(dst []byte) []byte {
	dst = appendSlice(dst, c.narrow)
	dst = appendSlice(dst, c.wide)
	dst = appendSlice(dst, c.ends)
	dst = appendSlice(dst, c.present)
	dst = appendSlice(dst, c.bytes)
	if c.elem != nil {
		dst = c.elem.appendTo(dst)
	}
	return dst
}

func appendSlice[T any](dst []byte, s []T) []byte {
	dst = binary.LittleEndian.AppendUint64(dst, uint64(len(s)))
	dst, _ = binary.Append(dst, binary.LittleEndian, s) // of types that have a size
	return dst
}

// takeFrom appends the values that appendTo has appended, and returns what follows them.
func (c *column) takeFrom(src []byte) []byte {
	before := len(c.bytes)
	if c.elem != nil {
		before = c.elem.len()
	}
	ends := len(c.ends)
	src = takeSlice(src, &c.narrow)
	src = takeSlice(src, &c.wide)
	src = takeSlice(src, &c.ends)
	src = takeSlice(src, &c.present)
	src = takeSlice(src, &c.bytes)
	for i := range c.ends[ends:] {
		c.ends[ends+i] += uint32(before)
	}
	if c.elem != nil {
		src = c.elem.takeFrom(src)
	}
	return src
}

func takeSlice[T any](src []byte, to *[]T) []byte {
	n := int(binary.LittleEndian.Uint64(src))
	at := len(*to)
	*to = append(*to, make([]T, n)...)
	end := 8 + binary.Size((*to)[at:])
	binary.Decode(src[8:end], binary.LittleEndian, (*to)[at:]) // of so many bytes as it takes
	return src[end:]
}
