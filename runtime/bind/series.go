package bind

import (
	"fmt"
	"iter"
	"reflect"
	"unsafe"

	"github.com/tracec/tracec/runtime/record"
)

// Series yields a union of several events: a struct of which the first field is the kind of the event, a uint32 that counts from 1, and the others
// are pointers to the structs of events, in the order of the callbacks of a Decoder. The pointer to an event without values is one to its entry.
type Series[E, U any] struct {
	walk  *Walk[E]
	union U
	yield func(*record.Record, *U) bool
	err   error
}

// NewSeries returns a Series for w.
func NewSeries[E, U any](w *Walk[E]) *Series[E, U] { return &Series[E, U]{walk: w.orNew()} }

// Union returns the union.
func (s *Series[E, U]) Union() *U { return &s.union }

// All returns an iterator over what run passes to the callbacks that [Listen] has set. It is for one loop at a time.
func (s *Series[E, U]) All(run Run) iter.Seq2[*record.Record, *U] {
	return func(yield func(*record.Record, *U) bool) {
		do := run.Do
		if s.err != nil {
			do = func() (Stats, error) { return Stats{}, s.err }
		}
		s.yield = yield
		s.walk.through(do)
	}
}

// Member returns a Series for the events of one package of several: its union becomes a member of the one that all yields.
func Member[E, U, V any](all *Series[E, U], member **V) *Series[E, V] {
	s := NewSeries[E, V](all.walk)
	s.yield = func(r *record.Record, v *V) bool {
		*member = v
		goesOn := all.yield(r, &all.union)
		*member = nil
		return goesOn
	}
	return s
}

// Listen sets the callbacks of events to what yields them through s: of those of some kinds, of all when there are none. decoder points to a
// Decoder.
//
// It knows the types of callbacks and members by reflection alone: code for each event, generic or not, takes the compiler several times as
// long as all the rest of a package. Functions whose parameters differ in what these point to are called alike.
func Listen[E, U any, K ~uint32](s *Series[E, U], decoder any, kinds []K) {
	callbacks, union := reflect.ValueOf(decoder).Elem(), reflect.ValueOf(&s.union).Elem()
	events := union.NumField() - 1
	for k := 1; k <= events && len(kinds) == 0; k++ {
		s.listen(callbacks.Field(k-1), union.Field(k), uint32(k))
	}
	for _, k := range kinds {
		if k < 1 || int64(k) > int64(events) {
			s.err = fmt.Errorf("no event has the kind %d", k)
			return
		}
		s.listen(callbacks.Field(int(k)-1), union.Field(int(k)), uint32(k))
	}
}

// listen sets the callback of one event.
func (s *Series[E, U]) listen(callback, member reflect.Value, k uint32) {
	at := member.Addr().UnsafePointer()
	pass := func(r *record.Record, v unsafe.Pointer) error {
		*(*uint32)(unsafe.Pointer(&s.union)), *(*unsafe.Pointer)(at) = k, v
		goesOn := s.yield(r, &s.union)
		*(*unsafe.Pointer)(at) = nil
		return stop(goesOn)
	}
	set := callback.Addr()
	switch set := set.Interface().(type) {
	case *func(*record.Record) error:
		*set = func(r *record.Record) error { return pass(r, unsafe.Pointer(new(record.None))) }
		return
	case *func(*record.Record, *E) error:
		*set = func(r *record.Record, x *E) error {
			s.walk.entry = x
			return pass(r, unsafe.Pointer(x))
		}
		return
	}
	if callback.Type().NumIn() == 2 {
		*(*func(*record.Record, unsafe.Pointer) error)(set.UnsafePointer()) = pass
		return
	}
	*(*func(*record.Record, *E, unsafe.Pointer) error)(set.UnsafePointer()) = func(r *record.Record, x *E, v unsafe.Pointer) error {
		s.walk.entry = x
		return pass(r, v)
	}
}
