package dynamic

// What a block of events holds. It is the same whatever reads the blocks, so that what is made of them is, too.
const (
	blockEvents = 4096
	blockBytes  = 256 << 10 // of data; one event may have more
)

// room is what is free of a block.
type room struct{ events, bytes int }

var emptyBlock = room{blockEvents, blockBytes}

// take takes what an event needs. It returns false when the block is full, and from then on.
func (r *room) take(data int) bool {
	data = aligned(data)
	if r.events == 0 || data > r.bytes && r.events < blockEvents {
		r.events = 0
		return false
	}
	r.events--
	r.bytes -= data
	return true
}

// aligned rounds up to what the data of records is aligned to.
func aligned(n int) int { return (n + 7) &^ 7 }
