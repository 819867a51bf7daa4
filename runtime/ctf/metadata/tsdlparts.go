package metadata

import (
	"math"
	"strconv"
	"strings"

	"github.com/tracec/tracec/grammar/diag"
	"github.com/tracec/tracec/grammar/tsdl"
)

func (r *tsdlReader) structure(w *tsdl.Word, types *scope) *Class {
	var built *Class
	if w.Struct.Body != nil {
		built = &Class{Kind: Struct, Align: 1}
		ok := r.body(w.Struct.Body, types, func(name string, c *Class, at int) {
			if r.holds(built, c, at) {
				built.Members = append(built.Members, Member{Name: shown(name), Class: c, raw: name})
				built.Align = max(built.Align, c.Align)
			}
		})
		if !ok {
			return nil
		}
	}
	c := built
	if v := w.Struct.Align; v != nil {
		n, ok := r.alignment(v)
		if !ok {
			return nil
		}
		if c == nil {
			if c = r.named(w, "struct", w.Struct.Name, types, nil); c == nil {
				return nil
			}
			c.Align = max(c.Align, n)
			return c
		}
		c.Align = max(c.Align, n)
	}
	return r.named(w, "struct", w.Struct.Name, types, c)
}

// shown returns the name of a field or option as it is displayed.
func shown(name string) string { return strings.TrimPrefix(name, "_") }

// body reads the entries between the braces of a structure or a variant. It returns false after an
// error.
func (r *tsdlReader) body(b *tsdl.Body, outer *scope, add adder) bool {
	before, types, names := r.failed, &scope{outer: outer}, map[string]bool{}
	unique := func(name string, c *Class, at int) {
		if names[name] {
			r.report(at, "two fields are called %s", diag.Quote(name))
			return
		}
		names[name] = true
		add(name, c, at)
	}
	for _, e := range b.Entries {
		if e.Fields == nil {
			r.entry(e, types)
			continue
		}
		if n := len(e.Fields.First.Words); n == 1 { // only a type
			r.fields(e.Fields, types, nil)
			continue
		}
		r.fields(e.Fields, types, unique)
	}
	return r.failed == before
}

func (r *tsdlReader) variant(w *tsdl.Word, types *scope) *Class {
	v := w.Variant
	var built *Class
	if v.Body != nil {
		built = &Class{Kind: Variant, Align: 1}
		if !r.body(v.Body, types, func(name string, c *Class, at int) {
			if r.holds(built, c, at) {
				built.Options = append(built.Options, Option{Name: shown(name), Class: c, raw: name})
			}
		}) {
			return nil
		}
	}
	c := r.named(w, "variant", v.Name, types, built)
	if c != nil && v.Tag != nil {
		if c.From = r.reference(v.Tag); c.From == nil {
			return nil
		}
	}
	return c
}

func (r *tsdlReader) enumeration(w *tsdl.Word, types *scope) *Class {
	e := w.Enum
	if e.Labels == nil {
		return r.named(w, "enum", e.Name, types, nil)
	}
	c := (*Class)(nil)
	if e.Container != nil {
		c = r.class(e.Container, types, w.Pos)
	} else if c = types.find("int"); c != nil {
		c = r.copied(c, w.Pos.Offset)
	} else {
		r.report(w.Pos.Offset, "an enumeration without a type is an int, which is not declared")
	}
	if c == nil {
		return nil
	}
	if c.Kind != Int {
		r.report(w.Pos.Offset, "an enumeration is an integer")
		return nil
	}
	if len(e.Labels.List) == 0 {
		r.warn(w.Pos.Offset, "an enumeration without labels")
	}
	c.Labels = []Label{}
	index, next := map[string]int{}, uint64(0)
	for _, l := range e.Labels.List {
		first, last, ok := r.rangeOf(l, c.Signed, next)
		if !ok {
			return nil
		}
		next = last + 1
		name := l.Name
		if l.Text != nil {
			name = string(*l.Text)
		}
		i, known := index[name]
		if !known {
			i = len(c.Labels)
			index[name], c.Labels = i, append(c.Labels, Label{Name: name})
		}
		c.Labels[i].Ranges = append(c.Labels[i].Ranges, Range{First: first, Last: last})
	}
	return r.named(w, "enum", e.Name, types, c)
}

