package tracefs

import "os"

// A waker wakes goroutines that wait.
type waker struct{ r, w *os.File }

func newWaker() (*waker, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	return &waker{r, w}, nil
}

// fd is a file descriptor that is readable from the first wake on.
func (w *waker) fd() uintptr { return w.r.Fd() }

func (w *waker) wake() { w.w.Write([]byte{0}) }

func (w *waker) close() {
	w.r.Close()
	w.w.Close()
}
