package gen

import (
	"go/types"
	"strings"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/grammar/diag"
	"github.com/tracec/tracec/internal/suggest"
)

// given is a value that an event has, or a record.
type given struct {
	name   string // in the description, @cpu and the like of the record
	ctype  string
	shape  shape
	typ    ir.Type // of a number, of the elements of a list, the Size of a float
	size   int     // bytes of a text or a blob, elements of a list, if fixed; otherwise 0
	yesno  bool    // a number that is 0 or 1
	maybe  bool    // a record may lack it
	many   bool    // a record may have several
	time   bool    // a number of nanoseconds
	common bool    // all events have it
	enum   int8    // bytes of a number that enumerators name, of which typ has the lower half; 0 for others

	field  *ir.Field // at an offset
	value  int       // sequential: in values.fields
	member string    // of record.Record
}

// shape is the kind of a value.
type shape uint8

// recordGivens are the values of every record.
var recordGivens = []*given{
	{name: "@cpu", member: "CPU", typ: ir.I32, ctype: "int32"},
	{name: "@id", member: "ID", typ: ir.U32, ctype: "uint32"},
	{name: "@lost", member: "Lost", typ: ir.I64, ctype: "int64"},
	{name: "@stream", member: "Stream", typ: ir.I32, ctype: "int32"},
	{name: "@task", member: "Task", typ: ir.I32, ctype: "int32"},
	{name: "@time", member: "Time", typ: ir.U64, ctype: "uint64", time: true},
}

// givens are the values of an event and of its record.
func (p *intoPkg) givens(e *intoEvent) (has []*given) {
	if e.payload == nil {
		for _, f := range e.Fields {
			has = append(has, fieldGiven(f))
		}
	} else if e.values != nil {
		for i, f := range e.values.leaves() {
			has = append(has, valueGiven(i, f, e))
		}
	}
	return append(has, recordGivens...)
}

// fieldGiven is a field at an offset.
func fieldGiven(f *ir.Field) *given {
	g := &given{name: f.Name, ctype: f.CType, field: f, common: f.Common, maybe: f.Fault}
	fixed := f.Kind == ir.Array || f.Kind == ir.Bytes
	switch {
	case f.Kind == ir.Int:
		g.typ = ir.Type{Size: int8(f.Size), Signed: f.Signed}
		g.yesno = f.CType == "bool" || f.CType == "_Bool"
	case f.Text:
		g.shape = ofText
	case f.Elem > 1:
		g.shape, g.typ = ofList, ir.Type{Size: int8(f.Elem), Signed: f.Signed}
	default:
		g.shape = ofBlob
	}
	if fixed {
		g.size = f.Size
		if g.shape == ofList {
			g.size /= f.Elem
		}
	}
	return g
}

// valueGiven is a value of a sequential event.
func valueGiven(i int, f *valueField, e *intoEvent) *given {
	g := &given{name: f.path(), ctype: f.source, typ: f.typ, value: i, maybe: f.optional, many: f.repeated}
	var value *ir.Field
	for _, form := range e.values.forms {
		for _, x := range form.AllValues() {
			if e.values.of[x] == f && x.Fields == nil {
				value = x
			}
		}
	}
	switch {
	case f.bytes && value.Text:
		g.shape = ofText
	case f.bytes:
		g.shape = ofBlob
		for _, x := range e.AllValues() {
			if x.Kind == ir.Bytes && x.Offset == ir.Sequential && e.values.of[x] == f {
				g.size = x.Size
			}
		}
	case f.float:
		g.shape = ofFloat
	case value.Enum.OfC():
		g.enum = g.typ.Size
		g.typ = ir.I32 // the upper half is left over in the register
	}
	return g
}

