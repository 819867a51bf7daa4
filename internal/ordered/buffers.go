package ordered

import "sync"

// Buffers are buffers that are used again and again. Unlike those of a sync.Pool they are not given
// up when garbage is collected, after which they would grow anew: it is for as many as there are
// blocks at a time. The zero value is ready.
type Buffers struct {
	Size int // of new ones. What is not used of it takes no memory, and to grow takes more than to be large.

	mu   sync.Mutex
	free []*[]byte
}

// Take returns a buffer that is free, or a new one.
func (b *Buffers) Take() *[]byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	last := len(b.free) - 1
	if last < 0 {
		text := make([]byte, 0, b.Size)
		return &text
	}
	text := b.free[last]
	b.free = b.free[:last]
	return text
}

// Give makes a buffer free.
func (b *Buffers) Give(buf *[]byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.free = append(b.free, buf)
}
