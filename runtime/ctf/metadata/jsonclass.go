package metadata

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/tracec/tracec/grammar/tsdl"
)

// fieldClass is a field class in JSON. Each type has some of the properties.
type fieldClass struct {
	Type       string          `json:"type"`
	Extensions json.RawMessage `json:"extensions"`
	bitProperties
	numberProperties
	lengthProperties
	Members []struct {
		Name  *string         `json:"name"`
		Field json.RawMessage `json:"field-class"`
	} `json:"member-classes"`
	Element          json.RawMessage `json:"element-field-class"`
	Field            json.RawMessage `json:"field-class"`
	SelectorLocation *location       `json:"selector-field-location"`
	SelectorRanges   []bounds        `json:"selector-field-ranges"`
	Options          []struct {
		Name   string          `json:"name"`
		Field  json.RawMessage `json:"field-class"`
		Ranges []bounds        `json:"selector-field-ranges"`
	} `json:"options"`
}

// bitProperties are the properties of what has a number of bits.
type bitProperties struct {
	ByteOrder string `json:"byte-order"`
	BitOrder  string `json:"bit-order"`
	Alignment uint64 `json:"alignment"`
	Minimum   uint64 `json:"minimum-alignment"`
	Roles     []Role `json:"roles"`
}

// numberProperties are the properties of integers and bit maps.
type numberProperties struct {
	Base     *int                `json:"preferred-display-base"`
	Mappings map[string][]bounds `json:"mappings"`
	Flags    map[string][]bounds `json:"flags"`
}

// lengthProperties are the properties of what has a length, and of texts and blobs.
type lengthProperties struct {
	Length         *uint64   `json:"length"`
	LengthLocation *location `json:"length-field-location"`
	Encoding       string    `json:"encoding"`
	Media          string    `json:"media-type"`
}

// location is where a length or a selector is.
type location struct {
	Origin string    `json:"origin"`
	Path   []*string `json:"path"`
}

// bounds are both ends of a range.
type bounds [2]json.Number

// encodings are the encodings by name.
var encodings = map[string]Encoding{"": UTF8, "utf-8": UTF8, "utf-16be": UTF16BE, "utf-16le": UTF16LE, "utf-32be": UTF32BE, "utf-32le": UTF32LE}

// class reads a field class, or the name of one. property says where it is, for messages.
func (r *jsonReader) class(text json.RawMessage, property string, depth int) *Class {
	if r.budget--; r.budget < 0 || depth > tsdl.MaxNesting {
		r.report(r.pos, "%s has more than %d classes or %d levels", property, maxClasses, tsdl.MaxNesting)
		return nil
	}
	if text = bytes.TrimSpace(text); len(text) > 0 && text[0] == '"' {
		var name string
		if r.decode(text, &name) != nil {
			return nil
		}
		alias, ok := r.aliases[name]
		if !ok {
			r.report(r.pos, "%s: no field class is called %q", property, name)
			return nil
		}
		return r.class(alias, property, depth+1)
	}
	var f fieldClass
	if len(text) == 0 {
		r.report(r.pos, "%s is missing", property)
		return nil
	}
	if r.decode(text, &f) != nil {
		return nil
	}
	if e := bytes.TrimSpace(f.Extensions); len(e) > 0 && string(e) != "{}" {
		r.report(r.pos, "%s has extensions, whose meaning is unknown", property)
		return nil
	}
	b := builder{r: r, f: &f, c: &Class{Align: 1, Roles: f.Roles}, property: property, depth: depth}
	if !b.build() {
		return nil
	}
	return b.c
}

// builder makes a Class of one field class.
type builder struct {
	r        *jsonReader
	f        *fieldClass
	c        *Class
	property string
	depth    int
}

// fail reports an error. Its result is false.
func (b *builder) fail(format string, args ...any) bool {
	b.r.report(b.r.pos, "%s: %s", b.property, fmt.Sprintf(format, args...))
	return false
}

// bitKinds are the types with a number of bits.
var bitKinds = map[string]Kind{
	"fixed-length-bit-array": BitArray, "fixed-length-bit-map": BitMap, "fixed-length-boolean": Bool,
	"fixed-length-unsigned-integer": Int, "fixed-length-signed-integer": Int, "fixed-length-floating-point-number": Float,
}

