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

// values is the struct of an event whose records are read from front to back. It has a field for
// each value that the description consumes.
type values struct {
	goName string
	label  string // of the event, for comments and messages
	fields []*valueField
	forms  []*form
	of     map[*ir.Field]*valueField // of all environments; a list and its element share one
	taken  bool                      // only the values are used that fill fields of the user's struct
}

// form is the event in one environment. Most events have only one.
type form struct {
	*event // folded
	target ir.Target
}

// suffix returns the end of the names of the functions of an environment: In32Generic.
func (f *form) suffix() string {
	if f.Variant == "" {
		return ""
	}
	return "In" + strings.TrimPrefix(f.Variant, "Env")
}

// valueField is one field of the struct, or of a struct in it. The event has its value in at least
// one environment.
type valueField struct {
	goName   string
	name     string // in the description
	source   string // the code that reads it
	typ      ir.Type
	bytes    bool
	float    bool
	optional bool
	certain  bool // every record sets it, so it need not be emptied
	enum     *enum
	into     []*own.Fill // fields of a struct of the user's; if empty, the field is in the generated struct

	in       *valueField   // the structure or list around it, or nil
	repeated bool          // it is a list
	parts    bool          // it is a structure, or a list of structures
	members  []*valueField // of the structure
	elem     *valueField   // of a list of lists: the inner list
	typeName string        // of the structure
}

// planValues gives the values of ev their fields. It returns nil for an event without values.
func planValues(ev *ir.Event, target ir.Target, goName, label string) (*values, error) {
	v := &values{goName: goName, label: label, of: map[*ir.Field]*valueField{}}
	variants := ev.Variants
	if variants == nil {
		variants = []*ir.Event{ev}
	}
	for _, e := range variants {
		if len(e.Fields) == 0 {
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
	if len(v.forms) == 0 || ev.Variants == nil && len(ev.Values()) == 0 {
		return nil, nil
	}
	return v, v.plan()
}

// checkSequence returns an error for fields other than the whole record, and for values that are
// not in every record.
func checkSequence(ev *ir.Event, label string) error {
	if n := len(ev.Fields) - len(ev.Values()); !isStream(ev.Fields[:n]) {
		return fmt.Errorf("gen: %s: it has fields other than its payload and the values in it", label)
	}
	for _, f := range ev.Values() {
		if f.Offset == ir.Sequential && f.Optional && f.Kind != ir.Variant {
			return fmt.Errorf("gen: %s: %q is not in every record", label, f.Name)
		}
	}
	return nil
}

// isStream reports whether the only field is the whole record.
func isStream(fields []*ir.Field) bool {
	return len(fields) == 1 && fields[0].Kind == ir.Tail && fields[0].Offset == 0
}

// streamEvent returns ev, folded, with the Go side of an event that is one stream of bytes.
func streamEvent(ev *ir.Event) *event {
	folded := *ev
	compiler.Fold(&folded)
	folded.Text = compiler.WithoutUnread(withChecks(folded.Text))
	folded.Decode = compiler.WithoutUnread(folded.Decode)
	data := ev.Fields[0]
	return &event{Event: &folded, stream: true, byField: map[*ir.Field]*field{data: {Field: data, elem: 1}}}
}

// withChecks handles a program that exists twice: for records that are long enough, and for others.
// It removes the first copy. The other copy has a check before every read. After a check, the bytes
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

// plan gives the values fields. All environments have the same values.
func (v *values) plan() error {
	values := v.forms[0].Values()
	for _, e := range v.forms[1:] {
		if !slices.Equal(e.Values(), values) {
			return fmt.Errorf("gen: %s: its environments have different values", v.label)
		}
	}
	v.fields = v.planFields(values, nil)
	for _, f := range v.fields {
		f.certain = !f.repeated && !f.optional
	}
	for _, e := range v.forms {
		for i, n := range compiler.Presence(e.Decode, values, false) {
			v.fields[i].certain = v.fields[i].certain && n.Min > 0
		}
	}
	return v.name(v.fields, v.goName)
}

func (v *values) planFields(fields []*ir.Field, in *valueField) []*valueField {
	out := make([]*valueField, len(fields))
	for i, f := range fields {
		out[i] = &valueField{name: f.Name, source: f.CType, optional: f.Optional, in: in}
		v.shape(out[i], f)
	}
	return out
}

// shape gives x the type of f. f is its value or, for a list, its element.
func (v *values) shape(x *valueField, f *ir.Field) {
	v.of[f] = x
	switch f.Kind {
	case ir.List:
		if x.repeated = true; f.Fields[0].Kind == ir.List {
			x.elem = &valueField{name: x.name, source: x.source, in: x}
			x = x.elem
		}
		v.shape(x, f.Fields[0])
	case ir.Struct, ir.Union, ir.Variant:
		x.parts, x.members = true, v.planFields(f.Fields, x)
	default:
		x.typ, x.float = f.Type(), f.Kind == ir.Float
		x.bytes = x.typ == ir.Type{}
	}
}

// name gives the values of a struct their fields, and structures their types. If Go cannot
// distinguish two names, both get a suffix. The suffix depends only on their own names, so it stays
// after an edit elsewhere.
func (v *values) name(fields []*valueField, typ string) error {
	for _, f := range fields {
		f.goName = name.Field(f.name)
	}
	for range 2 {
		clash := clashes(fields)
		for i, f := range fields {
			if clash[i] {
				f.goName = name.Field(f.name) + "X" + name.Fingerprint(f.name, 4)
			}
		}
	}
	if i := slices.Index(clashes(fields), true); i >= 0 {
		f := fields[i]
		return fmt.Errorf("gen: %s: %q and another value both become the Go name %s: "+
			"give it another label or its own macro: {{ $name = %s }}",
			v.label, f.name, f.goName, f.source)
	}
	for _, f := range fields {
		inner := f
		for inner.elem != nil {
			inner = inner.elem
			inner.goName = f.goName
		}
		if inner.parts {
			inner.typeName = typ + f.goName
			if err := v.name(inner.members, inner.typeName); err != nil {
				return err
			}
		}
	}
	return nil
}

// leaves returns the values without members, and lists of such values. It leaves out values in
// lists of other values.
func (v *values) leaves() (list []*valueField) {
	var add func(fields []*valueField)
	add = func(fields []*valueField) {
		for _, f := range fields {
			switch {
			case f.parts && !f.repeated:
				add(f.members)
			case !f.parts && f.elem == nil:
				list = append(list, f)
			}
		}
	}
	add(v.fields)
	return list
}

// path returns the name of a value after the names of the structures around it: id.x.
func (f *valueField) path() string {
	if f.in == nil {
		return f.name
	}
	return f.in.path() + "." + f.name
}

// structs returns the values that are structures, or lists of structures. A structure inside
// another comes after it.
func (v *values) structs() (list []*valueField) {
	var add func(fields []*valueField)
	add = func(fields []*valueField) {
		for _, f := range fields {
			for f.elem != nil {
				f = f.elem
			}
			if f.parts {
				list = append(list, f)
				add(f.members)
			}
		}
	}
	add(v.fields)
	return list
}

// clashes finds the values that share one of their identifiers with another.
func clashes(fields []*valueField) []bool {
	count := map[string]int{}
	each := func(f *valueField, do func(string)) {
		do(f.goName)
		if f.optional {
			do("Has" + f.goName)
		}
	}
	for _, f := range fields {
		each(f, func(n string) { count[n]++ })
	}
	clash := make([]bool, len(fields))
	for i, f := range fields {
		each(f, func(n string) { clash[i] = clash[i] || count[n] > 1 })
	}
	return clash
}
