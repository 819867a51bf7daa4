package perf

import (
	"io"
	"iter"

	"github.com/klauspost/compress/zstd"
)

// maxWindow bounds the history of the decoder. perf compresses with windows of at most 8 MiB.
const maxWindow = 32 << 20

// unpacker decodes a stream of zstd that arrives in pieces and never ends. After each piece, all
// data that the recorder has compressed so far can be decoded, since the recorder flushes (perf.md
// 0.3).
type unpacker struct {
	next func() (piece, bool)
	stop func()
	in   []byte
}

// piece is decoded bytes, or nil if the decoder needs more input.
type piece struct {
	data []byte
	err  error
}

// give passes data to the decoder. They must not change until more has returned nil.
func (u *unpacker) give(data []byte) {
	if u.next == nil {
		u.next, u.stop = iter.Pull(u.decode)
	}
	u.in = data
}

// more returns the next decoded bytes, at most blockSize. They are valid until the next call. It
// returns nil after the last ones. A record of 64 KiB may decode to gigabytes.
func (u *unpacker) more() ([]byte, error) {
	p, ok := u.next()
	if !ok {
		return nil, io.ErrClosedPipe
	}
	return p.data, p.err
}

// decode yields the output of the decoder.
func (u *unpacker) decode(yield func(piece) bool) {
	r := &pieces{u: u, yield: yield}
	d, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
	if err != nil {
		yield(piece{err: err})
		return
	}
	defer d.Close()
	buf := make([]byte, blockSize)
	for !r.ended {
		n, err := d.Read(buf)
		if n > 0 && !yield(piece{data: buf[:n]}) {
			return
		}
		if err != nil {
			if !r.ended {
				yield(piece{err: err})
			}
			return
		}
	}
}

func (u *unpacker) close() {
	if u.stop != nil {
		u.stop()
	}
}

// pieces provide the bytes for the decoder, which reads no more than it needs for a block.
type pieces struct {
	u     *unpacker
	yield func(piece) bool
	ended bool
}

func (r *pieces) Read(b []byte) (int, error) {
	for len(r.u.in) == 0 {
		if r.ended || !r.yield(piece{}) {
			r.ended = true
			return 0, io.ErrUnexpectedEOF
		}
	}
	n := copy(b, r.u.in)
	r.u.in = r.u.in[n:]
	return n, nil
}
