// Package progress counts the bytes of a recording that have been read.
package progress

import "sync/atomic"

// A Counter adds up the bytes that the streams of a recording have read. Any goroutine may call
// Position at any time. The zero value is ready for use.
type Counter struct {
	done, total atomic.Int64
	endless     atomic.Bool // a stream has an unknown size
}

// Position returns the number of bytes that have been read, and the total, which is 0 if unknown.
func (c *Counter) Position() (done, total int64) {
	done = c.done.Load()
	if !c.endless.Load() {
		total = c.total.Load()
		done = min(done, total) // parts of slices overlap a little
	}
	return done, total
}

// Share adds a stream of size bytes. A negative size means unknown.
func (c *Counter) Share(size int64) Share {
	if size < 0 {
		c.endless.Store(true)
	}
	c.total.Add(max(size, 0))
	return Share{counter: c, size: size}
}

// Part returns a share for a part of a stream that Share has added. Begin sets the beginning of the
// part.
func (c *Counter) Part() Share { return Share{counter: c, size: -1} }

// A Share is the progress of one stream. It is for the goroutine of the stream, which reports once
// per batch or block.
type Share struct {
	counter  *Counter
	at, size int64
}

// Begin sets the beginning of a part of a stream.
func (s *Share) Begin(n int64) { s.at = n }

// Reach reports that the stream has read its first n bytes. The position never decreases: bytes
// read again count once.
func (s *Share) Reach(n int64) {
	if s.size >= 0 {
		n = min(n, s.size)
	}
	if n > s.at && s.counter != nil {
		s.counter.done.Add(n - s.at)
		s.at = n
	}
}

// Read reports that the stream has read n bytes more.
func (s *Share) Read(n int64) { s.Reach(s.at + n) }

// End reports that the stream reads no more of its part.
func (s *Share) End() { s.Reach(max(s.size, s.at)) }
