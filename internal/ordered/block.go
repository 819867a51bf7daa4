package ordered

import "io"

// Block holds what one goroutine has found, in order, until another one makes text of it. What has to be printed in turn, by the goroutine that
// finds, is between.
type Block[X any] struct {
	_ Apart

	// Text is what was printed in turn. The goroutine that fills the block appends to it; what it has at a call of Hold comes before what is held.
	Text []byte

	held []held[X]
	room int
	data []byte
	out  []byte // the text of all
	done int    // how many of held are in it; one more when the end of Text is

	_ Apart
}

type held[X any] struct {
	what X
	text int32 // how much of Text comes before; ^text of what is joined with what follows
}

// before returns how much of Text comes before, and whether it is joined with what follows.
func (h *held[X]) before() (text int32, joined bool) {
	if h.text < 0 {
		return ^h.text, true
	}
	return h.text, false
}

const (
	// blockBytes are of data, and of text that was printed in turn.
	blockBytes = 512 << 10
	// blockText is how much text a worker makes of a block. Long names make more; the rest is made when its turn comes.
	blockText = 4 << 20
)

// NewBlock returns an empty block with room for n.
func NewBlock[X any](n int) Block[X] {
	return Block[X]{held: make([]held[X], 0, n), room: n, data: make([]byte, 0, blockBytes/8)}
}

// Reset empties the block.
func (b *Block[X]) Reset() {
	b.Text, b.held, b.data, b.out, b.done = b.Text[:0], b.held[:0], b.data[:0], b.out[:0], 0
}

// Empty reports whether nothing is in the block.
func (b *Block[X]) Empty() bool { return len(b.held) == 0 && len(b.Text) == 0 }

// Full reports whether the block should hold no more. It is not full after what is joined with what follows.
func (b *Block[X]) Full() bool {
	n := len(b.held)
	return (n >= b.room || len(b.data)+len(b.Text) >= blockBytes) && (n == 0 || b.held[n-1].text >= 0)
}

// Hold returns a place for what comes next, which has what was there before. What is joined must be in one text with what is held next.
func (b *Block[X]) Hold(joined bool) *X {
	n := len(b.held)
	if n == cap(b.held) {
		b.held = append(b.held, held[X]{})
	}
	b.held = b.held[:n+1]
	h := &b.held[n]
	if h.text = int32(len(b.Text)); joined {
		h.text = ^h.text
	}
	return &h.what
}

// Complete says that what was held last is not joined with what follows after all.
func (b *Block[X]) Complete() {
	h := &b.held[len(b.held)-1]
	h.text, _ = h.before()
}

// Span is where bytes are in a block.
type Span struct {
	at, n int32 // at is -1 for nil
}

// Keep copies bytes into the block.
func (b *Block[X]) Keep(data []byte) Span {
	if data == nil {
		return Span{at: -1}
	}
	s := Span{int32(len(b.data)), int32(len(data))}
	b.data = append(b.data, data...)
	return s
}

// Bytes returns bytes that were kept.
func (b *Block[X]) Bytes(s Span) []byte {
	if s.at < 0 {
		return nil
	}
	return b.data[s.at : s.at+s.n : s.at+s.n]
}

// Print makes text of what is held, as much as a worker makes at once.
func (b *Block[X]) Print(line func(dst []byte, what *X) []byte) { b.print(blockText, line) }

func (b *Block[X]) print(limit int, line func([]byte, *X) []byte) {
	all, done := b.held, b.done
	out, from, open := b.out, int32(0), false
	if done > 0 {
		from, _ = all[done-1].before()
	}
	for done < len(all) && (open || len(out) < limit) {
		h := &all[done]
		text, joined := h.before()
		if text > from {
			out = append(out, b.Text[from:text]...)
			from = text
		}
		out, open = line(out, &h.what), joined
		done++
	}
	if done == len(all) && len(out) < limit {
		out = append(out, b.Text[from:]...)
		done++
	}
	b.out, b.done = out, done
}

// Write writes the text. What there is no text of yet is printed by line, which may be called on another goroutine than Print was.
func (b *Block[X]) Write(w io.Writer, line func(dst []byte, what *X) []byte) error {
	for {
		if _, err := w.Write(b.out); err != nil {
			return err
		}
		b.out = b.out[:0]
		if b.done > len(b.held) {
			return nil
		}
		b.print(blockText/32, line)
	}
}
