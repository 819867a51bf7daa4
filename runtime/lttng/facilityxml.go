package lttng

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// maxFields limits the fields of one event, including the members of structures, as grammar/lttng
// does.
const maxFields = 1024

// maxNesting limits nested types, which may name each other in a circle.
const maxNesting = 32

// maxSteps limits the work for one event.
const maxSteps = 100_000

// describeFacility reads the description of a facility. It may return both events and an error. The
// events with errors have the error and no fields.
func describeFacility(file string, root *element, d describer) ([]definition, error) {
	fac := root.child("facility")
	if fac == nil {
		return nil, xmlError(file, root.line, "no element facility")
	}
	d.file, d.types = file, map[string]*element{}
	for _, c := range fac.children {
		if name := c.attrs["name"]; name != "" && c.name != "event" {
			d.types[name] = c
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
			bad = append(bad, xmlError(file, c.line, "invalid name of an event: %q", name))
			name = fmt.Sprintf("event %d", len(out))
		}
		if len(out) == maxEvents {
			return out, errors.Join(append(bad, xmlError(file, c.line, "more than %d events", maxEvents))...)
		}
		d.fields, d.steps = 0, 0
		fields, err := d.event(c)
		if err != nil {
			fields, err = nil, fmt.Errorf("event %s: %w", name, err)
			bad = append(bad, err)
		} else if fields == nil {
			fields = []Field{} // known: the event has no fields
		}
		out = append(out, definition{name: name, fields: fields, err: err})
	}
	return out, errors.Join(bad...)
}

// describer reads the fields of the events of a facility.
//
// Numbers are laid out as in markers. A structure or a union begins at a multiple of the largest
// alignment of its members. A sequence begins at one of the alignments of its count and its
// elements. C compilers and the writers of the era laid them out like this. A structure without
// members of variable size also ends at such a multiple. In traces that do not align there is no
// padding.
type describer struct {
	file  string
	types map[string]*element
	sizes sizes
	pad   int  // alignment of the place after a string or a sequence; 0 if fields are packed
	swap  bool // floats are in the other byte order
	// fields and steps count the work done for the current event.
	fields, steps int
}

// event reads the fields of an event or of a structure, which are its children.
func (d *describer) event(e *element) ([]Field, error) {
	if s := e.child("struct", "typeref"); s != nil && e.child("field") == nil {
		s, err := d.resolve(s, 0)
		if err != nil {
			return nil, err
		}
		if s.name != "struct" {
			return nil, xmlError(d.file, s.line, "an event that is not a structure")
		}
		e = s
	}
	return d.members(e, 0)
}

// members reads the fields of a structure.
func (d *describer) members(e *element, depth int) (fields []Field, err error) {
	total := 0
	for _, c := range e.children {
		if c.name != "field" {
			continue
		}
		name := c.attrs["name"]
		t := c.typ()
		switch {
		case !isName(name):
			return nil, xmlError(d.file, c.line, "invalid name of a field: %q", name)
		case t == nil:
			return nil, xmlError(d.file, c.line, "field %s has no type", name)
		}
		f, err := d.field(t, depth)
		if err != nil {
			return nil, err
		}
		if total += max(f.Size, 0); total > maxEvent {
			return nil, xmlError(d.file, c.line, "more than %d bytes", maxEvent)
		}
		f.Name = name
		fields = append(fields, f)
	}
	return fields, nil
}

// field reads a type.
func (d *describer) field(e *element, depth int) (f Field, err error) {
	if e, err = d.resolve(e, depth); err != nil {
		return f, err
	}
	if d.fields++; d.fields > maxFields {
		return f, xmlError(d.file, e.line, "more than %d fields", maxFields)
	}
	switch e.name {
	case "string":
		return Field{Kind: String, Align: 1, PadAfter: d.pad, Source: "string"}, nil
	case "struct":
		return d.structure(e, depth)
	case "union":
		return d.union(e, depth)
	case "array":
		return d.array(e, depth)
	case "sequence":
		return d.sequence(e, depth)
	}
	return d.scalar(e)
}

func (d *describer) structure(e *element, depth int) (f Field, err error) {
	f = Field{Kind: Struct, Align: 1}
	if f.Fields, err = d.members(e, depth+1); err != nil {
		return f, err
	}
	for i := range f.Fields {
		m := &f.Fields[i]
		f.Align = max(f.Align, m.Align)
		if f.Size >= 0 && m.Fixed() {
			f.Size = alignUp(f.Size, m.Align) + m.Size
		} else {
			f.Size = -1
		}
	}
	if f.Size > 0 {
		f.Size = alignUp(f.Size, f.Align)
	}
	f.Source = "{" + declare(f.Fields) + "}"
	return f, nil
}

func (d *describer) union(e *element, depth int) (f Field, err error) {
	f = Field{Kind: Union, Align: 1}
	if f.Fields, err = d.members(e, depth+1); err != nil {
		return f, err
	}
	for i := range f.Fields {
		m := &f.Fields[i]
		if !m.Fixed() {
			return f, xmlError(d.file, e.line, "a union with %s, which has no fixed size", m.Name)
		}
		f.Align, f.Size = max(f.Align, m.Align), max(f.Size, m.Size)
	}
	f.Size = alignUp(f.Size, f.Align)
	f.Source = "union{" + declare(f.Fields) + "}"
	return f, nil
}

