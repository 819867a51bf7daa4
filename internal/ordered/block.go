package ordered

import "io"

// MaxText is how much text a worker makes of a block. The text of the items that are left is made when it is the block's turn.
const MaxText = 4 << 20

// Room is what fits into a block.
type Room struct {
	Items int
	Bytes int // of their data
}

// Fits reports whether an item with so many bytes of data fits beside the items that are there, which have some bytes. The first one always does.
func (r Room) Fits(items, bytes, data int) bool {
	return items < r.Items && (bytes+data <= r.Bytes || items == 0)
}

// Block is items that follow each other, and what is made of them. The goroutine that walks copies into it all that it only borrows. What a block has takes as
// much memory as its room, or as the first item when that has more data, and MaxText and the text of an item. It is used again as it is.
type Block[T any] struct {
	_ Apart

	Items []T
	Data  []byte // of the items, one after the other
	Text  []byte // of the items
	Done  int    // how many of the items are in the text
	room  Room

	_ Apart
}

// MakeBlock returns an empty block.
func MakeBlock[T any](r Room) Block[T] {
	return Block[T]{Items: make([]T, 0, r.Items), Data: make([]byte, 0, r.Bytes), room: r}
}

// Reset empties a block.
func (b *Block[T]) Reset() {
	b.Items, b.Data, b.Text, b.Done = b.Items[:0], b.Data[:0], b.Text[:0], 0
}

// Fits reports whether one more item with so many bytes of data fits. See [Room.Fits].
func (b *Block[T]) Fits(data int) bool { return b.room.Fits(len(b.Items), len(b.Data), data) }

// Next returns where the item that comes next is put, with what was there before. It has to fit, and is one of the block when it is added.
func (b *Block[T]) Next() *T {
	n := len(b.Items)
	return &b.Items[:n+1][n]
}

// Add adds the item of Next, and returns a copy of its data.
func (b *Block[T]) Add(data []byte) []byte {
	b.Items = b.Items[:len(b.Items)+1]
	at := len(b.Data)
	b.Data = append(b.Data, data...)
	return b.Data[at:len(b.Data):len(b.Data)]
}

// Write writes the text of all items. What is not made yet is made by more, of one item or some at a time, so that it is never there as a whole.
func (b *Block[T]) Write(w io.Writer, more func()) error {
	for {
		if _, err := w.Write(b.Text); err != nil || b.Done == len(b.Items) {
			return err
		}
		b.Text = b.Text[:0]
		more()
	}
}
