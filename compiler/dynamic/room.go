package dynamic

import "github.com/tracec/tracec/internal/ordered"

// What a block of events holds. It is the same whatever reads the blocks, so that what is made of
// them is, too.
const (
	blockEvents = 4096
	blockBytes  = 256 << 10 // of data; one event may have more
)

// filled is what there is in a block.
type filled struct{ events, bytes int }

// take takes what an event needs. It returns false when the block is full, and from then on.
func (f *filled) take(data int) bool {
	data = aligned(data)
	if !(ordered.Room{Items: blockEvents, Bytes: blockBytes}).Fits(f.events, f.bytes, data) {
		f.end()
		return false
	}
	f.events++
	f.bytes += data
	return true
}

// end says that the block is full.
func (f *filled) end() { f.events = blockEvents }

// aligned rounds up to what the data of records is aligned to.
func aligned(n int) int { return (n + 7) &^ 7 }
