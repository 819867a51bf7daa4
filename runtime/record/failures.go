package record

import (
	"errors"
	"reflect"
)

// failures are the errors that streams ended with. One that ended several of them, such as that of
// a context, is one error.
type failures []error

func (f *failures) add(err error) {
	if reflect.TypeOf(err).Comparable() {
		for _, have := range *f {
			if have == err {
				return
			}
		}
	}
	*f = append(*f, err)
}

func (f failures) join() error {
	if len(f) == 1 {
		return f[0]
	}
	return errors.Join(f...)
}

// stopped returns the errors of a walk that a callback ended with err.
func (f *failures) stopped(err error) error {
	if !errors.Is(err, ErrStop) {
		f.add(err)
	}
	return f.join()
}
