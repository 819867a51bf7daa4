package ctf

import (
	"slices"

	"github.com/tracec/tracec/runtime/ctf/metadata"
)

// A Form describes the layout of an event in Record.Data: the fields of the event's context in its
// stream, of its own context and of its payload, one after another.
//
// If all fields have whole bytes and may begin at any byte, and all lengths are in Data, then Data
// is a part of the packet. This is so for all events of LTTng. Other events are unpacked. Their
// numbers are little-endian and have [Size] bytes. A text or blob with a length has that length
// before it, in 4 bytes. A list with a recorded length has its number of elements before it. Texts
// are in UTF-8. Nothing is aligned. Selects reports whether the selector of a variant or optional
// field is before the field, in 8 bytes.
type Form struct {
	Unpacked bool
	selects  map[*metadata.Class]bool
}

// Selects reports whether Data has the selector of a class directly before it. Otherwise the
// selector is an earlier number of the same structure or of one around it.
func (f *Form) Selects(c *metadata.Class) bool { return f.selects[c] }

// formOf returns the form of an event.
func formOf(scopes [3]*metadata.Class) *Form {
	f := &former{Form: Form{selects: map[*metadata.Class]bool{}}}
	f.around = [][]*metadata.Class{nil}
	for _, s := range scopes {
		if s == nil {
			continue
		}
		f.Unpacked = f.Unpacked || !whole(s)
		for _, m := range s.Members {
			f.class(m.Class)
			f.around[0] = append(f.around[0], m.Class)
		}
	}
	return &f.Form
}

// former looks for references to fields that are not within reach.
type former struct {
	Form
	around [][]*metadata.Class // earlier fields of the enclosing structures
}

func (f *former) class(c *metadata.Class) {
	if c.From != nil && !f.inReach(c.From) {
		f.Unpacked = true // the list then has a length before it
		if c.Kind == metadata.Variant || c.Kind == metadata.Optional {
			f.selects[c] = true
		}
	}
	if c.Kind == metadata.Struct {
		f.around = append(f.around, nil)
		for _, m := range c.Members {
			f.class(m.Class)
			last := len(f.around) - 1
			f.around[last] = append(f.around[last], m.Class)
		}
		f.around = f.around[:len(f.around)-1]
		return
	}
	for _, p := range parts(c) {
		f.class(p)
	}
}

// inReach reports whether a reference leads to exactly one number of the enclosing structures.
func (f *former) inReach(r *metadata.Reference) bool {
	return len(r.Fields) == 1 && slices.ContainsFunc(f.around,
		func(list []*metadata.Class) bool { return slices.Contains(list, r.Fields[0]) })
}
