package record

import (
	"errors"
	"reflect"
)

// failures are the errors that ended streams. An error that ended several streams, such as the
// error of a context, is listed once.
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

// stopped returns the joined errors of a walk that a callback ended with err.
func (f *failures) stopped(err error) error {
	if !errors.Is(err, ErrStop) {
		f.add(err)
	}
	return f.join()
}
