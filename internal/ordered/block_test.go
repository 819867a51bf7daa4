package ordered_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/tracec/tracec/internal/ordered"
)

// word is an item: data that a block has copied.
type word struct{ text []byte }

// pack copies words into a block while they fit, and returns their number.
func pack(b *ordered.Block[word], words [][]byte) int {
	b.Reset()
	for i, w := range words {
		if !b.Fits(len(w)) {
			return i
		}
		b.Items[b.N].text = b.Copy(w)
		b.N++
	}
	return len(words)
}

// spell makes the text of words until it has limit bytes.
func spell(b *ordered.Block[word], limit int) {
	for ; b.Done < b.N && len(b.Text) < limit; b.Done++ {
		b.Text = append(append(b.Text, b.Items[b.Done].text...), ' ')
	}
}

// TestBlock: a block takes items up to its capacity, and the text has all words in order. This also
// holds when the copied data is overwritten, when text is made late, and when words are larger than
// the block.
func TestBlock(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	room := ordered.Room{Items: 10, Bytes: 100}
	b := ordered.MakeBlock[word](room)
	for range 2000 {
		var words [][]byte
		var want, got bytes.Buffer
		for range 1 + r.IntN(15) {
			size := r.IntN(20)
			if r.IntN(10) == 0 {
				size = r.IntN(200)
			}
			words = append(words, bytes.Repeat([]byte{'a' + byte(r.IntN(26))}, size))
		}
		n, size := pack(&b, words), 0
		for _, w := range words[:n] {
			want.Write(append(w, ' '))
			size += len(w)
			clear(w)
		}
		switch full := n == room.Items || n < len(words) && size+len(words[n]) > room.Bytes; {
		case n == 0 || n > room.Items || size > room.Bytes && n > 1:
			t.Fatalf("%d words of %d bytes in a block", n, size)
		case n < len(words) && !full:
			t.Fatalf("only %d words of %d bytes in a block", n, size)
		}
		limit := 1 + r.IntN(100)
		spell(&b, limit)
		if err := b.Write(&got, func() { spell(&b, 1+r.IntN(50)) }); err != nil ||
			!bytes.Equal(got.Bytes(), want.Bytes()) {
			t.Fatalf("%q, %v; want %q", &got, err, &want)
		}
	}
}

// TestBlockWithoutText: a block without items, and one without text, are also written.
func TestBlockWithoutText(t *testing.T) {
	b := ordered.MakeBlock[word](ordered.Room{Items: 3, Bytes: 10})
	for n := range 4 {
		pack(&b, [][]byte{[]byte("a"), []byte("b"), []byte("c")}[:n])
		var got bytes.Buffer
		if err := b.Write(&got, func() { spell(&b, 1) }); err != nil || got.String() != "a b c "[:2*n] {
			t.Errorf("%d words: %q, %v", n, &got, err)
		}
	}
}

// failing is a writer that fails.
type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

func TestBlockWriteFails(t *testing.T) {
	b := ordered.MakeBlock[word](ordered.Room{Items: 3, Bytes: 10})
	pack(&b, [][]byte{[]byte("a")})
	full := errors.New("full")
	if err := b.Write(failing{full}, func() { t.Error("text of what nobody wants") }); err != full {
		t.Error(err)
	}
}

// TestBlockAllocations: filling a block again does not allocate.
func TestBlockAllocations(t *testing.T) {
	b := ordered.MakeBlock[word](ordered.Room{Items: 100, Bytes: 1000})
	words := make([][]byte, 100)
	for i := range words {
		words[i] = []byte("some word")
	}
	var out bytes.Buffer
	fill := func() {
		out.Reset()
		pack(&b, words)
		spell(&b, 500)
		if err := b.Write(&out, func() { spell(&b, 100) }); err != nil {
			t.Fatal(err)
		}
	}
	fill()
	if n := testing.AllocsPerRun(20, fill); n > 1 { // the closure that makes the rest
		t.Errorf("%v allocations for 100 words", n)
	}
}
