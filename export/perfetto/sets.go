package perfetto

import "iter"

// keySet is a set of addresses in insertion order. It cannot contain 0.
type keySet struct {
	slots []uint64 // hash table, at most half full; 0 marks a free slot
	list  []uint64
}

// add adds an address unless it is 0. It reports whether the address is new.
func (s *keySet) add(key uint64) bool {
	if 2*len(s.list) >= len(s.slots) {
		s.grow()
	}
	if key == 0 {
		return false
	}
	i := s.slot(key)
	if s.slots[i] == key {
		return false
	}
	s.slots[i] = key
	s.list = append(s.list, key)
	return true
}

// slot returns the slot of a key, or the free slot for it.
func (s *keySet) slot(key uint64) uint64 {
	mask := uint64(len(s.slots) - 1)
	i := key * 0x9e3779b97f4a7c15 >> 32 & mask
	for s.slots[i] != 0 && s.slots[i] != key {
		i = (i + 1) & mask
	}
	return i
}

func (s *keySet) grow() {
	s.slots = make([]uint64, max(64, 2*len(s.slots)))
	for _, key := range s.list {
		s.slots[s.slot(key)] = key
	}
}

func (s *keySet) reset() {
	if len(s.list) > 0 {
		clear(s.slots)
		s.list = s.list[:0]
	}
}

// taskSet is a set of threads, with any ids that Linux allows (include/linux/threads.h:
// PID_MAX_LIMIT).
type taskSet struct{ bits []uint64 }

const maxTask = 1 << 22

func (s *taskSet) add(task int32) {
	if uint32(task) >= maxTask {
		return
	}
	w := int(task >> 6)
	if w >= len(s.bits) {
		s.bits = append(s.bits, make([]uint64, w+1-len(s.bits))...)
	}
	s.bits[w] |= 1 << (task & 63)
}

func (s *taskSet) join(other taskSet) {
	for i, bits := range other.bits {
		if i >= len(s.bits) {
			s.bits = append(s.bits, other.bits[i:]...)
			return
		}
		s.bits[i] |= bits
	}
}

// all returns an iterator over the threads, in their order.
func (s *taskSet) all() iter.Seq[int32] {
	return func(yield func(int32) bool) {
		for i, bits := range s.bits {
			for bit := range 64 {
				if bits>>bit&1 != 0 && !yield(int32(i*64+bit)) {
					return
				}
			}
		}
	}
}