// bits reads a value of a label. LTTng writes the values of programs, even if the integer has the
// other sign. Such a value has the same 64 bits.
func (r *tsdlReader) bits(v *tsdl.Value, signed bool) (uint64, bool) {
	digits := strings.TrimRight(v.Number, "uUlL")
	if n, err := strconv.ParseInt(v.Sign+digits, 0, 64); err == nil && v.Number != "" {
		if n < 0 && !signed {
			r.warn(v.Pos.Offset, "a value of %d, of an integer without a sign", n)
		}
		return uint64(n), true
	}
	n, ok := r.unsigned(v)
	if ok && signed {
		r.warn(v.Pos.Offset, "a value of %d, of an integer with a sign", n)
	}
	return n, ok
}

// rangeOf reads the values of a label. If the label has none, next is its value.
func (r *tsdlReader) rangeOf(l *tsdl.Label, signed bool, next uint64) (first, last uint64, ok bool) {
	if first, last = next, next; l.First == nil {
		return first, last, true
	}
	if first, ok = r.bits(l.First, signed); !ok {
		return 0, 0, false
	}
	if last = first; l.Last == nil {
		return first, last, true
	}
	if last, ok = r.bits(l.Last, signed); !ok {
		return 0, 0, false
	}
	if !(Range{First: first, Last: last}).Has(first, signed) {
		r.report(l.Pos.Offset, "a range that ends before it begins")
		return 0, 0, false
	}
	return first, last, true
}

// alignment reads a power of two.
func (r *tsdlReader) alignment(v *tsdl.Value) (int, bool) {
	n, ok := r.unsigned(v)
	if ok && (n == 0 || n > math.MaxInt32 || n&(n-1) != 0) {
		r.report(v.Pos.Offset, "an alignment of %d bits: it is a power of two", n)
		ok = false
	}
	return int(n), ok
}

// scalar returns the class of a scalar. Classes of scalars with one text are equal, except for
// their places in messages.
func (r *tsdlReader) scalar(w *tsdl.Word) *Class {
	if known := r.scalars[w.Scalar]; known != nil {
		c := *known
		return &c
	}
	s, err := tsdl.ReadScalar(w.Pos, w.Scalar)
	if err != nil {
		r.report(w.Pos.Offset, "%v", err) // the parser would have reported it
		return nil
	}
	before := len(r.errors)
	c := r.newScalar(s)
	if c != nil && c.clock == nil && len(r.errors) == before {
		known := *c
		r.scalars[w.Scalar] = &known
	}
	return c
}

func (r *tsdlReader) newScalar(s *tsdl.Scalar) *Class {
	c, a := &Class{}, attributes{r: r}
	for _, x := range s.Attributes {
		if x.Value == nil || len(x.Target.Path) != 1 {
			r.report(x.Pos.Offset, "an attribute is a name and a value")
			return nil
		}
	}
	switch s.Kind {
	case "integer":
		c.Kind, c.Base, c.Order.BigEndian = Int, 10, r.trace.BigEndian
		a.read(s, c)
		a.integer(s, c)
	case "floating_point":
		c.Kind, c.Order.BigEndian = Float, r.trace.BigEndian
		a.read(s, c)
		a.float(s, c)
	default:
		c.Kind, c.Encoding = String, UTF8
		a.read(s, c)
		c.Align = 8
	}
	if a.failed {
		return nil
	}
	return c
}

// attributes reads the settings between the braces of integer, floating_point and string.
type attributes struct {
	r                   *tsdlReader
	failed              bool
	size, exp, mantissa uint64
	aligned             bool
}

