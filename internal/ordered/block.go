package ordered

import "io"

// MaxText is the maximum size of the text that a worker prepares for a block. The text of the other
// items is made when the block is written.
const MaxText = 4 << 20

// firstText is the initial capacity for the text of a block. Growing takes more memory than unused
// capacity.
const firstText = 1 << 20

// A Room is the capacity of a block.
type Room struct {
	Items int
	Bytes int // bytes of their data
}

// Fits reports whether an item with data bytes fits in addition to the present items, which have
// bytes of data in total. The first item always fits.
func (r Room) Fits(items, bytes, data int) bool {
	return items < r.Items && (bytes+data <= r.Bytes || items == 0)
}

// A Block holds consecutive items and their text. The goroutine that fills it copies all borrowed
// data into it, up to the capacity, or a single item with more data. Workers that respect MaxText
// make at most that and the text of one item. The buffers keep their size, since blocks are reused,
// and few exist at a time.
type Block[T any] struct {
	_ Apart

	Items []T    // as many as the capacity
	N     int    // number of items in the block
	Data  []byte // data of the items, concatenated
	Text  []byte // text of the items
	Done  int    // number of items in the text
	bytes int    // capacity for data

	_ Apart
}

// MakeBlock returns an empty block.
func MakeBlock[T any](r Room) Block[T] {
	return Block[T]{Items: make([]T, r.Items), Data: make([]byte, 0, r.Bytes), Text: make([]byte, 0, firstText),
		bytes: r.Bytes}
}

// Reset empties a block. It keeps the memory of its items.
func (b *Block[T]) Reset() { b.N, b.Data, b.Text, b.Done = 0, b.Data[:0], b.Text[:0], 0 }

// Fits reports whether one more item with that many bytes of data fits. See [Room.Fits].
func (b *Block[T]) Fits(data int) bool {
	return Room{len(b.Items), b.bytes}.Fits(b.N, len(b.Data), data)
}

// Copy appends data to the data of the block, and returns the copy.
func (b *Block[T]) Copy(data []byte) []byte {
	at := len(b.Data)
	b.Data = append(b.Data, data...)
	return b.Data[at:len(b.Data):len(b.Data)]
}

// Write writes the text of all items. It calls more for missing text. more makes the text of one or
// several items, so that the whole text is never in memory.
func (b *Block[T]) Write(w io.Writer, more func()) error {
	for {
		if _, err := w.Write(b.Text); err != nil || b.Done == b.N {
			return err
		}
		b.Text = b.Text[:0]
		more()
	}
}
