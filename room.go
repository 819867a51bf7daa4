package tracec

import "github.com/tracec/tracec/internal/ordered"

// The size of a block of events does not depend on its reader, and thus the results do not either.
const (
	blockEvents = 4096
	blockBytes  = 256 << 10 // bytes of data; a single event may have more
)

// filled counts the contents of a block.
type filled struct{ events, bytes int }

// take reserves space for an event. It returns false if the block is full, and for all later
// events.
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

// end marks the block as full.
func (f *filled) end() { f.events = blockEvents }

// aligned rounds up to the alignment of record data.
func aligned(n int) int { return (n + 7) &^ 7 }
