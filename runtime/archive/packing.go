package archive

import (
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

// Limits of what a packed file may ask for, which says so in a few bytes.
const (
	maxWindow     = 128 << 20 // zstd --ultra -22 --long
	defaultMemory = 256 << 20
)

// ErrMemory reports that a file cannot be unpacked without more memory than it is given.
var ErrMemory = errors.New("needs more memory than unpacking may take; unpack it before")

// A Packing is a way of compressing a file.
type Packing struct {
	Name  string // of the program: "gzip"
	magic string
	open  func(src *io.SectionReader, window int) (io.ReadCloser, error)
}

var packings = []Packing{
	{"gzip", "\x1f\x8b\x08", openGzip},
	{"xz", "\xfd7zXZ\x00", openXZ},
	{"zstd", "\x28\xb5\x2f\xfd", openZstd},
	{"compress", "\x1f\x9d", openCompress},
	{"bzip2", "BZh", func(src *io.SectionReader, _ int) (io.ReadCloser, error) {
		return io.NopCloser(bzip2.NewReader(src)), nil
	}},
}

// PackingOf returns the packing of a file that begins with head, nil when there is none.
func PackingOf(head []byte) *Packing {
	for i := range packings {
		if bytes.HasPrefix(head, []byte(packings[i].magic)) {
			return &packings[i]
		}
	}
	return nil
}

// Open undoes the packing of size bytes. The reader gives all that comes before damage or an early end and then an error.
// It takes no more than memory, in bytes, which is that of a window of half the size; 0 is the default.
func (p *Packing) Open(src io.ReaderAt, size, memory int64) (io.ReadCloser, error) {
	if memory <= 0 {
		memory = defaultMemory
	}
	r, err := p.open(io.NewSectionReader(src, 0, size), int(min(memory/2, maxWindow)))
	if err != nil {
		return nil, p.fail(err)
	}
	return &unpacker{r, p}, nil
}

// unpacker gives errors the name of the program.
type unpacker struct {
	io.ReadCloser
	packing *Packing
}

func (u *unpacker) Read(p []byte) (int, error) {
	n, err := u.ReadCloser.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = u.packing.fail(err)
	}
	return n, err
}

func (p *Packing) fail(err error) error {
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return fmt.Errorf("%s: %w", p.Name, err)
}

func openGzip(src *io.SectionReader, _ int) (io.ReadCloser, error) { return gzip.NewReader(src) }

func openZstd(src *io.SectionReader, window int) (io.ReadCloser, error) {
	z, err := zstd.NewReader(src, zstd.WithDecoderMaxWindow(uint64(window)), zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true))
	if err != nil {
		return nil, err
	}
	return zstdReader{z.IOReadCloser(), window}, nil
}

// zstdReader names the limit of memory by our error.
type zstdReader struct {
	io.ReadCloser
	window int
}

func (z zstdReader) Read(p []byte) (int, error) {
	n, err := z.ReadCloser.Read(p)
	if errors.Is(err, zstd.ErrWindowSizeExceeded) || errors.Is(err, zstd.ErrDecoderSizeExceeded) {
		err = fmt.Errorf("%w: a window of more than %d MiB", ErrMemory, z.window>>20)
	}
	return n, err
}
