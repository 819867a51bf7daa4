package bind

import (
	"fmt"
	"iter"
	"reflect"

	"github.com/tracec/tracec/runtime/record"
)

// Iterator goes through the records of one event. E is what the container knows of a record beside [record.Record], T the generated struct.
type Iterator[E, T any] struct {
	run   func() error
	yield func(*record.Record, *T) bool
	entry *E
	err   error
}

// Each returns an Iterator over the records that run hands to the callback of T. decoder points to a generated Decoder, whose first fields are
// its callbacks; run is to run it. A T that has no callback is an error of the Iterator.
func Each[E, T any](decoder any, run func() error) *Iterator[E, T] {
	it := &Iterator[E, T]{run: run}
	if !it.listen(reflect.ValueOf(decoder).Elem()) {
		it.err = fmt.Errorf("%T is not an event of %T", *new(T), decoder)
	}
	return it
}

// listen sets the callback of T in a Decoder, or in one of the Decoders in it. It returns false if there is none.
func (it *Iterator[E, T]) listen(decoder reflect.Value) bool {
	for i := range decoder.NumField() {
		f := decoder.Field(i)
		if !f.CanSet() {
			continue
		}
		switch callback := f.Addr().Interface().(type) {
		case *func(*record.Record, *T) error:
			*callback = func(r *record.Record, e *T) error { return it.next(r, nil, e) }
			return true
		case *func(*record.Record, *E, *T) error:
			*callback = it.next
			return true
		}
		if f.Kind() == reflect.Struct && it.listen(f) {
			return true
		}
	}
	return false
}

func (it *Iterator[E, T]) next(r *record.Record, x *E, e *T) error {
	it.entry = x
	if !it.yield(r, e) {
		return record.ErrStop
	}
	return nil
}

// All returns an iterator over the records and the event in them. Both are valid until the next ones. After the loop, Err returns what went
// wrong.
func (it *Iterator[E, T]) All() iter.Seq2[*record.Record, *T] {
	return func(yield func(*record.Record, *T) bool) {
		if it.err == nil {
			it.yield = yield
			it.err = it.run()
		}
	}
}

// Entry returns what the container knows of the current record, nil where that is nothing. It is valid as long as the record.
func (it *Iterator[E, T]) Entry() *E { return it.entry }

// Err returns the error of the walk: what cannot be bound, streams that failed, a context that is done.
func (it *Iterator[E, T]) Err() error { return it.err }
