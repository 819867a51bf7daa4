package profile

// edges is a hash table of nodes by their parent and frame. It uses open addressing, since every
// call looks up its stack. The nodes hold the keys. The nodes of a stack are often neighbours in
// memory.
type edges struct {
	slots []int32 // node + 1; 0 marks a free slot
	used  int
	shift uint
}

func (e *edges) home(parent, frame int32) int {
	return int((uint64(uint32(parent))<<32 | uint64(uint32(frame))) * 0x9e3779b97f4a7c15 >> (e.shift & 63))
}

func (e *edges) find(nodes []node, parent, frame int32) (int32, bool) {
	if e.used == 0 {
		return 0, false
	}
	for i := e.home(parent, frame); ; i++ {
		n := e.slots[i&(len(e.slots)-1)] - 1
		if n < 0 {
			return 0, false
		}
		if x := &nodes[n]; x.parent == parent && x.frame == frame {
			return n, true
		}
	}
}

// add enters a node. There must be no other one with its parent and frame.
func (e *edges) add(nodes []node, n int32) {
	if 2*(e.used+1) > len(e.slots) {
		e.grow(nodes)
	}
	e.put(nodes, n)
}

func (e *edges) put(nodes []node, n int32) {
	i := e.home(nodes[n].parent, nodes[n].frame)
	for e.slots[i] != 0 {
		i = (i + 1) & (len(e.slots) - 1)
	}
	e.slots[i] = n + 1
	e.used++
}

func (e *edges) grow(nodes []node) {
	before := e.slots
	n := max(64, 2*len(before))
	e.slots, e.used, e.shift = make([]int32, n), 0, 64
	for ; n > 1; n /= 2 {
		e.shift--
	}
	for _, v := range before {
		if v != 0 {
			e.put(nodes, v-1)
		}
	}
}
