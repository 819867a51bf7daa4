package lttng

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// maxFields bounds the fields of one event, arrays included, as grammar/lttng does.
const maxFields = 1024

// maxNesting bounds types in types, which may name each other in a circle.
const maxNesting = 32

// maxSteps bounds the work for one event.
const maxSteps = 100_000

// describeFacility turns the description of a facility into formats of markers that lie as its events do. Numbers of fields are
// for arrays and structures: `comm[0] #1d%d`, `pos.x %d`. What a marker cannot hold (sequences, unions, floats) makes the format of its
// event one that nothing can be read by, and an error.
func describeFacility(file string, root *element, f facility, pad int) ([]definition, error) {
	fac := root.child("facility")
	if fac == nil {
		return builtIn[f.name], xmlError(file, root.line, "no element facility")
	}
	types := map[string]*element{}
	for _, c := range fac.children {
		if name := c.attrs["name"]; name != "" && c.name != "event" {
			types[name] = c
		}
	}
	var out []definition
	var bad []error
	for _, c := range fac.children {
		if c.name != "event" {
			continue
		}
		name := c.attrs["name"]
		if !isName(name) {
			bad = append(bad, xmlError(file, c.line, "%q is no name of an event", name))
			name = fmt.Sprintf("event %d", len(out))
		}
		if len(out) == maxEvents {
			return out, errors.Join(append(bad, xmlError(file, c.line, "more than %d events", maxEvents))...)
		}
		l := flattener{file: file, types: types, sizes: f.sizes, pad: pad}
		if err := l.event(c); err != nil {
			bad = append(bad, fmt.Errorf("event %s: %w", name, err))
			l.format = l.format[:min(len(l.format), 1000)] + " %{unknown}" // and what lies after it
		}
		if l.fields == 0 && l.format == "" {
			l.format = " "
		}
		out = append(out, definition{name, l.format})
	}
	return out, errors.Join(bad...)
}

// flattener writes the format of one event.
type flattener struct {
	file   string
	types  map[string]*element
	sizes  sizes
	pad    int
	format string
	fields int
	// at is the place of the next field, from the last place that is aligned as much as anything is: the start, or the end of
	// a string with its padding.
	at    int
	steps int // so far
}

// event takes the fields of an event: they are its children, or those of a structure.
func (l *flattener) event(e *element) error {
	if s := e.child("struct", "typeref"); s != nil && e.child("field") == nil {
		s, err := l.resolve(s, 0)
		if err != nil {
			return err
		}
		if s.name != "struct" {
			return xmlError(l.file, s.line, "an event that is no structure")
		}
		e = s
	}
	return l.members(e, "", 0)
}

// members takes the fields of a structure.
func (l *flattener) members(e *element, prefix string, depth int) error {
	for _, c := range e.children {
		if c.name != "field" {
			continue
		}
		name := c.attrs["name"]
		t := c.typ()
		switch {
		case !isName(name):
			return xmlError(l.file, c.line, "%q is no name of a field", name)
		case t == nil:
			return xmlError(l.file, c.line, "field %s has no type", name)
		}
		if err := l.add(prefix+name, t, depth); err != nil {
			return err
		}
	}
	return nil
}

// add takes one value.
func (l *flattener) add(name string, e *element, depth int) error {
	e, err := l.resolve(e, depth)
	if err != nil {
		return err
	}
	switch e.name {
	case "string":
		l.put(name, "%s")
		l.at = 0
		return nil
	case "struct":
		if err := l.begin(e, depth); err != nil {
			return err
		}
		return l.members(e, name+".", depth+1)
	case "array":
		n, err := strconv.ParseUint(e.attrs["size"], 0, 31)
		if err != nil || n > maxFields {
			return xmlError(l.file, e.line, "an array of %q elements, where up to %d can be shown", e.attrs["size"], maxFields)
		}
		of := e.typ()
		if of == nil {
			return xmlError(l.file, e.line, "an array of nothing")
		}
		for i := range n {
			if err := l.add(fmt.Sprintf("%s[%d]", name, i), of, depth+1); err != nil {
				return err
			}
		}
		return nil
	}
	conversion, size, err := l.scalar(e)
	if err != nil {
		return err
	}
	if l.fields >= maxFields {
		return xmlError(l.file, e.line, "more than %d fields", maxFields)
	}
	l.put(name, conversion)
	l.at = alignUp(l.at, l.align(size)) + size
	return nil
}

// put adds a conversion to the format.
func (l *flattener) put(name, conversion string) {
	if l.fields > 0 {
		l.format += " "
	}
	l.format += name + " " + conversion
	l.fields++
}

