package parquet

import (
	"slices"

	pq "github.com/parquet-go/parquet-go"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/columns"
)

// get returns a value of an event. It returns false if the event lacks it. level is the number of
// structures around the value that are present, among the structures that may be missing.
type get func(ev *tracec.Event) (v tracec.Value, level uint8, ok bool)

// valueFields returns the columns of a value. A structure becomes the columns of its members. A
// list of structures becomes one list for each member.
func valueFields(d *tracec.Field, optional bool, of get) []*field {
	optional = optional || d.Optional
	var list []*field
	switch {
	case d.Kind == tracec.Struct && len(d.Fields) > 0:
		names := columnNames{}
		for i := range d.Fields {
			name := names.number(d.Fields[i].Name)
			for _, f := range valueFields(&d.Fields[i], optional, member(of, i, optional)) {
				f.within, f.around = slices.Insert(f.within, 0, name), slices.Insert(f.around, 0, optional)
				list = append(list, f)
			}
		}
	case isList(d):
		for _, e := range listElements(d, optional) {
			list = append(list, listField(e, of))
		}
	default:
		list = []*field{scalarField(d, of)}
	}
	for _, f := range list {
		f.optional, f.name = optional || f.optional, d.Name
		if f.within == nil {
			f.decl = d.Decl
		}
	}
	return list
}

// member returns member i of a structure, which may be missing if it is optional.
func member(of get, i int, optional bool) get {
	return func(ev *tracec.Event) (v tracec.Value, level uint8, ok bool) {
		if v, level, ok = of(ev); !ok {
			return v, level, false
		}
		if optional {
			level++
		}
		v, ok = v.At(i)
		return v, level, ok
	}
}

// scalarField returns the column of a value other than a list of values or a structure with
// members. Other values with parts are JSON.
func scalarField(d *tracec.Field, of get) *field {
	f := &field{bits: ofPut}
	put := f.scalar(d)
	f.put = func(ev *tracec.Event, c *column) bool {
		v, level, ok := of(ev)
		if !ok {
			return c.orNullIn(level)
		}
		put(c, v)
		return true
	}
	return f
}

// scalar sets the type of f for values of d. It returns the function that appends one.
func (f *field) scalar(d *tracec.Field) func(c *column, v tracec.Value) {
	if d.Kind == tracec.Struct || d.Kind == tracec.List {
		f.storage, f.node = text, pq.JSON()
		return func(c *column, v tracec.Value) {
			c.bytes = columns.AppendValue(c.bytes, d, v)
			c.endText()
		}
	}
	f.shape(d.Kind, d.Size)
	f.declare(d)
	return f.putter(d.Kind)
}

// element is a column for values in the elements of a list.
type element struct {
	*field
	path []int // place of the value in an element: the indexes of members
	// put appends the value. It returns false if a required value in it is missing.
	put func(c *column, v tracec.Value) bool
}

// isList reports whether the values of d become lists. Lists of structures without members do not.
func isList(d *tracec.Field) bool {
	switch {
	case d.Kind != tracec.List:
		return false
	case d.Elem == tracec.List:
		return isList(&d.Fields[0])
	}
	return d.Elem != tracec.Struct || len(d.Fields) > 0
}

// listElements returns the columns of the elements of a list. With optional, all values in
// structures may be null.
func listElements(d *tracec.Field, optional bool) (list []element) {
	switch d.Elem {
	case tracec.Struct:
		return elementFields(d.Fields, nil, optional)
	case tracec.List:
		for _, e := range listElements(&d.Fields[0], optional) {
			list = append(list, e.inList())
		}
		return list
	}
	e := element{field: &field{}}
	e.shape(d.Elem, d.Size)
	e.take(e.putter(d.Elem))
	return []element{e}
}

// take sets put to a function that always succeeds.
func (e *element) take(put func(c *column, v tracec.Value)) {
	e.put = func(c *column, v tracec.Value) bool {
		put(c, v)
		return true
	}
}

// inList returns the column of lists of e.
func (e *element) inList() element {
	return element{
		field: &field{storage: repeated, node: pq.List(e.node), elem: e.field, bits: ofPut},
		put:   e.putAll,
	}
}

// putAll appends a list of values.
func (e *element) putAll(c *column, v tracec.Value) bool {
	before := c.elem.len()
	for i := range v.Len() {
		x, level, ok := e.of(v.Elem(i))
		if ok {
			ok = e.put(c.elem, x)
		} else {
			ok = c.elem.orNullIn(level)
		}
		if !ok {
			c.elem.truncate(before)
			return false
		}
	}
	c.endList()
	return true
}

// elementFields returns the columns of the members of elements. With optional, all of them may be
// null, since a record may end in an element.
func elementFields(members []tracec.Field, path []int, optional bool) (list []element) {
	names := columnNames{}
	for i := range members {
		m, at := &members[i], append(slices.Clone(path), i)
		name, optional := names.number(m.Name), optional || m.Optional
		switch {
		case m.Kind == tracec.Struct && len(m.Fields) > 0:
			inner := elementFields(m.Fields, at, optional)
			for _, e := range inner {
				e.member, e.around = slices.Insert(e.member, 0, name), slices.Insert(e.around, 0, optional)
			}
			list = append(list, inner...)
		case isList(m):
			for _, inner := range listElements(m, optional) {
				e := inner.inList()
				e.member, e.optional, e.path = []string{name}, optional, at
				list = append(list, e)
			}
		default:
			e := element{field: &field{member: []string{name}, optional: optional}, path: at}
			e.take(e.scalar(m))
			e.names = nil // elements have no column of names
			list = append(list, e)
		}
	}
	return list
}

// listField returns the column of lists of e.
func listField(e element, of get) *field {
	e.bits = ofPut
	f := e.inList().field
	f.put = func(ev *tracec.Event, c *column) bool {
		v, level, ok := of(ev)
		if !ok {
			return c.orNullIn(level)
		}
		return e.putAll(c, v)
	}
	return f
}

// of returns the value in an element of a list; see get.
func (e *element) of(v tracec.Value) (_ tracec.Value, level uint8, ok bool) {
	ok = true
	for n, i := range e.path {
		if n > 0 && e.around[n-1] {
			level++
		}
		if v, ok = v.At(i); !ok {
			break
		}
	}
	return v, level, ok
}
