package ordered

import "sync"

// Buffers are reusable buffers. Unlike buffers of a sync.Pool they survive garbage collection, so
// they need not grow again. There are as many as there are blocks at a time. The zero value is
// ready to use.
type Buffers struct {
	Size int // capacity of new buffers. Unused capacity takes no memory; growing costs more.

	mu   sync.Mutex
	free []*[]byte
}

// Take returns a free buffer or a new one.
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

// Give returns a buffer for reuse.
func (b *Buffers) Give(buf *[]byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.free = append(b.free, buf)
}
