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

// Limits of the memory that a packed file may require. A few bytes can require a lot.
const (
	maxWindow     = 128 << 20 // zstd --ultra -22 --long
	defaultMemory = 256 << 20
)

// ErrMemory reports that unpacking a file needs more memory than allowed.
var ErrMemory = errors.New("needs more memory than unpacking may take; unpack it before")

// A Packing is a way of compressing a file.
type Packing struct {
	Name  string // name of the program: "gzip"
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

// PackingOf returns the packing of a file that begins with head, or nil.
func PackingOf(head []byte) *Packing {
	for i := range packings {
		if bytes.HasPrefix(head, []byte(packings[i].magic)) {
			return &packings[i]
		}
	}
	return nil
}

// Open unpacks size bytes of src. The reader returns all data before damage or an early end, and
// then an error. It uses at most memory bytes, and so accepts windows of up to half of that. If
// memory is 0, the default applies.
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

// unpacker adds the name of the program to errors.
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
	z, err := zstd.NewReader(src, zstd.WithDecoderMaxWindow(uint64(window)), zstd.WithDecoderConcurrency(1),
		zstd.WithDecoderLowmem(true))
	if err != nil {
		return nil, err
	}
	return zstdReader{z.IOReadCloser(), window}, nil
}

// zstdReader replaces the memory limit error by ours.
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