// given finds the value that a field of a struct is for, nil after a message.
func (s *Structs) given(f *StructField, has []*given, messages *diag.List) *given {
	if f.tag.name != "" {
		for _, g := range has {
			if g.name == f.tag.name {
				return g
			}
		}
		if g, _ := named(f.tag.name, has); g != nil { // names of values may have spaces, written as _
			return g
		}
		s.report(messages, f.tag.at, "into-field", "%s", lacks(f.tag.name, has, givenNames(has)))
		return nil
	}
	wanted := f.name
	isHas := false
	if b, ok := f.typ.Underlying().(*types.Basic); ok && b.Kind() == types.Bool {
		wanted, isHas = strings.CutPrefix(f.name, "Has")
	}
	g, like := named(f.name, has)
	if g == nil && like == nil && isHas && wanted != "" {
		if g, _ = named(wanted, has); g != nil && g.maybe {
			f.tag.ok = true
			return g
		}
		g = nil
	}
	switch {
	case g != nil:
		return g
	case like == nil && s.isOwnStruct(f.typ):
		s.report(messages, f.kind, "into-type", "%s is a struct, whose fields are filled where it is embedded: leave out the name %s, or leave the field out by the tag `tracec:\"-\"`", f.path, f.name)
	case like != nil:
		s.report(messages, f.at, "into-field", "%s may be %s: say which by a tag", f.path, strings.Join(like, " or "))
	default:
		s.report(messages, f.at, "into-field", "%s", lacks(f.name, has, append(givenNames(has), goNames(has)...)))
	}
	return nil
}

// isOwnStruct reports whether a type is a struct that the package declares by a name.
func (s *Structs) isOwnStruct(t types.Type) bool {
	_, is := t.Underlying().(*types.Struct)
	named, ok := types.Unalias(t).(*types.Named)
	return is && ok && named.Obj().Pkg() == s.pkg
}

// lacks is the message for a name that an event does not have. It lists similar names, or all names
// if there are none.
func lacks(name string, has []*given, offered []string) string {
	var own []string
	for _, g := range has {
		if g.member == "" && !g.common {
			own = append(own, g.name)
		}
	}
	like := suggest.DidYouMean(name, offered)
	switch {
	case strings.HasPrefix(name, "@") && like == "":
		return "a record has no " + name + "; it has " + strings.Join(givenNames(recordGivens), ", ")
	case strings.HasPrefix(name, "@"):
		return "a record has no " + name + like
	case len(own) == 0:
		return "the event has no values, and no " + name
	case like == "":
		more := ""
		if len(own) > maxOffered {
			own, more = own[:maxOffered], ", ..."
		}
		return "the event has no " + name + "; it has " + strings.Join(own, ", ") + more
	}
	return "the event has no " + name + like
}

// maxOffered is how many names a message lists.
const maxOffered = 12

func givenNames(has []*given) (names []string) {
	for _, g := range has {
		names = append(names, g.name)
	}
	return names
}

// goNames are the names that fields of the event may have in Go.
func goNames(has []*given) (names []string) {
	for _, g := range has {
		if g.member == "" {
			names = append(names, fieldName(g.name))
		}
	}
	return names
}

// named finds the value for a Go name. First it looks for the value of that name, then for the
// value whose name in Go it is, and last for a value whose name differs only in case and
// separators. If there are several of the last kind, like has their names.
func named(name string, has []*given) (g *given, like []string) {
	for _, is := range []func(*given) bool{
		func(g *given) bool { return g.name == name },
		func(g *given) bool { return fieldName(g.name) == name },
		func(g *given) bool { return letters(g.name) == letters(name) },
	} {
		var found []*given
		for _, g := range has {
			if g.member == "" && is(g) {
				found = append(found, g)
			}
		}
		switch {
		case len(found) == 1:
			return found[0], nil
		case len(found) > 1:
			return nil, givenNames(found)
		}
	}
	return nil, nil
}

// letters is a name without case and separators.
func letters(name string) string {
	return strings.Map(func(r rune) rune {
		if isAlnum(r) {
			return r
		}
		return -1
	}, strings.ToLower(name))
}

const (
	ofNumber shape = iota
	ofFloat
	ofText // up to a NUL
	ofBlob // bytes
	ofList // of numbers
)
