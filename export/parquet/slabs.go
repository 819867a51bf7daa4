package parquet

import "sync"

// slabs holds free slices of written values. Later batches reuse them, since new ones cost more
// than a tenth of the work.
type slabs struct {
	narrow slabsOf[int32]
	wide   slabsOf[int64]
	ends   slabsOf[uint32]
	levels slabsOf[uint8]
	bytes  slabsOf[byte]
}

// slabsOf holds the free slices of one type, up to a number of values.
type slabsOf[T any] struct {
	mu   sync.Mutex
	free [][]T
	kept int
}

// mostKept bounds the number of free values of each type.
const mostKept = 256 << 10

// take returns an empty slice with a capacity of at least n values, but not many more.
func (s *slabsOf[T]) take(n int) []T {
	if n < slab {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	best := -1
	for i, f := range s.free {
		if cap(f) >= n && cap(f) <= 2*n && (best < 0 || cap(f) < cap(s.free[best])) {
			best = i
		}
	}
	if best < 0 {
		return make([]T, 0, n)
	}
	f := s.free[best]
	last := len(s.free) - 1
	s.free[best], s.free[last] = s.free[last], nil
	s.free = s.free[:last]
	s.kept -= cap(f)
	return f
}

// put takes back a slice that is not used any more.
func (s *slabsOf[T]) put(f []T) {
	if cap(f) < slab {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kept+cap(f) <= mostKept {
		s.free = append(s.free, f[:0])
		s.kept += cap(f)
	}
}

// grow reserves space in an empty column for a number of rows and bytes.
func (s *slabs) grow(c *column, rows, bytes int) {
	switch c.storage {
	case narrow:
		c.narrow = s.narrow.take(rows)
	case wide:
		c.wide = s.wide.take(rows)
	default:
		c.ends = s.ends.take(rows)
		c.bytes = s.bytes.take(bytes)
	}
	if c.optional {
		c.levels = s.levels.take(rows)
	}
}

// put takes back the memory of a batch.
func (s *slabs) put(b *batch) {
	for i := range b.columns {
		c := &b.columns[i]
		for c != nil {
			s.narrow.put(c.narrow)
			s.wide.put(c.wide)
			s.ends.put(c.ends)
			s.levels.put(c.levels)
			s.bytes.put(c.bytes)
			c = c.elem
		}
	}
	b.columns = nil
}
