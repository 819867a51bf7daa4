package own

import (
	"errors"
	"math/rand/v2"
	"strings"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/runtime/bind"
)

// widen makes some numbers of an event two or four times as wide, and lays the fields out again,
// with a tail last. It returns the wider fields.
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

// refused reports whether an event is not bound. It compares this with the fields of the struct.
func (c *comparison[E]) refused(i int, ev *ir.Event, wider map[string]*ir.Field) bool {
	err := c.missing[ev.Group+":"+ev.Name]
	s := c.structOf(i)
	wants := false
	for j := range s.NumField() {
		name, _, _ := strings.Cut(s.Field(j).Tag.Get("tracec"), ",")
		wants = wants || wider[name] != nil
	}
	c.texts++
	if wants != errors.Is(err, bind.ErrNarrow) || !wants && err != nil {
		c.differs("%s:%s: %v, want an error: %v", ev.Group, ev.Name, err, wants)
	}
	return err != nil
}
