package perf

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/tracec/tracec/internal/spool"
	"github.com/tracec/tracec/runtime/record"
)

// growth reports how far a file has been written. See [growing.File].
type growth interface {
	// Need returns the number of bytes from a place on. If there are fewer than n, it also returns
	// an error, which is record.ErrPending if more bytes may come.
	Need(at, n int64) (int64, error)
	// Seen returns the time when the file was last seen to have grown.
	Seen() time.Time
}

// grows reports whether the recording is still being written.
func (r *Recording) grows() bool { return r.pipe.live != nil }

// await waits until a file may have grown.
func (r *Recording) await() error {
	return r.pipe.live(context.Background()).Wait(record.DefaultPoll)
}

// Live implements record.Growing. It returns nil if the recording has ended.
func (s *Stream) Live() *record.Live { return s.live }

// Seen implements record.Growing.
func (s *Stream) Seen() time.Time {
	if s.file.grow == nil {
		return time.Time{}
	}
	return s.file.grow.Seen()
}

// end returns the offset up to which the file of a stream has been written.
func (s *Stream) end() int64 {
	if s.live != nil {
		return s.source.reached()
	}
	return s.file.to
}

// grown notes the final size of a file that has grown.
func (s *Stream) grown() {
	if s.live != nil {
		s.file.Size = s.source.reached()
	}
}

// A copied file is a copy of a pipe. It is read while it is being made.
type copied struct {
	file  *spool.File
	grown chan struct{} // has an element after the state has changed

	mu     sync.Mutex
	size   int64
	seen   time.Time
	err    error // error after the last byte
	closed bool
}

func newCopied(file *spool.File) *copied {
	return &copied{file: file, grown: make(chan struct{}, 1), seen: time.Now()}
}

// copy reads src to its end, or until the file is closed.
func (c *copied) copy(src io.Reader) {
	buf := make([]byte, blockSize)
	for {
		n, err := src.Read(buf)
		if !c.add(buf[:n], err) {
			return
		}
	}
}

// add adds bytes and the error after them. It reports whether more bytes may come.
func (c *copied) add(b []byte, err error) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return false
	}
	n, failed := c.file.WriteAt(b, c.size)
	if failed != nil {
		err = failed
	}
	c.size, c.seen, c.err = c.size+int64(n), time.Now(), err
	select {
	case c.grown <- struct{}{}:
	default:
	}
	return err == nil
}

// Need implements growth.
func (c *copied) Need(at, n int64) (int64, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	have := max(0, c.size-at)
	switch {
	case have >= n:
		return have, nil
	case c.err != nil:
		return have, c.err
	}
	return have, record.ErrPending
}

// Seen implements growth.
func (c *copied) Seen() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.seen
}

// failed returns the error of the pipe, or nil.
func (c *copied) failed() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if errors.Is(c.err, io.EOF) {
		return nil
	}
	return c.err
}

// live returns the state of the streams of one walk. ctx may be nil.
func (c *copied) live(ctx context.Context) *record.Live {
	if ctx == nil {
		ctx = context.Background()
	}
	return &record.Live{Delay: record.DefaultDelay, Wait: func(d time.Duration) error {
		t := time.NewTimer(d)
		defer t.Stop()
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-c.grown:
		case <-t.C:
		}
		return nil
	}}
}

// Close ends the copying after the next read from the pipe.
func (c *copied) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	return c.file.Close()
}
