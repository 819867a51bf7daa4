package markers

import (
	"errors"
	"io"

	"github.com/tracec/tracec/runtime/lttng"
)

// InTimeOrder dispatches all events of rec in time order. A file that cannot be read any further is left out from then on;
// the errors are joined.
func (b *Binding) InTimeOrder(rec *lttng.Recording) error {
	m := rec.Merge()
	defer m.Close()
	var errs []error
	for {
		records, entries, err := m.NextRun()
		if len(records) > 0 {
			b.Batch(records, entries)
		}
		if errors.Is(err, io.EOF) {
			return errors.Join(errs...)
		}
		if err != nil { // of one file, which fails once
			errs = append(errs, err)
		}
	}
}

// InStreamOrder dispatches the events of one file after the other, which is faster.
func (b *Binding) InStreamOrder(rec *lttng.Recording) error {
	var errs []error
	for _, s := range rec.Streams() {
		for {
			records, err := s.Next()
			if len(records) > 0 {
				b.Batch(records, s.Entries())
			} else if err == nil {
				err = io.ErrNoProgress
			}
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				errs = append(errs, err)
				break
			}
		}
		s.Close()
	}
	return errors.Join(errs...)
}
