package own

import (
	"go/types"
	"slices"
	"strings"

	"github.com/tracec/tracec/gen/internal/name"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/grammar/diag"
	"github.com/tracec/tracec/internal/suggest"
)

// Value is a value of an event, or of any record.
type Value struct {
	Name  string   // in the description; for values of a record, @cpu and so on
	Also  []string // other names in the description
	CType string
	Shape Shape
	Type  ir.Type // of a number, or of the elements of a list; for a float, its Size
	Size  int     // bytes of a text or a blob, or number of elements of a list, if fixed; otherwise 0
	Maybe bool    // a record may lack it
	Many  bool    // a record may have several

	Field  *ir.Field // if at an offset; otherwise nil
	Index  int       // of a sequential event: among its values
	Member string    // of record.Record; empty for values of an event

	yesNo  bool // a number that is 0 or 1
	time   bool // a number of nanoseconds
	common bool // all events have it
}

// Shape is the kind of a value.
type Shape uint8

// The shapes.
const (
	OfNumber Shape = iota
	OfFloat
	OfText // up to a NUL
	OfBlob // bytes
	OfList // of numbers
)

// OfRecord are the values of every record.
var OfRecord = []*Value{
	{Name: "@cpu", Member: "CPU", Type: ir.I32, CType: "int32"},
	{Name: "@id", Member: "ID", Type: ir.U32, CType: "uint32"},
	{Name: "@lost", Member: "Lost", Type: ir.I64, CType: "int64"},
	{Name: "@stream", Member: "Stream", Type: ir.I32, CType: "int32"},
	{Name: "@task", Member: "Task", Type: ir.I32, CType: "int32"},
	{Name: "@time", Member: "Time", Type: ir.U64, CType: "uint64", time: true},
}

// FieldValue returns the value of a field at an offset.
func FieldValue(f *ir.Field) *Value {
	g := &Value{Name: f.Name, CType: f.CType, Field: f, common: f.Common, Maybe: f.Fault}
	switch {
	case f.Kind == ir.Int:
		g.Type = ir.Type{Size: int8(f.Size), Signed: f.Signed}
		g.yesNo = f.CType == "bool" || f.CType == "_Bool"
	case f.Text:
		g.Shape = OfText
	case f.Elem > 1:
		g.Shape, g.Type = OfList, ir.Type{Size: int8(f.Elem), Signed: f.Signed}
	default:
		g.Shape = OfBlob
	}
	if f.Kind == ir.Array || f.Kind == ir.Bytes {
		g.Size = f.Size
		if g.Shape == OfList {
			g.Size /= f.Elem
		}
	}
	return g
}

// value finds the value for a field of a struct. It returns nil if it has added a message.
func (s *Structs) value(f *Field, has []*Value, messages *diag.List) *Value {
	if f.tag.name != "" {
		for _, g := range has {
			if g.Name == f.tag.name || slices.Contains(g.Also, f.tag.name) {
				return g
			}
		}
		if g, _ := named(f.tag.name, has); g != nil { // names of values may have spaces, written as _
			return g
		}
		s.report(messages, f.tag.at, "into-field", "%s", lacks(f.tag.name, has, valueNames(has)))
		return nil
	}
	wanted := f.name
	isHas := false
	if b, ok := f.typ.Underlying().(*types.Basic); ok && b.Kind() == types.Bool {
		wanted, isHas = strings.CutPrefix(f.name, "Has")
	}
	g, like := named(f.name, has)
	if g == nil && like == nil && isHas && wanted != "" {
		if g, _ = named(wanted, has); g != nil && g.Maybe {
			f.tag.ok = true
			return g
		}
		g = nil
	}
	switch {
	case g != nil:
		return g
	case like == nil && s.isOwnStruct(f.typ):
		s.report(messages, f.kind, "into-type", "%s is a struct: embed it without the name %s to fill its fields, or skip the field with the tag `tracec:\"-\"`", f.path, f.name)
	case like != nil:
		s.report(messages, f.at, "into-field", "%s may be %s: select one by a tag", f.path, strings.Join(like, " or "))
	default:
		s.report(messages, f.at, "into-field", "%s", lacks(f.name, has, append(valueNames(has), goNames(has)...)))
	}
	return nil
}

// isOwnStruct reports whether a type is a named struct of the package.
func (s *Structs) isOwnStruct(t types.Type) bool {
	_, is := t.Underlying().(*types.Struct)
	named, ok := types.Unalias(t).(*types.Named)
	return is && ok && named.Obj().Pkg() == s.pkg
}

// lacks returns the message for a name that the event does not have. It lists similar names, or all
// names if there are none.
func lacks(name string, has []*Value, offered []string) string {
	var own []string
	for _, g := range has {
		if g.Member == "" && !g.common {
			own = append(own, g.Name)
		}
	}
	like := suggest.DidYouMean(name, offered)
	switch {
	case strings.HasPrefix(name, "@") && like == "":
		return "a record has no " + name + "; it has " + strings.Join(valueNames(OfRecord), ", ")
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

// maxOffered limits the number of names in a message.
const maxOffered = 12

func valueNames(has []*Value) (names []string) {
	for _, g := range has {
		names = append(append(names, g.Name), g.Also...)
	}
	return names
}

// goNames returns the possible names of fields for the event in Go.
func goNames(has []*Value) (names []string) {
	for _, g := range has {
		if g.Member == "" {
			names = append(names, name.Field(g.Name))
			for _, also := range g.Also {
				names = append(names, name.Field(also))
			}
		}
	}
	return names
}

// named finds the value for a Go name. An equal name is preferred, then an equal Go name, and last
// a name that differs only in case and separators. If several names differ in this way, like holds
// them.
func named(wanted string, has []*Value) (g *Value, like []string) {
	for _, is := range []func(string) bool{
		func(s string) bool { return s == wanted },
		func(s string) bool { return name.Field(s) == wanted },
		func(s string) bool { return letters(s) == letters(wanted) },
	} {
		var found []*Value
		for _, g := range has {
			if g.Member == "" && (is(g.Name) || slices.ContainsFunc(g.Also, is)) {
				found = append(found, g)
			}
		}
		switch {
		case len(found) == 1:
			return found[0], nil
		case len(found) > 1:
			return nil, valueNames(found)
		}
	}
	return nil, nil
}

// letters returns a name without case and separators.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if name.IsAlnum(r) {
			return r
		}
		return -1
	}, strings.ToLower(s))
}
