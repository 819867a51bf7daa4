package ordered

// waiting is how much text may wait for its turn, of all workers together.
const waiting = 64 << 20

// Text returns how much text is to be made of one piece: at most most bytes, and less where many workers make pieces, so that memory does not grow with their
// number. There is one piece for each of them, and one that waits to be written.
func Text(workers, most int) int { return min(most, waiting/(workers+1)) }
