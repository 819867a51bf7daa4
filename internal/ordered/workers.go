package ordered

// Workers hold a value for each worker of record.InSlices, such as a printer. A value is made on
// first use, since some workers may never run.
type Workers[W any] struct {
	list []*W
	make func() (*W, error)
}

// MakeWorkers returns Workers for workers workers, and one more that rereads slices which began at
// a wrong place.
func MakeWorkers[W any](workers int, one func() (*W, error)) Workers[W] {
	return Workers[W]{make([]*W, workers+1), one}
}

// Of returns the value of a worker, which is for one goroutine at a time.
func (w Workers[W]) Of(worker int) (*W, error) {
	if w.list[worker] == nil {
		made, err := w.make()
		if err != nil {
			return nil, err
		}
		w.list[worker] = made
	}
	return w.list[worker], nil
}
