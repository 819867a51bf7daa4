package perf

import "github.com/tracec/tracec/runtime/internal/memory"

// A window is the needed part of a sequence of bytes: from the first record that waits to be sorted
// to the last byte read. Places are offsets in the sequence.
type window struct {
	buf   []byte
	base  int64 // place of buf[0]
	at    int64 // of the next record
	keep  int64 // offset of the first needed byte
	lease *memory.Lease
}

// unread returns the bytes from the next record on.
func (w *window) unread() []byte { return w.buf[w.at-w.base:] }

// from returns the bytes from a place on.
func (w *window) from(at int64) []byte { return w.buf[at-w.base:] }

// room makes room for n more bytes. It moves the needed bytes to the front if they are fewer than
// the others, so that no byte is moved twice. The error is an error of the budget.
func (w *window) room(n int) error {
	if len(w.buf)+n <= cap(w.buf) {
		return nil
	}
	needed := w.from(w.keep)
	if len(needed) <= len(w.buf)-len(needed) && len(needed)+n <= cap(w.buf) {
		w.move(w.buf[:len(needed)])
		return nil
	}
	size := max(2*cap(w.buf), len(needed)+n)
	if err := w.lease.Swap(int64(cap(w.buf)), int64(size)); err != nil {
		return err
	}
	w.move(make([]byte, len(needed), size))
	return nil
}

// move copies the needed bytes to another place.
func (w *window) move(to []byte) {
	copy(to, w.from(w.keep))
	w.buf, w.base = to, w.keep
}

// skip passes n bytes, the last of which may not be in the window. It returns the number of missing
// bytes.
func (w *window) skip(n int64) (missing int64) {
	have := min(n, int64(len(w.unread())))
	w.at += have
	return n - have
}
