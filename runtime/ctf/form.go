package ctf

import (
	"slices"

	"github.com/tracec/tracec/runtime/ctf/metadata"
)

// A Form is how Record.Data has an event: the fields of the event's context in its stream, its own
// context and its payload, one after another.
//
// Where all fields are of whole bytes and may begin at any byte, and lengths are in Data, Data is a
// part of the packet. All events of LTTng are so. Others are unpacked. Then numbers are
// little-endian and have the bytes of [Size]. A text or blob of a length has that length before it,
// in 4 bytes, and a list whose length is recorded its number of elements. Texts are in UTF-8.
// Nothing is aligned. Selects tells of a variant or optional field whether its selector is before
// it, in 8 bytes.
type Form struct {
	Unpacked bool
	selects  map[*metadata.Class]bool
}

// Selects reports whether Data has the selector of a class directly before it. Otherwise the
// selector is an earlier number of the same structure or of one around it.
func (f *Form) Selects(c *metadata.Class) bool { return f.selects[c] }

// formOf finds the form of an event.
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

// former looks for references to fields that are out of reach.
type former struct {
	Form
	around [][]*metadata.Class // fields that are read before, of the structures around
}

func (f *former) class(c *metadata.Class) {
	if c.From != nil && !f.inReach(c.From) {
		f.Unpacked = true // a length is before the list then
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

// inReach reports whether a reference leads to one number of the structures around.
func (f *former) inReach(r *metadata.Reference) bool {
	return len(r.Fields) == 1 && slices.ContainsFunc(f.around,
		func(list []*metadata.Class) bool { return slices.Contains(list, r.Fields[0]) })
}