func (a *attributes) read(s *tsdl.Scalar, c *Class) {
	r, before, taken := a.r, a.r.failed, map[string]bool{}
	for _, x := range s.Attributes {
		v := x.Value
		if taken[x.Target.Path[0]] {
			r.report(x.Pos.Offset, "%s has two attributes %s", s.Kind, x.Target.Path[0])
		}
		taken[x.Target.Path[0]] = true
		switch key := x.Target.Path[0]; {
		case key == "align":
			c.Align, a.aligned = 0, true
			c.Align, _ = r.alignment(v)
		case key == "byte_order":
			c.Order.BigEndian = a.order(v)
		case key == "size" && s.Kind == "integer":
			a.size, _ = r.unsigned(v)
		case key == "signed" && s.Kind == "integer":
			c.Signed = r.truth(v)
		case key == "base" && s.Kind == "integer":
			c.Base = a.base(v)
		case key == "encoding" && s.Kind != "floating_point":
			c.Encoding = a.encoding(v)
		case key == "map" && s.Kind == "integer":
			c.clock = a.clock(v)
		case key == "exp_dig" && s.Kind == "floating_point":
			a.exp, _ = r.unsigned(v)
		case key == "mant_dig" && s.Kind == "floating_point":
			a.mantissa, _ = r.unsigned(v)
		default:
			r.warn(x.Pos.Offset, "%s has no attribute %s", s.Kind, key)
		}
	}
	a.failed = r.failed > before
}

// integer checks the size.
func (a *attributes) integer(s *tsdl.Scalar, c *Class) {
	if a.failed {
		return
	}
	if a.size < 1 || a.size > 64 {
		a.r.report(s.Pos.Offset, "an integer of %d bits: it has 1 to 64", a.size)
		a.failed = true
	}
	a.sized(c, a.size)
}

// sized sets the size. Whole bytes are aligned to bytes, other sizes to bits.
func (a *attributes) sized(c *Class, bits uint64) {
	if c.Bits = int(bits); a.aligned {
		return
	}
	if c.Align = 1; c.Bits%8 == 0 {
		c.Align = 8
	}
}

// float checks the digits. Their sum is the size.
func (a *attributes) float(s *tsdl.Scalar, c *Class) {
	if a.failed {
		return
	}
	switch [2]uint64{a.exp, a.mantissa} {
	case [2]uint64{5, 11}, [2]uint64{8, 24}, [2]uint64{11, 53}:
	default:
		a.r.report(s.Pos.Offset, "a floating-point number of %d and %d digits: the formats of IEEE 754 with 16, 32 and 64 bits are read", a.exp, a.mantissa)
		a.failed = true
	}
	a.sized(c, a.exp+a.mantissa)
}

func (a *attributes) order(v *tsdl.Value) bool {
	switch word(v) {
	case "le":
		return false
	case "be", "network":
		return true
	case "native":
		return a.r.trace.BigEndian
	}
	a.r.report(v.Pos.Offset, "the byte order %s: it is native, network, le or be", diag.Quote(word(v)))
	return false
}

// bases are the names of bases.
var bases = map[string]int{
	"decimal": 10, "dec": 10, "d": 10, "i": 10, "u": 10, "10": 10,
	"hexadecimal": 16, "hex": 16, "x": 16, "X": 16, "p": 16, "16": 16,
	"octal": 8, "oct": 8, "o": 8, "8": 8, "binary": 2, "b": 2, "2": 2,
}

func (a *attributes) base(v *tsdl.Value) int {
	n := bases[word(v)]
	if n == 0 {
		a.r.report(v.Pos.Offset, "the base %s: it is decimal, hexadecimal, octal or binary", diag.Quote(word(v)))
	}
	return n
}

func (a *attributes) encoding(v *tsdl.Value) Encoding {
	switch strings.ToLower(word(v)) {
	case "none":
		return NoText
	case "utf8", "utf-8":
		return UTF8
	case "ascii":
		return ASCII
	}
	a.r.report(v.Pos.Offset, "unknown encoding %s (want none, UTF8 or ASCII)", diag.Quote(word(v)))
	return NoText
}

// clock reads clock.NAME.value.
func (a *attributes) clock(v *tsdl.Value) *named {
	if len(v.Path) != 3 || v.Path[0] != "clock" || v.Path[2] != "value" {
		a.r.report(v.Pos.Offset, "%s is not of the form clock.NAME.value", diag.Quote(word(v)))
		return nil
	}
	return &named{name: v.Path[1], at: v.Pos.Offset}
}
