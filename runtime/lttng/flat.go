package lttng

import (
	"fmt"
	"strconv"
)

// Flat returns the fields as values one after another, as generated decoders have them: Integer,
// Float, String, Bytes, and Sequence of elements of one byte. No two names are the same: a second x
// is `x 2`, and a field without a name is called by its position, `field 1` the first. Members of
// structures are `id.x`, elements of arrays `comm[0]`. A union, floats in the other byte order and
// an array of more elements than a program has variables are Bytes. The alignment of a value
// includes the padding of structures before it.
//
// A sequence of other elements is not such a value, nor is an array of very many strings: a marker
// that has one has an error.
func (m *Marker) Flat() ([]Field, error) {
	if m.state.broken != nil {
		return nil, m.state.broken
	}
	f := flattener{out: make([]Field, 0, len(m.Fields)), taken: make(map[string]bool, len(m.Fields)), align: 1}
	for i := range m.Fields {
		name := m.Fields[i].Name
		if name == "" {
			name = "field " + strconv.Itoa(i+1)
		}
		f.add(&m.Fields[i], name)
	}
	return f.out, f.err
}

// flattener lists values.
type flattener struct {
	out   []Field
	taken map[string]bool
	align int // the place of the next value is a multiple of this, whatever its own alignment is
	err   error
}

func (l *flattener) add(f *Field, name string) {
	l.align = max(l.align, f.Align)
	switch f.Kind {
	case Struct:
		for i := range f.Fields {
			l.add(&f.Fields[i], name+"."+f.Fields[i].Name)
		}
		if f.fixed() {
			l.align = max(l.align, f.Align)
		}
		return
	case Array:
		if leaves := f.leaves(); len(l.out)+leaves <= maxFields {
			for i := range f.Count {
				l.add(&f.Fields[0], fmt.Sprintf("%s[%d]", name, i))
			}
			return
		}
		if !f.fixed() {
			l.fail(f, name)
		}
	case Sequence:
		if e := &f.Fields[0]; e.Kind != Integer || e.Size != 1 || f.Size > 4 {
			l.fail(f, name)
		}
	}
	l.put(f, name)
}

func (l *flattener) fail(f *Field, name string) {
	if l.err == nil {
		l.err = fmt.Errorf("field %s is %s: generated decoders do not read elements of that kind", name, f.Source)
	}
}

// put lists one value.
func (l *flattener) put(f *Field, name string) {
	v := *f
	v.Name = name
	for k := 2; l.taken[v.Name]; k++ {
		v.Name = fmt.Sprintf("%s %d", name, k)
	}
	l.taken[v.Name] = true
	if v.Kind == Array || v.Kind == Union || v.Swapped {
		v = Field{Name: v.Name, Kind: Bytes, Size: v.Size, Source: v.Source, Count: f.widest()}
	}
	v.Align = l.align
	l.align = 1
	if v.Kind == Sequence {
		l.align = max(1, v.PadAfter)
	}
	l.out = append(l.out, v)
}

// widest returns the size of the largest number in a field.
func (f *Field) widest() int {
	if f.Kind == Integer || f.Kind == Float {
		return f.Size
	}
	n := 1
	for i := range f.Fields {
		n = max(n, f.Fields[i].widest())
	}
	return n
}

// leaves returns the number of values of a field, or more than an event has.
func (f *Field) leaves() int {
	n := 1
	switch f.Kind {
	case Struct:
		n = 0
		for i := range f.Fields {
			n = min(n+f.Fields[i].leaves(), maxFields+1)
		}
	case Array:
		n = min(f.Count*f.Fields[0].leaves(), maxFields+1)
	}
	return n
}
