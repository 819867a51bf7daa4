package ordered

// waiting is the maximum size of waiting text, for all workers together.
const waiting = 64 << 20

// TextBytes is the maximum ratio of text to the size of a recording: with all columns, or with long
// names.
const TextBytes = 16

// Piece returns the number of bytes of a recording in one piece. It is at most most, and less for
// many workers. See [Text].
func Piece(workers int, most int64) int64 {
	return int64(Text(workers, TextBytes*int(most)) / TextBytes)
}

// Text returns the maximum size of the text of one piece. It is at most most bytes, and less for
// many workers, so that memory does not grow with their number. Each worker has one piece, and one
// more waits to be written.
func Text(workers, most int) int { return min(most, waiting/(workers+1)) }
