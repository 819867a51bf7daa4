package gen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tracec/tracec/gen/internal/name"
	"github.com/tracec/tracec/gen/internal/own"

	"github.com/tracec/tracec/compiler"
	"github.com/tracec/tracec/compiler/ir"
)

// values is the struct of an event whose records are read from front to back: a field for each
// value that its description consumes.
type values struct {
	goName string
	label  string // of the event, for comments and messages
	fields []*valueField
	forms  []*form
}

// form is the event in one environment. Most events have only one.
type form struct {
	*event // folded
	target ir.Target
}

// suffix ends the names of the functions of an environment: In32Generic.
func (f *form) suffix() string {
	if f.Variant == "" {
		return ""
	}
	return "In" + strings.TrimPrefix(f.Variant, "Env")
}

// valueField is one field of the struct. The event has its value in at least one environment.
type valueField struct {
	goName   string
	name     string // in the description
	source   string // the code that reads it
	typ      ir.Type
	bytes    bool
	float    bool
	optional bool
	repeated bool
	certain  bool // every record sets it, so it need not be emptied
	enum     *enum
	into     []*own.Fill // fields of a struct of the user's; if empty, the field is in the generated struct
}

// planValues gives the values of ev their fields. It returns nil for an event without values.
func planValues(ev *ir.Event, target ir.Target, goName, label string) (*values, error) {
	v := &values{goName: goName, label: label}
	variants := ev.Variants
	if variants == nil {
		variants = []*ir.Event{ev}
	}
	for _, e := range variants {
		if len(e.Fields) == 0 && len(e.Values) == 0 {
			continue
		}
		if err := checkSequence(e, label); err != nil {
			return nil, err
		}
		f := &form{streamEvent(e), target}
		if e.WordSize != 0 {
			f.target.WordSize = e.WordSize
		}
		v.forms = append(v.forms, f)
	}
	if len(v.forms) == 0 || ev.Variants == nil && len(ev.Values) == 0 {
		return nil, nil
	}
	return v, v.plan()
}

// checkSequence reports fields that are not the whole record, or after one another in it, and
// values without such a field.
func checkSequence(ev *ir.Event, label string) error {
	sequential := func(f *ir.Field) bool { return f.Offset == ir.Sequential }
	if !isStream(ev.Fields[:min(1, len(ev.Fields))]) || slices.ContainsFunc(ev.Fields[1:], func(f *ir.Field) bool { return !sequential(f) }) {
		return fmt.Errorf("gen: %s: it has other fields than its payload and what follows one another there", label)
	}
	if len(ev.Fields) == 1 {
		return nil // its program alone knows where values are
	}
	for _, d := range ev.Values {
		if i := slices.IndexFunc(ev.Fields, func(f *ir.Field) bool { return sequential(f) && f.Name == d.Name }); i < 0 || !fits(ev.Fields[i], d) {
			return fmt.Errorf("gen: %s: no field has the value %q", label, d.Name)
		}
		if d.Optional || d.Repeated {
			return fmt.Errorf("gen: %s: %q is not in every record", label, d.Name)
		}
	}
	return nil
}

// fits reports whether a value has the type and size of a field.
func fits(f *ir.Field, d *ir.Datum) bool {
	switch f.Kind {
	case ir.Int:
		return !d.Float && int(d.Type.Size) <= f.Size
	case ir.Float:
		return d.Float && int(d.Type.Size) == f.Size
	}
	return d.Float || d.Type == ir.Type{} // numbers of other sizes than Go's are fields of bytes
}

// isStream reports whether fields are one that is the whole record.
func isStream(fields []*ir.Field) bool {
	return len(fields) == 1 && fields[0].Kind == ir.Tail && fields[0].Offset == 0
}

// streamEvent is ev, folded, with the Go side of an event that is one stream of bytes.
func streamEvent(ev *ir.Event) *event {
	folded := *ev
	compiler.Fold(&folded)
	folded.Text = compiler.WithoutUnread(withChecks(folded.Text))
	folded.Decode = compiler.WithoutUnread(folded.Decode)
	data := ev.Fields[0]
	return &event{Event: &folded, stream: true, byField: map[*ir.Field]*field{data: {Field: data, elem: 1}}}
}

// withChecks removes the second copy of a program that exists twice, for records that are long
// enough and for others. The remaining copy has a check before every read. After a check, the bytes
// it covers are known to be present.
func withChecks(text []ir.Stmt) []ir.Stmt {
	if len(text) == 1 {
		if s, ok := text[0].(*ir.If); ok && len(s.Else) > 0 {
			if _, _, twice := ir.MakesSure(s.Cond); twice {
				return s.Else
			}
		}
	}
	return text
}

// plan merges the values of the environments into the fields of one struct. If a value has
// different widths in the environments, such as XW, the field has the largest.
func (v *values) plan() error {
	byName := map[string]*valueField{}
	seen := map[*valueField]int{}
	for _, e := range v.forms {
		for _, d := range e.Values {
			f := byName[d.Name]
			if f == nil {
				f = &valueField{name: d.Name, source: d.Source, typ: d.Type, bytes: d.Type == ir.Type{}, float: d.Float}
				byName[d.Name] = f
				v.fields = append(v.fields, f)
			}
			seen[f]++
			if f.bytes != (d.Type == ir.Type{}) || f.float != d.Float {
				return fmt.Errorf("gen: %s: %q is a number in one environment and none in another", v.label, d.Name)
			}
			if d.Type.Size > f.typ.Size {
				f.typ = d.Type
			}
			f.optional = f.optional || d.Optional
			f.repeated = f.repeated || d.Repeated
		}
	}
	for _, f := range v.fields {
		f.optional = !f.repeated && (f.optional || seen[f] < len(v.forms))
		f.certain = !f.repeated && !f.optional
	}
	for _, e := range v.forms {
		fields := v.fieldsOf(e)
		for i, n := range compiler.Presence(e.Decode, len(e.Values), false) {
			fields[i].certain = fields[i].certain && n.Min > 0
		}
	}
	return v.nameFields()
}

// nameFields gives the values their fields. If Go cannot distinguish two names, both get a suffix.
// It depends only on their own names, so it stays after an edit elsewhere.
func (v *values) nameFields() error {
	for _, f := range v.fields {
		f.goName = name.Field(f.name)
	}
	for range 2 {
		clash := v.clashes()
		for i, f := range v.fields {
			if clash[i] {
				f.goName = name.Field(f.name) + "X" + name.Fingerprint(f.name, 4)
			}
		}
	}
	if i := slices.Index(v.clashes(), true); i >= 0 {
		f := v.fields[i]
		return fmt.Errorf("gen: %s: %q and another value both become the Go name %s: give it another label, or a macro of its own: {{ $name = code }}",
			v.label, f.name, f.goName)
	}
	return nil
}

// clashes finds the values that share one of their identifiers with another.
func (v *values) clashes() []bool {
	count := map[string]int{}
	each := func(f *valueField, do func(string)) {
		do(f.goName)
		if f.optional {
			do("Has" + f.goName)
		}
	}
	for _, f := range v.fields {
		each(f, func(n string) { count[n]++ })
	}
	clash := make([]bool, len(v.fields))
	for i, f := range v.fields {
		each(f, func(n string) { clash[i] = clash[i] || count[n] > 1 })
	}
	return clash
}

// fieldsOf are the fields that the values of e go to.
func (v *values) fieldsOf(e *form) []*valueField {
	out := make([]*valueField, len(e.Values))
	for i, d := range e.Values {
		out[i] = v.fields[slices.IndexFunc(v.fields, func(f *valueField) bool { return f.name == d.Name })]
	}
	return out
}
