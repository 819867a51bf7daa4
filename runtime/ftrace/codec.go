package ftrace

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"
)

// codec unpacks sections and chunks. It is safe for concurrent use.
type codec interface {
	// unpack unpacks src to exactly plain bytes. The result uses dst if that is large enough.
	unpack(dst, src []byte, plain int) ([]byte, error)
	// begins reports whether packed data may begin with the given four bytes.
	begins(head []byte) bool
}

// room returns dst with length n. If dst is too small, it allocates n bytes plus slack.
func room(dst []byte, n, slack int) []byte {
	if cap(dst) < n {
		dst = make([]byte, n+slack)
	}
	return dst[:n]
}

// MaxChunk bounds the unpacked size of a chunk of CPU data. trace-cmd puts ten pages into one
// chunk. Pages have up to 64 KiB today, and at most 1 MiB by the width of their commit word.
const MaxChunk = 64 << 20

// checkSizes rejects invalid sizes before memory is allocated for them.
func checkSizes(packed, plain, limit int64) error {
	switch {
	case plain > limit:
		return fmt.Errorf("%w: %d bytes unpacked, the limit is %d", ErrLimit, plain, limit)
	// A zstd run-length block makes 128 KiB of 4 bytes. More is impossible (RFC 8878, 3.1.1.2).
	case plain > packed<<15:
		return fmt.Errorf("%w: %d bytes cannot unpack to %d", ErrCorrupt, packed, plain)
	}
	return nil
}

func newCodec(name string) (codec, error) {
	switch name {
	case "", "none":
		return nil, nil
	case "zstd":
		d, err := sharedZstd()
		if err != nil {
			return nil, err
		}
		return zstdCodec{d}, nil
	case "zlib":
		return &zlibCodec{}, nil
	}
	return nil, fmt.Errorf("%w: compression %q", ErrUnsupported, name)
}

// sharedZstd is the decoder of all recordings. Creating one costs more than unpacking most
// sections. DecodeAll is safe for concurrent use, keeps no unpacked data, and stays within the
// capacity of its buffer.
var sharedZstd = sync.OnceValues(func() (*zstd.Decoder, error) {
	return zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderLowmem(true),
		zstd.WithDecodeAllCapLimit(true), zstd.WithDecoderMaxMemory(MaxSection))
})

type zstdCodec struct{ d *zstd.Decoder }

// zstdSlack is the number of bytes after the data that let the decoder skip the check of each copy.
// It is a block of 128 KiB.
const zstdSlack = 128<<10 + 64

// begins checks for the magic number of a frame (RFC 8878, 3.1.1).
func (zstdCodec) begins(head []byte) bool { return string(head[:4]) == "\x28\xb5\x2f\xfd" }

// begins checks the header: deflate, and a check sum (RFC 1950, 2.2).
func (*zlibCodec) begins(head []byte) bool {
	return head[0]&15 == 8 && (uint(head[0])<<8|uint(head[1]))%31 == 0
}

func (z zstdCodec) unpack(dst, src []byte, plain int) ([]byte, error) {
	dst = room(dst, plain, zstdSlack)
	out, err := z.d.DecodeAll(src, dst[:0])
	switch {
	case errors.Is(err, zstd.ErrDecoderSizeExceeded) || err == nil && len(out) > plain: // the error depends on the room
		err = fmt.Errorf("zstd data of more than %d bytes", plain)
	case err == nil && len(out) < plain:
		err = fmt.Errorf("zstd data of %d bytes, not %d", len(out), plain)
	}
	return out, err
}

// zlibCodec keeps its readers. There are at most as many as streams that unpack at the same time. A
// sync.Pool would lose them to the garbage collector.
type zlibCodec struct {
	mu   sync.Mutex
	free []*zlibReader
}

type zlibReader struct {
	in   bytes.Reader
	out  io.ReadCloser
	more [1]byte
}

func (z *zlibCodec) unpack(dst, src []byte, plain int) ([]byte, error) {
	dst = room(dst, plain, 0)
	r := z.get()
	var err error
	r.in.Reset(src)
	if r.out == nil {
		r.out, err = zlib.NewReader(&r.in)
	} else {
		err = r.out.(zlib.Resetter).Reset(&r.in, nil)
	}
	if err != nil {
		return nil, err // the reader is in an unknown state and is dropped
	}
	defer z.put(r)
	if _, err := io.ReadFull(r.out, dst); err != nil {
		return nil, err
	}
	// A further read checks the sum at the end.
	if n, err := r.out.Read(r.more[:]); n != 0 || err != io.EOF {
		if n != 0 {
			err = fmt.Errorf("zlib data of more than %d bytes", len(dst))
		}
		return nil, err
	}
	return dst, nil
}

func (z *zlibCodec) get() *zlibReader {
	z.mu.Lock()
	defer z.mu.Unlock()
	n := len(z.free)
	if n == 0 {
		return &zlibReader{}
	}
	r := z.free[n-1]
	z.free = z.free[:n-1]
	return r
}

func (z *zlibCodec) put(r *zlibReader) {
	z.mu.Lock()
	z.free = append(z.free, r)
	z.mu.Unlock()
}
