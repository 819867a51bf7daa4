package ftrace

import (
	"errors"
	"sync"
)

// unpackers limits the goroutines that unpack chunks ahead of their streams. Each goroutine ends
// with its chunk. So a stream that is not read to its end leaves no goroutine.
type unpackers struct {
	turns chan struct{} // one token for each goroutine that may work at once
	all   *sync.WaitGroup
}

// unpackers returns the unpackers of a buffer's streams, or nil if they would have nothing to do.
func (b *Buffer) unpackers(opts *StreamOptions) *unpackers {
	n := opts.Parallel()
	if n <= 1 || !b.packed {
		return nil
	}
	return &unpackers{make(chan struct{}, n), &b.rec.work}
}

// ahead are the chunks of a stream that are unpacked or located in advance.
type ahead struct {
	*unpackers
	queue []*unpacked
	idle  []*unpacked // for reuse
	now   *unpacked   // the last result of next
	ended bool        // the last header of the queue may be the end
}

// unpacked is a chunk in the queue. While a goroutine works on it, no other code touches it.
type unpacked struct {
	chunk
	buf   []byte
	data  []byte
	err   error // of the header or of the data
	short bool  // there was no memory for it

	working bool // done gets a value when data, err and short are set
	done    chan struct{}
	work    func()
}

// queued is next with chunks that are unpacked ahead. Its results, including damage, equal the
// results of single.
func (c *chunks) queued() ([]byte, int64, error) {
	a := &c.ahead
	if a.now != nil {
		a.idle = append(a.idle, a.now)
	}
	if len(a.queue) == 0 { // the first chunk, or memory was short
		c.ask(true)
	}
	u := a.queue[0]
	a.queue = a.queue[:copy(a.queue, a.queue[1:])]
	a.now = u
	for !a.ended && len(a.queue) < 2*cap(a.turns) && c.ask(false) {
		continue
	}
	a.ended = a.ended && len(a.queue) > 0
	u.wait()
	if u.short {
		c.release()
		u.buf, u.err = c.grow(u.buf, u.plain)
		if u.err == nil {
			u.data, u.err = c.unpack(&u.chunk, u.buf)
		}
		if u.err != nil {
			u.err = c.lost(&u.chunk, u.err)
		}
	}
	return u.data, u.at, u.err
}

// wait waits for the goroutine that works on a chunk.
func (u *unpacked) wait() {
	if u.working {
		<-u.done
		u.working = false
	}
}

// release frees the memory of all chunks that have not been returned yet. They will be unpacked
// again.
func (c *chunks) release() {
	for _, u := range c.ahead.queue {
		if u.working {
			u.wait()
			u.data, u.err, u.short = nil, nil, true
		}
		c.drop(u)
	}
	for _, u := range c.ahead.idle {
		c.drop(u)
	}
}

func (c *chunks) drop(u *unpacked) {
	c.lease.Swap(int64(cap(u.buf)), 0) // reducing never fails
	u.buf = nil
}

// ask puts the next chunk into the queue and starts to unpack it. If the chunk is not needed now
// and there is no memory for it, ask leaves it and returns false.
func (c *chunks) ask(needed bool) bool {
	off, n := c.cur.off, c.n
	u := c.slot()
	u.chunk, u.err = c.locate()
	u.data, u.short = nil, false
	if u.err == nil {
		if needed || c.waiting()+u.plain <= c.rec.pool.share.ahead {
			var err error
			u.buf, err = c.grow(u.buf, u.plain)
			u.short = err != nil
		} else {
			u.short = true
		}
		if u.short && !needed {
			c.ahead.idle = append(c.ahead.idle, u)
			c.cur.off, c.n = off, n
			return false
		}
	} else {
		c.ahead.ended = true
	}
	c.ahead.queue = append(c.ahead.queue, u)
	if u.err == nil && !u.short {
		u.working = true
		c.ahead.all.Add(1)
		go u.work()
	}
	return true
}

// slot returns an idle chunk or a new one.
func (c *chunks) slot() *unpacked {
	a := &c.ahead
	if i := len(a.idle) - 1; i >= 0 {
		u := a.idle[i]
		a.idle = a.idle[:i]
		return u
	}
	u := &unpacked{done: make(chan struct{}, 1)}
	u.work = func() { // created once, because a go statement with arguments allocates
		defer a.all.Done()
		a.turns <- struct{}{}
		if !c.rec.closed.Load() { // otherwise nobody waits for it
			c.fetch(u)
		}
		<-a.turns
		u.done <- struct{}{}
	}
	return u
}

// fetch unpacks a chunk whose buffer is allocated.
func (c *chunks) fetch(u *unpacked) {
	if u.data, u.err = c.unpack(&u.chunk, u.buf); u.err != nil {
		u.short = errors.Is(u.err, ErrLimit)
		u.err = c.lost(&u.chunk, u.err)
	}
}

// waiting returns the number of bytes in the queue.
func (c *chunks) waiting() (n int64) {
	for _, u := range c.ahead.queue {
		n += u.plain
	}
	return n
}
