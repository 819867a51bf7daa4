package input

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/tracec/tracec/internal/spool"
	"github.com/tracec/tracec/runtime/archive"
)

// headSize is large enough for the largest event and the next event. Streams without a magic number
// are recognized by these. soon suffices if no more data is available yet.
const (
	headSize = 8 << 10
	soon     = 1 << 10
)

// stream opens data that can be read only once. Packed data is copied to a temporary file.
func (o *opener) stream(r io.Reader) error {
	s := newStream(o.ctx, r, o.progress)
	o.in.closer = append(o.in.closer, s)
	head, err := o.head(s)
	if err != nil {
		return fmt.Errorf("%s: %w", o.in.Name, err)
	}
	again := io.MultiReader(bytes.NewReader(head), s)
	if archive.PackingOf(head) == nil && !archive.IsTar(head) {
		o.in.Stream = again
		if o.in.Kind = o.is(&Probe{Head: head}); o.in.Kind < 0 {
			o.in.what, o.in.named = describe(head)
		}
		return nil
	}
	var extent func(io.ReaderAt, int64) (int64, bool)
	if archive.PackingOf(head) == nil {
		extent = archive.Extent
	}
	f, size, cut, err := o.spool(again, extent)
	if err != nil {
		return err
	}
	if cut != nil && !errors.Is(cut, ErrRest) {
		return fmt.Errorf("%s: %w", o.in.Name, cut)
	}
	return o.file(&File{ReaderAt: f, Size: size}, cut)
}

// head reads the first bytes for recognizing a recording. For a growing recording, the available
// data must suffice.
func (o *opener) head(s io.Reader) ([]byte, error) {
	head := make([]byte, headSize)
	for n := 0; ; {
		m, err := s.Read(head[n:])
		n += m
		switch {
		case errors.Is(err, io.EOF):
			return head[:n], nil
		case err != nil:
			return nil, err
		case n == headSize, n >= soon && o.is(&Probe{Head: head[:n]}) >= 0, o.sure(&Probe{Head: head[:n]}):
			return head[:n], nil
		}
	}
}

// sure reports whether the kind is certain: by a magic number, or because the user named the kind
// and the data matches.
func (o *opener) sure(p *Probe) bool {
	const some = 64 // enough to recognize packed data
	return slices.ContainsFunc(o.kinds, func(k Kind) bool {
		switch {
		case k.Sure != nil && k.Sure(p):
			return true
		case k.Guess:
			return k.Said && len(p.Head) >= some && k.Detect(p)
		}
		return k.Detect(p)
	})
}

// maxUnpacked bounds copies: a file of a few KB can unpack to petabytes of zeros.
const maxUnpacked = 16 << 30

var errUnpacked = errors.New("unpacks to more than 16 GiB; the rest is left out; unpack it first")

// ErrRest reports that data after the end of a recording or an archive is ignored.
var ErrRest = errors.New("it ends here by its own sizes; the data after its end is ignored")

// spool copies r to a temporary file, completely or up to the extent of the recording. cut is the
// reason for stopping before the end of r.
func (o *opener) spool(
	r io.Reader, extent func(io.ReaderAt, int64) (int64, bool),
) (f *spool.File, size int64, cut, err error) {
	if f, err = spool.New(""); err != nil {
		return nil, 0, nil, err
	}
	o.in.closer = append(o.in.closer, f)
	bound := spool.Bound{Extent: extent}
	buf := make([]byte, 256<<10)
	for size < maxUnpacked {
		if err := o.ctx.Err(); err != nil {
			return nil, 0, nil, err
		}
		n, err := r.Read(buf)
		if _, err := f.Write(buf[:n]); err != nil {
			return nil, 0, nil, fmt.Errorf("%s: copy to a temporary file: %w", o.in.Name, err)
		}
		size += int64(n)
		switch {
		case errors.Is(err, io.EOF):
			return f, size, nil, nil
		case err != nil && o.ctx.Err() != nil:
			return nil, 0, nil, o.ctx.Err()
		case err != nil:
			return f, size, err, nil
		}
		if end, ok := bound.Reached(f, size); ok {
			return f, end, ErrRest, nil
		}
	}
	return f, size, errUnpacked, nil
}

// stream reads on its own goroutine, so that the end of a context ends the wait for a pipe.
type stream struct {
	ctx      context.Context
	stop     context.CancelFunc
	chunks   chan chunk // unbuffered: taking a chunk frees the previous one
	progress Progress
	done     int64
	rest     []byte
	err      error
}

type chunk struct {
	data []byte
	err  error
}

// NewReader returns a reader of r that ends with a context, even while r blocks. Close also ends
// it.
func NewReader(ctx context.Context, r io.Reader) io.ReadCloser {
	return newStream(ctx, r, func(int64, int64) {})
}

func newStream(ctx context.Context, r io.Reader, progress Progress) *stream {
	s := &stream{chunks: make(chan chunk), progress: progress}
	s.ctx, s.stop = context.WithCancel(ctx)
	go s.read(r)
	return s
}

func (s *stream) read(r io.Reader) {
	var buffers [2][64 << 10]byte // one is filled while the other is in use
	for i := 0; ; i ^= 1 {
		n, err := r.Read(buffers[i][:])
		select {
		case s.chunks <- chunk{buffers[i][:n], err}:
		case <-s.ctx.Done():
			return
		}
		if err != nil {
			return
		}
	}
}

// Read implements io.Reader.
func (s *stream) Read(p []byte) (int, error) {
	for len(s.rest) == 0 {
		if s.err != nil {
			return 0, s.err
		}
		select {
		case c := <-s.chunks:
			s.rest, s.err = c.data, c.err
			s.done += int64(len(c.data))
			s.progress(s.done, 0)
		case <-s.ctx.Done():
			s.err = s.ctx.Err()
		}
	}
	n := copy(p, s.rest)
	s.rest = s.rest[n:]
	return n, nil
}

// Close stops reading. It does not close the source.
func (s *stream) Close() error {
	s.stop()
	return nil
}