func (b *builder) build() bool {
	if kind, ok := bitKinds[b.f.Type]; ok {
		b.c.Kind = kind
		return b.bits() && b.number()
	}
	switch b.f.Type {
	case "variable-length-unsigned-integer", "variable-length-signed-integer":
		b.c.Kind, b.c.Align = Varint, 8
		return b.number()
	case "null-terminated-string", "static-length-string", "dynamic-length-string":
		return b.text()
	case "static-length-blob", "dynamic-length-blob":
		b.c.Kind, b.c.Align, b.c.Media = Blob, 8, b.f.Media
		if b.c.Media == "" {
			b.c.Media = "application/octet-stream"
		}
		return b.length(b.f.Type == "dynamic-length-blob")
	case "structure":
		return b.structure()
	case "static-length-array", "dynamic-length-array":
		return b.array()
	case "optional":
		return b.optional()
	case "variant":
		return b.variant()
	}
	return b.fail("the type %q has no known meaning", b.f.Type)
}

// bits reads size, order and alignment.
func (b *builder) bits() bool {
	f, c := b.f, b.c
	switch {
	case f.Length == nil || *f.Length < 1 || *f.Length > 64:
		return b.fail("a length of 1 to 64 bits is missing")
	case c.Kind == Float && *f.Length != 16 && *f.Length != 32 && *f.Length != 64:
		return b.fail("a floating-point number of %d bits: 16, 32 and 64 are read", *f.Length)
	}
	c.Bits = int(*f.Length)
	switch f.ByteOrder {
	case "big-endian":
		c.Order.BigEndian = true
	case "little-endian":
	default:
		return b.fail("the byte order is big-endian or little-endian, not %q", f.ByteOrder)
	}
	switch f.BitOrder {
	case "":
	case "first-to-last":
		c.Order.Reversed = c.Order.BigEndian
	case "last-to-first":
		c.Order.Reversed = !c.Order.BigEndian
	default:
		return b.fail("the bit order is first-to-last or last-to-first, not %q", f.BitOrder)
	}
	return b.align(f.Alignment)
}

// align raises the alignment to a power of two, or leaves it if n is 0.
func (b *builder) align(n uint64) bool {
	if n > math.MaxInt32 || n&(n-1) != 0 {
		return b.fail("an alignment of %d bits: it is a power of two", n)
	}
	b.c.Align = max(b.c.Align, int(n))
	return true
}

// number reads what integers and bit maps have beyond their bits.
func (b *builder) number() bool {
	f, c := b.f, b.c
	if c.Kind != Int && c.Kind != Varint && c.Kind != BitMap {
		return true
	}
	c.Signed = f.Type == "fixed-length-signed-integer" || f.Type == "variable-length-signed-integer"
	if c.Base = 10; f.Base != nil {
		c.Base = *f.Base
	}
	if !slices.Contains([]int{2, 8, 10, 16}, c.Base) {
		return b.fail("a base of %d: it is 2, 8, 10 or 16", c.Base)
	}
	labels := f.Mappings
	if c.Kind == BitMap {
		if labels = f.Flags; labels == nil {
			return b.fail("a bit map has flags")
		}
	}
	if labels != nil {
		c.Labels = []Label{}
	}
	for _, name := range sortedKeys(labels) {
		ranges, ok := b.ranges(labels[name], c.Signed)
		if !ok {
			return false
		}
		c.Labels = append(c.Labels, Label{Name: name, Ranges: ranges})
	}
	return true
}

// ranges reads ranges of values.
func (b *builder) ranges(list []bounds, signed bool) ([]Range, bool) {
	ranges := make([]Range, len(list))
	for i, x := range list {
		first, ok1 := bitsOf(x[0], signed)
		last, ok2 := bitsOf(x[1], signed)
		ranges[i] = Range{First: first, Last: last}
		if !ok1 || !ok2 || !ranges[i].Has(first, signed) {
			return nil, b.fail("the range from %s to %s is none", x[0], x[1])
		}
	}
	return ranges, true
}

// bitsOf are the bits of an integer. Negative ones are for signed ranges alone.
func bitsOf(n json.Number, signed bool) (uint64, bool) {
	if signed {
		x, err := strconv.ParseInt(string(n), 10, 64)
		return uint64(x), err == nil
	}
	x, err := strconv.ParseUint(string(n), 10, 64)
	return x, err == nil
}

