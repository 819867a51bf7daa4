package ordered

// Workers are what workers of record.InSlices have each, such as a printer, made when they first
// ask for it: not all of them come to work.
type Workers[W any] struct {
	list []*W
	make func() (*W, error)
}

// MakeWorkers returns those of so many workers, and of the one beside them that reads again what
// began at the wrong place.
func MakeWorkers[W any](workers int, one func() (*W, error)) Workers[W] {
	return Workers[W]{make([]*W, workers+1), one}
}

// Of returns what a worker has. Each is for one goroutine at a time.
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
