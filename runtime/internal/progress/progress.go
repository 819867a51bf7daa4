// Package progress counts how much of a recording has been read.
package progress

import "sync/atomic"

// Counter adds up what the streams of a recording have read, in bytes. Any goroutine may ask it at
// any time. The zero value is ready for use.
type Counter struct {
	done, total atomic.Int64
	endless     atomic.Bool // one of the streams has no known size
}

// Position returns how many bytes have been read, and how many there are to read: 0 when that is
// not known.
func (c *Counter) Position() (done, total int64) {
	done = c.done.Load()
	if !c.endless.Load() {
		total = c.total.Load()
		done = min(done, total) // parts have a little in common
	}
	return done, total
}

// Share adds a stream of so many bytes, negative when that is not known.
func (c *Counter) Share(size int64) Share {
	if size < 0 {
		c.endless.Store(true)
	}
	c.total.Add(max(size, 0))
	return Share{counter: c, size: size}
}

// Part returns what reads some of a stream that Share has added: from where Begin says on.
func (c *Counter) Part() Share { return Share{counter: c, size: -1} }

// Share is what one stream reads. It is for the goroutine of the stream, which reports once a batch
// or a block.
type Share struct {
	counter  *Counter
	at, size int64
}

// Begin reports where a part of a stream begins.
func (s *Share) Begin(n int64) { s.at = n }

// Reach reports that the stream has read its first n bytes. It never goes back: what is read again
// counts once.
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
