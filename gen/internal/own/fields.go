package own

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"

	"golang.org/x/tools/go/packages"
)

// Field is a field to fill. An embedded struct is replaced by its fields.
type Field struct {
	name string // name under which the event is searched for it: the last part of the path
	path string // Base.Time
	typ  types.Type
	at   token.Pos // of its name
	kind token.Pos // of its type
	tag  fieldTag
}

// strayTags reports tags in a struct that no event fills. It accepts a struct that is embedded
// here, or that a file for other systems mentions.
func (s *Structs) strayTags(pkg *packages.Package, spec *ast.TypeSpec, st *ast.StructType) {
	obj := pkg.TypesInfo.Defs[spec.Name]
	for id, used := range pkg.TypesInfo.Uses {
		if used == obj && s.tags[id.Pos()] != nil && s.tags[id.Pos()].Names == nil ||
			used == obj && isDefinition(pkg, id) {
			return
		}
	}
	for _, f := range st.Fields.List {
		if f.Tag == nil {
			continue
		}
		if _, ok := structTag(f.Tag); ok {
			if mentioned(pkg, spec.Name.Name) {
				return
			}
			s.report(&s.messages, f.Tag.Pos(), "into-directive",
				"%s has a tag for tracec, but no directive names its event: want //tracec:event EVENT in the comment of %s", spec.Name.Name, spec.Name.Name)
			return
		}
	}
}

// isDefinition reports whether a type is the right-hand side of a declaration: type B A, type C
// A[int32].
func isDefinition(pkg *packages.Package, id *ast.Ident) bool {
	for _, f := range pkg.Syntax {
		for _, d := range f.Decls {
			if d, ok := d.(*ast.GenDecl); ok && d.Tok == token.TYPE {
				for _, spec := range d.Specs {
					if embeddedName(spec.(*ast.TypeSpec).Type) == ast.Expr(id) {
						return true
					}
				}
			}
		}
	}
	return false
}

// declared reads the fields of a struct that has a directive.
func (s *Structs) declared(pkg *packages.Package, spec *ast.TypeSpec, x *Struct) {
	at, name := spec.Name.Pos(), spec.Name.Name
	obj := pkg.TypesInfo.Defs[spec.Name]
	if obj == nil || obj.Type() == nil {
		return // go/packages reports the reason
	}
	st, ok := obj.Type().Underlying().(*types.Struct)
	switch {
	case spec.TypeParams != nil:
		s.report(&s.messages, at, "into-type", "%s has type parameters: a decoder fills one type", name)
	case spec.Assign.IsValid():
		s.report(&s.messages, at, "into-type", "%s is an alias: declare a new type, without =", name)
	case !ok:
		s.report(&s.messages, at, "into-type", "%s is not a struct: events fill fields", name)
	case s.elsewhere(st):
		s.report(&s.messages, spec.Type.Pos(), "into-type",
			"%s has the fields of a struct of another package, whose tags are not read: declare them here", name)
	case !token.IsExported(name):
		s.report(&s.messages, at, "into-type", "%s is not exported: the variable of its event begins with its name",
			name)
	default:
		s.structFields(x, st, "", map[types.Type]bool{obj.Type(): true})
		s.list = append(s.list, x)
	}
}

// elsewhere reports whether the fields of a struct are declared in another package. They then have
// no syntax, and so no tags and places.
func (s *Structs) elsewhere(st *types.Struct) bool {
	return st.NumFields() > 0 && st.Field(0).Pkg() != s.pkg
}

// structFields collects the fields of a struct. prefix is the path of an embedded struct.
func (s *Structs) structFields(x *Struct, st *types.Struct, prefix string, within map[types.Type]bool) {
	for i := range st.NumFields() {
		v := st.Field(i)
		f := &Field{name: v.Name(), path: prefix + v.Name(), typ: v.Type(), at: v.Pos(), kind: v.Pos()}
		if node := s.tags[v.Pos()]; node != nil {
			f.kind = node.Type.Pos()
			if node.Tag != nil {
				s.parseTag(&f.tag, node.Tag)
			}
		}
		switch {
		case f.tag.bad, f.tag.name == "-" && !f.tag.quoted:
		case v.Name() == "_" && !f.tag.has: // padding
		case v.Embedded() && !f.tag.has:
			s.embedded(x, v, f, prefix, within)
		case !v.Exported():
			s.report(&s.messages, f.at, "into-field",
				"%s is not exported: export it, or leave it out by the tag `tracec:\"-\"`", f.path)
		default:
			x.fields = append(x.fields, f)
		}
	}
}

// embedded collects the fields of an embedded struct.
func (s *Structs) embedded(x *Struct, v *types.Var, f *Field, prefix string, within map[types.Type]bool) {
	st, ok := v.Type().Underlying().(*types.Struct)
	named, _ := types.Unalias(v.Type()).(*types.Named)
	_, pointer := v.Type().Underlying().(*types.Pointer)
	switch {
	case pointer:
		s.report(&s.messages, f.kind, "into-type",
			"a pointer to %s is embedded, but nothing sets it: embed %s itself, or skip it with the tag `tracec:\"-\"`",
			v.Name(), v.Name())
	case !ok:
		s.report(&s.messages, f.kind, "into-type", "%s is embedded but not a struct: give the field a name", v.Name())
	case named == nil || named.Obj().Pkg() != s.pkg || s.elsewhere(st):
		s.report(&s.messages, f.kind, "into-type",
			"%s is a struct of another package: only structs of this one are filled where they are embedded", v.Name())
	case within[v.Type()]:
		// go/types has reported that the struct contains itself
	default:
		within[v.Type()] = true
		s.structFields(x, st, prefix+v.Name()+".", within)
		delete(within, v.Type())
	}
}

// structTag returns the value of a tag's key tracec.
func structTag(lit *ast.BasicLit) (string, bool) {
	text, err := strconv.Unquote(lit.Value)
	if err != nil {
		return "", false
	}
	return reflectTag(text).Lookup("tracec")
}