func (d *describer) array(e *element, depth int) (Field, error) {
	n, err := strconv.ParseUint(strings.TrimSpace(e.attrs["size"]), 0, 31)
	if err != nil || n > maxElements {
		return Field{}, xmlError(d.file, e.line, "an array of %q elements, where there can be up to %d",
			e.attrs["size"], maxElements)
	}
	types := e.types()
	if len(types) == 0 {
		return Field{}, xmlError(d.file, e.line, "an array without a type")
	}
	of, err := d.element(types[0], depth)
	if err != nil {
		return Field{}, err
	}
	f := Field{Kind: Array, Count: int(n), Align: of.Align, Fields: []Field{of}, Size: -1}
	if of.Fixed() {
		size := int64(n) * int64(f.stride())
		if size > maxEvent {
			return f, xmlError(d.file, e.line, "an array of %d bytes: no event has more than %d", size, maxEvent)
		}
		f.Size = int(size)
	}
	f.Source = fmt.Sprintf("%s[%d]", of.Source, n)
	return f, nil
}

// sequence reads a sequence: the type of its count and the type of its elements.
func (d *describer) sequence(e *element, depth int) (Field, error) {
	types := e.types()
	if len(types) != 2 {
		return Field{}, xmlError(d.file, e.line, "a sequence of %d types (want the type of its length and the type of its elements)", len(types))
	}
	count, err := d.field(types[0], depth+1)
	if err != nil {
		return Field{}, err
	}
	if count.Kind != Integer {
		return Field{}, xmlError(d.file, e.line, "a sequence with a length that is not an integer")
	}
	of, err := d.element(types[1], depth)
	if err != nil {
		return Field{}, err
	}
	return Field{
		Kind: Sequence, Size: count.Size, Signed: count.Signed, Align: max(count.Align, of.Align), PadAfter: d.pad,
		Fields: []Field{of},
		Source: fmt.Sprintf("%s[%s]", of.Source, count.Source),
	}, nil
}

// maxElements limits arrays, as the programs of package ir limit loops.
const maxElements = 1 << 16

// element reads the type of elements. It must have a size: otherwise their number would be
// unlimited.
func (d *describer) element(e *element, depth int) (Field, error) {
	f, err := d.field(e, depth+1)
	if err == nil && !f.hasBytes() {
		err = xmlError(d.file, e.line, "elements of no size")
	}
	return f, err
}

// resolve follows the names of types.
func (d *describer) resolve(e *element, depth int) (*element, error) {
	for ; ; depth++ {
		if d.steps++; depth > maxNesting || d.steps > maxSteps { // types without fields can also double at each step
			return e, xmlError(d.file, e.line, "types within types without an end")
		}
		switch e.name {
		case "typeref":
			t := d.types[e.attrs["name"]]
			if t == nil {
				return e, xmlError(d.file, e.line, "type %q is not defined", e.attrs["name"])
			}
			e = t
		case "type", "typedef":
			t := e.typ()
			if t == nil {
				return e, xmlError(d.file, e.line, "type %q is empty", e.attrs["name"])
			}
			e = t
		default:
			return e, nil
		}
	}
}

// scalar reads the type of a number.
func (d *describer) scalar(e *element) (Field, error) {
	s := d.sizes
	sizes := map[string]int{
		"char": 1, "uchar": 1, "short": 2, "ushort": 2, "int": s.int, "uint": s.int, "enum": s.int, "long": s.long,
		"ulong":   s.long,
		"pointer": s.pointer, "size_t": s.sizeT, "ssize_t": s.sizeT, "off_t": s.sizeT, "int_fixed": 0, "uint_fixed": 0,
		"float": 0,
	}
	size, ok := sizes[e.name]
	given := strings.TrimSpace(e.attrs["size"])
	switch {
	case !ok:
		return Field{}, xmlError(d.file, e.line, "unknown type %s", e.name)
	case given == "" && size > 0 || e.name == "pointer" && given == strconv.Itoa(size):
	case e.name != "pointer" && (given == "4" || given == "8" || e.name != "float" && (given == "1" || given == "2")):
		size = int(given[0] - '0')
	default:
		return Field{}, xmlError(d.file, e.line, "%s of %q bytes", e.name, given)
	}
	f := Field{Size: size, Align: 1}
	if d.pad != 0 {
		f.Align = max(1, min(s.alignment, size))
	}
	letter := "i"
	switch {
	case e.name == "float":
		f.Kind, f.Swapped, letter = Float, d.swap, "f"
	case e.name == "pointer":
		f.Pointer, letter = true, "p"
	case strings.HasPrefix(e.name, "u") || e.name == "size_t":
		letter = "u"
	default:
		f.Signed = true
	}
	f.Source = letter + strconv.Itoa(8*size)
	return f, nil
}

// declare returns a readable declaration of fields: `fd u32, name string, comm i8[16], id {a i16, b
// i64}`.
func declare(fields []Field) string {
	var b strings.Builder
	for i := range fields {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(fields[i].Name + " " + fields[i].Source)
	}
	return b.String()
}
