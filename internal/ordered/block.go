package ordered

import "io"

// MaxText is how much text a worker makes of a block. The text of the items that are left is made
// when it is the block's turn.
const MaxText = 4 << 20

// firstText is how much text a block has room for at first: to grow takes more memory than room
// that is not used.
const firstText = 1 << 20

// Room is what fits into a block.
type Room struct {
	Items int
	Bytes int // of their data
}

// Fits reports whether an item with so many bytes of data fits beside the items that are there,
// which have some bytes. The first one always does.
func (r Room) Fits(items, bytes, data int) bool {
	return items < r.Items && (bytes+data <= r.Bytes || items == 0)
}

// Block is items that follow each other, and the text that is made of them. The goroutine that
// walks copies into it all that it only borrows, as much as there is room for, or one item that has
// more data. Workers that heed MaxText make no more than that and the text of one item. The buffers
// stay as large as they were needed: a block is used again, and there are few at a time.
type Block[T any] struct {
	_ Apart

	Items []T    // as many as there is room for
	N     int    // how many of them are in the block
	Data  []byte // of these, one after the other
	Text  []byte // of these
	Done  int    // how many are in the text
	bytes int    // of the room

	_ Apart
}

// MakeBlock returns an empty block.
func MakeBlock[T any](r Room) Block[T] {
	return Block[T]{Items: make([]T, r.Items), Data: make([]byte, 0, r.Bytes), Text: make([]byte, 0, firstText), bytes: r.Bytes}
}

// Reset empties a block. What its items were is still there.
func (b *Block[T]) Reset() { b.N, b.Data, b.Text, b.Done = 0, b.Data[:0], b.Text[:0], 0 }

// Fits reports whether one more item with so many bytes of data fits. See [Room.Fits].
func (b *Block[T]) Fits(data int) bool {
	return Room{len(b.Items), b.bytes}.Fits(b.N, len(b.Data), data)
}

// Copy adds data to that of the block, and returns the copy.
func (b *Block[T]) Copy(data []byte) []byte {
	at := len(b.Data)
	b.Data = append(b.Data, data...)
	return b.Data[at:len(b.Data):len(b.Data)]
}

// Write writes the text of all items. What is not made yet is made by more, of one item or some at
// a time, so that it is never there as a whole.
func (b *Block[T]) Write(w io.Writer, more func()) error {
	for {
		if _, err := w.Write(b.Text); err != nil || b.Done == b.N {
			return err
		}
		b.Text = b.Text[:0]
		more()
	}
}
