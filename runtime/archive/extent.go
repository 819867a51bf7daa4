package archive

import (
	"archive/tar"
	"errors"
	"io"
)

// Extent returns the end of a tar archive by its own end marker, if that is within the first size
// bytes of r.
func Extent(r io.ReaderAt, size int64) (end int64, ok bool) {
	src := io.NewSectionReader(r, 0, size)
	t := tar.NewReader(src) // Next skips members without reading them
	for {
		if _, err := t.Next(); err == nil || errors.Is(err, tar.ErrInsecurePath) {
			continue
		} else if !errors.Is(err, io.EOF) {
			return 0, false
		}
		end, err := src.Seek(0, io.SeekCurrent)
		return end, err == nil && end < size
	}
}
