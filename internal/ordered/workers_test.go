package ordered_test

import (
	"errors"
	"testing"

	"github.com/tracec/tracec/internal/ordered"
)

// TestWorkers: the value of a worker is made once, on first use, and so is the additional one.
// After an error the next use makes it again.
func TestWorkers(t *testing.T) {
	made, fails := 0, errors.New("no")
	w := ordered.MakeWorkers(3, func() (*int, error) {
		made++
		if made == 2 {
			return nil, fails
		}
		n := made
		return &n, nil
	})
	for _, c := range []struct {
		worker, want int
		err          error
	}{{3, 1, nil}, {3, 1, nil}, {0, 0, fails}, {0, 3, nil}, {1, 4, nil}, {3, 1, nil}, {0, 3, nil}} {
		switch got, err := w.Of(c.worker); {
		case err != c.err:
			t.Errorf("worker %d: error %v, want %v", c.worker, err, c.err)
		case err == nil && *got != c.want:
			t.Errorf("worker %d has what was made as number %d, want %d", c.worker, *got, c.want)
		}
	}
}
