package lttng

import (
	"errors"
	"io"

	"github.com/tracec/tracec/runtime/internal/progress"
)

// subBuffer is the current sub-buffer of a file, and the part of it that is in memory.
type subBuffer struct {
	src  source
	size int64 // of the file
	last int64 // size of the previous sub-buffer
	next int64 // offset of the next sub-buffer in the file
	at   int64 // offset of this sub-buffer
	buf  []byte
	// buf has bytes lo to hi of the sub-buffer. Its events begin at pos and end at used.
	lo, hi, pos, used int
	most              int // maximum number of bytes of a sub-buffer in memory, at most window
	share             progress.Share
}

// place returns the offset of the next event in the file.
func (b *subBuffer) place() int64 { return b.at + int64(b.pos) }

// read reads all of dst. If the file has become shorter, the error is ordinary damage.
func (b *subBuffer) read(dst []byte, off int64, path string) error {
	n, err := b.src.ReadAt(dst, off)
	if n == len(dst) {
		return nil
	}
	if errors.Is(err, io.EOF) {
		err = ErrTruncated
	}
	return &Damage{File: path, Offset: off, Skipped: int64(len(dst) - n), Err: err}
}