// text reads the three kinds of strings.
func (b *builder) text() bool {
	encoding, ok := encodings[b.f.Encoding]
	if !ok {
		return b.fail("the encoding %q is none of utf-8, utf-16be, utf-16le, utf-32be and utf-32le", b.f.Encoding)
	}
	b.c.Kind, b.c.Align, b.c.Encoding = String, 8, encoding
	if b.f.Type == "null-terminated-string" {
		return true
	}
	b.c.Kind = Text
	return b.length(b.f.Type == "dynamic-length-string")
}

// length reads a length, or where it is.
func (b *builder) length(dynamic bool) bool {
	if dynamic {
		return b.from(b.f.LengthLocation, "length-field-location")
	}
	if b.f.Length == nil {
		return b.fail("the length is missing")
	}
	b.c.Length = *b.f.Length
	return true
}

// origins are the scopes by name.
var origins = map[string]Scope{
	"packet-header": PacketHeader, "packet-context": PacketContext, "event-record-header": EventHeader,
	"event-record-common-context": EventContext, "event-record-specific-context": SpecificContext, "event-record-payload": Payload,
}

// from reads where a length or a selector is.
func (b *builder) from(l *location, property string) bool {
	if l == nil || len(l.Path) == 0 || l.Path[len(l.Path)-1] == nil {
		return b.fail("%s is missing, or has no name at its end", property)
	}
	p := path{}
	if l.Origin != "" {
		scope, ok := origins[l.Origin]
		if !ok {
			return b.fail("the origin %q of %s is unknown", l.Origin, property)
		}
		p.absolute, p.scope = true, scope
	}
	for _, name := range l.Path {
		switch {
		case name != nil:
			p.names = append(p.names, *name)
		case len(p.names) > 0 || p.absolute:
			return b.fail("%s goes up after it went down", property)
		default:
			p.up++
		}
	}
	b.c.From = &Reference{path: p}
	return true
}

func (b *builder) structure() bool {
	c := b.c
	c.Kind = Struct
	if !b.align(b.f.Minimum) {
		return false
	}
	names := map[string]bool{}
	for i, m := range b.f.Members {
		if m.Name == nil || names[*m.Name] {
			return b.fail("member %d has no name of its own", i)
		}
		names[*m.Name] = true
		x := b.r.class(m.Field, b.property+"."+*m.Name, b.depth+1)
		if x == nil {
			return false
		}
		c.Members = append(c.Members, Member{Name: *m.Name, Class: x, raw: *m.Name})
		c.Align = max(c.Align, x.Align)
	}
	return true
}

func (b *builder) array() bool {
	b.c.Kind = Array
	if b.c.Element = b.r.class(b.f.Element, b.property+"[]", b.depth+1); b.c.Element == nil || !b.align(b.f.Minimum) {
		return false
	}
	b.c.Align = max(b.c.Align, b.c.Element.Align)
	return b.length(b.f.Type == "dynamic-length-array")
}

func (b *builder) optional() bool {
	b.c.Kind = Optional
	if b.c.Element = b.r.class(b.f.Field, b.property+"?", b.depth+1); b.c.Element == nil || !b.from(b.f.SelectorLocation, "selector-field-location") {
		return false
	}
	var ok bool
	b.c.Ranges, ok = b.selected(b.f.SelectorRanges)
	return ok
}

// selected reads ranges of a selector, whose sign is not known yet.
func (b *builder) selected(list []bounds) ([]Range, bool) {
	signed := slices.ContainsFunc(list, func(x bounds) bool { return x[0] != "" && x[0][0] == '-' })
	return b.ranges(list, signed)
}

func (b *builder) variant() bool {
	b.c.Kind = Variant
	if !b.from(b.f.SelectorLocation, "selector-field-location") {
		return false
	}
	for i, o := range b.f.Options {
		x := b.r.class(o.Field, fmt.Sprintf("%s<%d>", b.property, i), b.depth+1)
		if x == nil {
			return false
		}
		ranges, ok := b.selected(o.Ranges)
		if !ok {
			return false
		}
		b.c.Options = append(b.c.Options, Option{Name: o.Name, Class: x, Ranges: ranges})
	}
	return true
}

// sortedKeys are the keys of an object in the order of bytes: JSON has none.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
