// Package decoders holds the packages that a test of gen generated, for the drivers that compare
// them. The test writes a program that adds them.
package decoders

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/tracec/tracec/runtime/bind"
	"github.com/tracec/tracec/runtime/record"
)

// Generated is a generated package.
type Generated[E any] struct {
	Bind     func(record.Recording, ...bind.Option) (*bind.Decoder[E], error)
	Packages []bind.Package[E] // the package itself, or those of its groups
}

var generated = map[string]any{}

// Add adds a package by its name.
func Add[E any](name string, b func(record.Recording, ...bind.Option) (*bind.Decoder[E], error), packages ...bind.Package[E]) {
	generated[name] = &Generated[E]{b, packages}
}

// Of returns a package.
func Of[E any](name string) *Generated[E] { return generated[name].(*Generated[E]) }

// All requests all events of g, one by one, and calls unfit for events that cannot be decoded.
func (g *Generated[E]) All(unfit func(event string, err error)) []bind.Option {
	opts := []bind.Option{bind.Unfit(unfit)}
	for _, p := range g.Packages {
		for i := range p.Events {
			opts = append(opts, &p.Events[i])
		}
	}
	return opts
}

// BindTo returns a Decoder for records that src describes. It leaves out events that do not fit.
func (g *Generated[E]) BindTo(src bind.Source, opts ...bind.Option) *bind.Decoder[E] {
	opts = append([]bind.Option{bind.Unfit(func(string, error) {})}, opts...)
	d, err := bind.Bind(bind.Container[E]{Source: src}, g.Packages, opts...)
	if err != nil {
		panic(err)
	}
	return d
}

// Decode returns the struct that d decodes from a record. ok is false if r is a record of another
// event. If the record is too short, the struct is invalid as reported by [reflect.Value.IsValid].
func Decode[E any](d *bind.Decoder[E], r *record.Record, x *E) (v reflect.Value, ok bool) {
	switch ev := d.Decode(r, x); ev.(type) {
	case nil:
		return v, false
	case *bind.Short:
		return v, true
	default:
		v = reflect.ValueOf(ev).Elem()
	}
	if e := d.Event(r); e == nil || e.Type != v.Type().Name() {
		panic(fmt.Sprintf("%v is decoded as a %v", e, v.Type()))
	}
	return v, true
}

// Allocations returns the number of allocations of fn. It ignores one allocation in a single run,
// which may come from the Go runtime.
func Allocations(fn func()) float64 {
	n := testing.AllocsPerRun(1, fn)
	if n != 0 {
		n = testing.AllocsPerRun(100, fn)
	}
	return n
}
