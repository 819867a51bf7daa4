package record

import (
	"errors"
	"reflect"
)

// Failures are the errors that streams ended with. One that ended several of them, such as that of a context, is one error.
type Failures []error

// Add adds an error.
func (f *Failures) Add(err error) {
	if reflect.TypeOf(err).Comparable() {
		for _, have := range *f {
			if have == err {
				return
			}
		}
	}
	*f = append(*f, err)
}

// Join returns the errors joined, nil when there are none.
func (f Failures) Join() error {
	if len(f) == 1 {
		return f[0]
	}
	return errors.Join(f...)
}

// stopped returns the errors of a walk that a callback ended with err.
func (f *Failures) stopped(err error) error {
	if !errors.Is(err, ErrStop) {
		f.Add(err)
	}
	return f.Join()
}