func (l *flattener) align(size int) int {
	if l.pad == 0 {
		return 1
	}
	return max(1, min(l.sizes.alignment, size))
}

// begin checks that a structure begins where its first field would without it. A format has no way to say more.
func (l *flattener) begin(e *element, depth int) error {
	whole, err := l.widest(e, depth)
	if err != nil {
		return err
	}
	if at := alignUp(l.at, whole); at != l.at {
		first, err := l.first(e, depth)
		if err != nil {
			return err
		}
		if alignUp(l.at, first) != at {
			return xmlError(l.file, e.line, "a structure with padding in front")
		}
	}
	return nil
}

// widest returns the largest alignment in a type.
func (l *flattener) widest(e *element, depth int) (int, error) {
	e, err := l.resolve(e, depth)
	if err != nil {
		return 1, err
	}
	most := 1
	switch e.name {
	case "string":
	case "struct", "array":
		for _, c := range e.children {
			if c.name == "description" {
				continue
			}
			if e.name == "struct" {
				if c = c.typ(); c == nil {
					continue
				}
			}
			n, err := l.widest(c, depth+1)
			if err != nil {
				return 1, err
			}
			most = max(most, n)
		}
	default:
		_, size, err := l.scalar(e)
		return l.align(size), err
	}
	return most, nil
}

// first returns the alignment of the first value in a type.
func (l *flattener) first(e *element, depth int) (int, error) {
	e, err := l.resolve(e, depth)
	if err != nil {
		return 1, err
	}
	switch e.name {
	case "string":
		return 1, nil
	case "array":
		if t := e.typ(); t != nil {
			return l.first(t, depth+1)
		}
		return 1, nil
	case "struct":
		if f := e.child("field"); f != nil && f.typ() != nil {
			return l.first(f.typ(), depth+1)
		}
		return 1, nil
	}
	_, size, err := l.scalar(e)
	return l.align(size), err
}

// resolve follows the names of types.
func (l *flattener) resolve(e *element, depth int) (*element, error) {
	for ; ; depth++ {
		if l.steps++; depth > maxNesting || l.steps > maxSteps { // also where types without fields double at each step
			return e, xmlError(l.file, e.line, "types within types without an end")
		}
		switch e.name {
		case "typeref":
			t := l.types[e.attrs["name"]]
			if t == nil {
				return e, xmlError(l.file, e.line, "type %q is not defined", e.attrs["name"])
			}
			e = t
		case "type", "typedef":
			t := e.typ()
			if t == nil {
				return e, xmlError(l.file, e.line, "type %q is empty", e.attrs["name"])
			}
			e = t
		default:
			return e, nil
		}
	}
}

// scalar returns the conversion of a number, and its size.
func (l *flattener) scalar(e *element) (conversion string, size int, err error) {
	plain := map[string]struct {
		conversion string
		size       int
	}{
		"char": {"#1d%d", 1}, "uchar": {"#1u%u", 1}, "short": {"%hd", 2}, "ushort": {"%hu", 2},
		"int": {"%d", l.sizes.int}, "uint": {"%u", l.sizes.int}, "enum": {"%d", l.sizes.int},
		"long": {"%ld", l.sizes.long}, "ulong": {"%lu", l.sizes.long}, "pointer": {"%p", l.sizes.pointer},
		"size_t": {"%zu", l.sizes.sizeT}, "ssize_t": {"%zd", l.sizes.sizeT}, "off_t": {"%zd", l.sizes.sizeT},
		"int_fixed": {}, "uint_fixed": {},
	}
	p, ok := plain[e.name]
	given := strings.TrimSpace(e.attrs["size"])
	switch {
	case !ok:
		return "", 0, xmlError(l.file, e.line, "a %s has no place in a format of a marker", e.name)
	case given == "" && p.size != 0:
		return p.conversion, p.size, nil
	}
	if e.name == "pointer" {
		if given != strconv.Itoa(p.size) {
			return "", 0, xmlError(l.file, e.line, "a pointer of %q bytes", given)
		}
		return p.conversion, p.size, nil
	}
	unsigned := strings.HasPrefix(e.name, "u") || e.name == "size_t"
	switch given {
	case "1", "2", "4", "8":
		size = int(given[0] - '0')
	default:
		return "", 0, xmlError(l.file, e.line, "%s of %q bytes", e.name, given)
	}
	letter, long := "d", ""
	if unsigned {
		letter = "u"
	}
	if size == 8 {
		long = "ll"
	}
	return "#" + given + letter + "%" + long + letter, size, nil
}
