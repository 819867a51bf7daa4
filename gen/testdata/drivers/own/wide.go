package own

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"strings"
	"time"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/runtime/bind"
)

// widen gives some numbers of an event twice their bytes, or four times, and lays the fields out again, a tail last. It returns the fields that are wider.
func widen(rng *rand.Rand, ev *ir.Event) map[string]*ir.Field {
	wider, at := map[string]*ir.Field{}, 0
	for _, tail := range []bool{false, true} {
		for _, f := range ev.Fields {
			if (f.Kind == ir.Tail) != tail {
				continue
			}
			size := f.Size
			switch {
			case rng.IntN(2) == 0 || f.Text:
			case f.Kind == ir.Int && (size == 1 || size == 2 || size == 4):
				f.Size *= 2
				wider[f.Name] = f
			case f.Kind != ir.Int && (f.Elem == 2 || f.Elem == 4):
				if f.Kind == ir.Array {
					f.Size *= 2
				}
				f.Elem *= 2
				wider[f.Name] = f
			}
			f.Offset = at
			at += f.Size
		}
	}
	ev.Size = at
	return wider
}

// refused compares whether an event is bound with what types and tags of the struct say. It returns true if it is not.
func (c *comparison[E]) refused(i int, ev *ir.Event, wider map[string]*ir.Field) bool {
	err := c.missing[ev.Group+":"+ev.Name]
	s := c.structOf(i)
	wants := false
	for j := range s.NumField() {
		name, options, _ := strings.Cut(s.Field(j).Tag.Get("tracec"), ",")
		if f := wider[name]; f != nil && !strings.Contains(options, "narrow") {
			wants = wants || !holds(s.Field(j).Type, f)
		}
	}
	if wants != errors.Is(err, bind.ErrNarrow) || !wants && err != nil {
		c.differs("%s:%s: %v, want an error: %v", ev.Group, ev.Name, err, wants)
	}
	return err != nil
}

// holds reports whether a type holds all numbers of a field.
func holds(t reflect.Type, f *ir.Field) bool {
	if t == reflect.TypeFor[time.Duration]() || t.Kind() == reflect.Bool { // without narrow, of what is described as a bool
		return true
	}
	bits := 8 * f.Size
	if f.Kind != ir.Int {
		bits = 8 * f.Elem
		t = t.Elem()
	}
	have := t.Bits()
	switch t.Kind() {
	case reflect.Int, reflect.Uint, reflect.Uintptr:
		have = 32
	}
	switch t.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return have > bits || have == bits && f.Signed
	}
	return have >= bits && !f.Signed
}
