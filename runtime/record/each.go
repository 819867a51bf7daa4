package record

import (
	"errors"
	"io"
)

// Each calls fn for every record in time order with its entry E, which next returns beside runs of records, until next
// fails or fn returns an error, which Each returns as it is; the end of the streams is no error. Containers offer it as
// Merged.Run.
func Each[E any](next func() ([]Record, []E, error), fn func(*Record, *E) error) error {
	for {
		run, entries, err := next()
		if err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		for i := range run {
			if err := fn(&run[i], &entries[i]); err != nil {
				return err
			}
		}
	}
}
