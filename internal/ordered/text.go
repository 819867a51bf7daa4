package ordered

// waiting is how much text may wait for its turn, of all workers together.
const waiting = 64 << 20

// TextBytes is how much text there may be of a byte of a recording: with all columns, or with long
// names.
const TextBytes = 16

// Piece returns how many bytes of a recording one piece has: at most most, and less where many
// workers make pieces. See [Text].
func Piece(workers int, most int64) int64 {
	return int64(Text(workers, TextBytes*int(most)) / TextBytes)
}

// Text returns how much text is to be made of one piece: at most most bytes, and less where many
// workers make pieces, so that memory does not grow with their number. There is one piece for each
// of them, and one that waits to be written.
func Text(workers, most int) int { return min(most, waiting/(workers+1)) }
