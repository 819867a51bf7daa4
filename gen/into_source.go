package gen

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/tracec/tracec/compiler/diag"
	"github.com/tracec/tracec/internal/suggest"
)

// Structs are the structs of a package that a decoder is to fill: those with a directive //tracec:event.
type Structs struct {
	// Package is the name of the package, Dir the directory that it is in.
	Package  string
	dir      string
	file     string // of the decoder, its absolute name
	scope    *types.Scope
	pkg      *types.Package
	set      *token.FileSet
	tags     map[token.Pos]*ast.Field // by the place of their name
	list     []*Struct
	messages diag.List
	broken   bool // the package has type errors without the decoder
}

// Struct is a struct and the event that fills it.
type Struct struct {
	Name   string
	Event  string // as the directive names it
	at     token.Pos
	fields []*StructField
}

// StructField is a field to be filled. Of an embedded struct there are those in it.
type StructField struct {
	name string // as the event is searched for it: the last part of the path
	path string // Base.Time
	typ  types.Type
	at   token.Pos // of its name
	kind token.Pos // of its type
	tag  fieldTag
}

// readMode is what is asked of go/packages: syntax and types of the package itself, and of what it imports the export data alone.
const readMode = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedSyntax |
	packages.NeedTypes | packages.NeedTypesInfo | packages.NeedTypesSizes

// ReadStructs reads the package that pattern, a directory or an import path, names. base is the name of the file without .go that the decoder goes to; what is there
// of an earlier run does not count, and neither do type errors because of that.
//
// The error is about the package as a whole: there is none, or it does not parse. What is wrong with directives and tags is reported by GenerateInto,
// so that people see all mistakes at once.
func ReadStructs(ctx context.Context, pattern, base string) (*Structs, error) {
	dir, err := packageDir(ctx, pattern)
	if err != nil {
		return nil, err
	}
	s := &Structs{dir: dir, file: filepath.Join(dir, base+".go")}
	var stub []byte
	if name := packageClause(s.file); name != "" {
		stub = []byte("package " + name + "\n")
	}
	pkg, err := s.load(ctx, stub)
	if err != nil {
		return nil, err
	}
	for _, e := range pkg.Errors {
		s.broken = s.broken || ofTypes(e)
	}
	s.Package, s.scope, s.pkg, s.set = pkg.Name, pkg.Types.Scope(), pkg.Types, pkg.Fset
	s.collect(pkg)
	return s, nil
}

// packageDir returns the absolute directory of a package.
func packageDir(ctx context.Context, pattern string) (string, error) {
	if st, err := os.Stat(pattern); err == nil && st.IsDir() {
		return filepath.Abs(pattern)
	}
	list, err := packages.Load(&packages.Config{Context: ctx, Mode: packages.NeedName | packages.NeedFiles}, pattern)
	switch {
	case err != nil:
		return "", err
	case len(list) != 1:
		return "", fmt.Errorf("%s: names %d packages, want one", pattern, len(list))
	case len(list[0].GoFiles) == 0:
		return "", fmt.Errorf("%s: no such directory, and no package of this import path with Go files", pattern)
	}
	return filepath.Dir(list[0].GoFiles[0]), nil
}

// packageClause returns the name in the package clause of a file, nothing when there is none.
func packageClause(name string) string {
	f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.PackageClauseOnly)
	if err != nil {
		return ""
	}
	return f.Name.Name
}

// load reads the package with content in place of the decoder; nil for what is there.
func (s *Structs) load(ctx context.Context, content []byte) (*packages.Package, error) {
	c := &packages.Config{Context: ctx, Mode: readMode, Dir: s.dir}
	if content != nil {
		c.Overlay = map[string][]byte{s.file: content}
	}
	list, err := packages.Load(c, ".")
	if err != nil {
		return nil, err
	}
	if len(list) != 1 || list[0].Types == nil {
		return nil, fmt.Errorf("%s: no Go package", s.dir)
	}
	var errs []error
	for _, e := range list[0].Errors {
		if !ofTypes(e) {
			errs = append(errs, errors.New(strings.TrimPrefix(s.short(e.Pos)+": "+e.Msg, "-: ")))
		}
	}
	return list[0], errors.Join(errs...)
}

// ofTypes reports whether an error is that a package does not compile: the go command, which is asked for export data, says that in lines after
// "# PACKAGE", without a place, beside the errors of go/types.
func ofTypes(e packages.Error) bool {
	return e.Kind == packages.TypeError || e.Kind == packages.ListError && strings.HasPrefix(e.Msg, "# ")
}

// short makes a place FILE:LINE:COL relative to the working directory.
func (s *Structs) short(pos string) string {
	wd, err := os.Getwd()
	if err != nil {
		return pos
	}
	name, rest := pos, ""
	if i := strings.Index(pos, ".go:"); i >= 0 {
		name, rest = pos[:i+3], pos[i+3:]
	}
	if rel, err := filepath.Rel(wd, name); err == nil && filepath.IsAbs(name) && filepath.IsLocal(rel) {
		name = filepath.ToSlash(rel)
	}
	return name + rest
}

// report adds an error at a place of the user's source.
func (s *Structs) report(to *diag.List, at token.Pos, code, format string, args ...any) {
	p := s.set.Position(at)
	*to = append(*to, diag.Diagnostic{
		File: s.short(p.Filename), Line: p.Line, Col: p.Column, Severity: diag.Error, Code: code, Msg: fmt.Sprintf(format, args...),
	})
}

// directive begins the comments that are for tracec.
const directive = "//tracec:"

// collect finds the structs, and directives that stand elsewhere.
func (s *Structs) collect(pkg *packages.Package) {
	s.tags = map[token.Pos]*ast.Field{}
	for _, f := range pkg.Syntax {
		if s.set.Position(f.FileStart).Filename == s.file {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if n, ok := n.(*ast.StructType); ok {
				s.indexFields(n)
			}
			return true
		})
		taken := map[*ast.Comment]bool{}
		for _, d := range f.Decls {
			if d, ok := d.(*ast.GenDecl); ok && d.Tok == token.TYPE {
				for _, spec := range d.Specs {
					s.typeSpec(pkg, d, spec.(*ast.TypeSpec), taken)
				}
			}
		}
		for _, group := range f.Comments {
			for _, c := range group.List {
				if strings.HasPrefix(c.Text, directive) && !taken[c] {
					s.report(&s.messages, c.Slash, "into-directive", "a directive for tracec goes into the comment of a type at package level")
				}
			}
		}
	}
	slices.SortStableFunc(s.list, func(a, b *Struct) int { return strings.Compare(a.Name, b.Name) })
}

// indexFields notes the fields of a struct by the place of their names.
func (s *Structs) indexFields(n *ast.StructType) {
	for _, f := range n.Fields.List {
		for _, name := range f.Names {
			s.tags[name.Pos()] = f
		}
		if f.Names == nil { // an embedded one is where the name of its type is
			s.tags[embeddedName(f.Type).Pos()] = f
		}
	}
}

func embeddedName(e ast.Expr) ast.Expr {
	switch x := e.(type) {
	case *ast.StarExpr:
		return embeddedName(x.X)
	case *ast.SelectorExpr:
		return x.Sel
	case *ast.IndexExpr:
		return embeddedName(x.X)
	case *ast.IndexListExpr:
		return embeddedName(x.X)
	}
	return e
}

// typeSpec reads the directives of a type.
func (s *Structs) typeSpec(pkg *packages.Package, d *ast.GenDecl, spec *ast.TypeSpec, taken map[*ast.Comment]bool) {
	doc := spec.Doc
	if doc == nil && !d.Lparen.IsValid() {
		doc = d.Doc
	}
	var found *Struct
	if doc != nil {
		for _, c := range doc.List {
			text, ok := strings.CutPrefix(c.Text, directive)
			if !ok {
				continue
			}
			taken[c] = true
			word, event, _ := strings.Cut(text, " ")
			event = strings.TrimSpace(event)
			at := c.Slash + token.Pos(len(directive))
			switch {
			case word != "event":
				s.report(&s.messages, at, "into-directive", "no such directive: %q%s", word, suggest.DidYouMean(word, []string{"event"}))
			case event == "":
				s.report(&s.messages, at, "into-directive", "want the name of an event, such as //tracec:event sched:sched_switch")
			case found != nil:
				s.report(&s.messages, at, "into-directive", "%s is filled by %s already: declare another type for %s, such as type %s2 %s", spec.Name.Name, found.Event, event, spec.Name.Name, spec.Name.Name)
			default:
				found = &Struct{Name: spec.Name.Name, Event: event, at: c.Slash + token.Pos(strings.Index(c.Text, event))}
			}
		}
	}
	if st, ok := spec.Type.(*ast.StructType); ok && found == nil {
		s.strayTags(pkg, spec, st)
	}
	if found != nil {
		s.declared(pkg, spec, found)
	}
}

// strayTags reports tags in a struct that no event fills, unless it is there to be embedded.
func (s *Structs) strayTags(pkg *packages.Package, spec *ast.TypeSpec, st *ast.StructType) {
	obj := pkg.TypesInfo.Defs[spec.Name]
	for id, used := range pkg.TypesInfo.Uses {
		if used == obj && s.tags[id.Pos()] != nil && s.tags[id.Pos()].Names == nil || used == obj && isDefinition(pkg, id) {
			return
		}
	}
	for _, f := range st.Fields.List {
		if f.Tag == nil {
			continue
		}
		if _, ok := structTag(f.Tag); ok {
			s.report(&s.messages, f.Tag.Pos(), "into-directive", "%s has a tag for tracec, but no directive says which event fills it: want //tracec:event EVENT in the comment of %s", spec.Name.Name, spec.Name.Name)
			return
		}
	}
}

// isDefinition reports whether a type is what another one is declared as: type B A.
func isDefinition(pkg *packages.Package, id *ast.Ident) bool {
	for _, f := range pkg.Syntax {
		for _, d := range f.Decls {
			if d, ok := d.(*ast.GenDecl); ok && d.Tok == token.TYPE {
				for _, spec := range d.Specs {
					if spec.(*ast.TypeSpec).Type == ast.Expr(id) {
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
		return // go/packages says why
	}
	st, ok := obj.Type().Underlying().(*types.Struct)
	switch {
	case spec.TypeParams != nil:
		s.report(&s.messages, at, "into-type", "%s has type parameters: a decoder fills one type", name)
	case spec.Assign.IsValid():
		s.report(&s.messages, at, "into-type", "%s is an alias: declare a type of its own, without =", name)
	case !ok:
		s.report(&s.messages, at, "into-type", "%s is no struct: events fill fields", name)
	case !token.IsExported(name):
		s.report(&s.messages, at, "into-type", "%s is not exported: the callback of a decoder has its name", name)
	case decoderReserved[name]:
		s.report(&s.messages, at, "into-type", "a Decoder has %s of its own beside the callback of this name: choose another name", name)
	default:
		s.structFields(x, st, "", map[types.Type]bool{obj.Type(): true})
		s.list = append(s.list, x)
	}
}

// structFields collects the fields of a struct; prefix is the path of an embedded one.
func (s *Structs) structFields(x *Struct, st *types.Struct, prefix string, within map[types.Type]bool) {
	for i := range st.NumFields() {
		v := st.Field(i)
		f := &StructField{name: v.Name(), path: prefix + v.Name(), typ: v.Type(), at: v.Pos(), kind: v.Pos()}
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
			s.report(&s.messages, f.at, "into-field", "%s is not exported: export it, or leave it out by the tag `tracec:\"-\"`", f.path)
		default:
			x.fields = append(x.fields, f)
		}
	}
}

// embedded collects the fields of an embedded struct.
func (s *Structs) embedded(x *Struct, v *types.Var, f *StructField, prefix string, within map[types.Type]bool) {
	st, ok := v.Type().Underlying().(*types.Struct)
	named, _ := types.Unalias(v.Type()).(*types.Named)
	switch {
	case !ok:
		s.report(&s.messages, f.kind, "into-type", "%s is embedded and no struct: give the field a name", v.Name())
	case named == nil || named.Obj().Pkg() != s.pkg:
		s.report(&s.messages, f.kind, "into-type", "%s is a struct of another package: only structs of this one are filled where they are embedded", v.Name())
	case within[v.Type()]:
		// go/types has reported that it holds itself
	default:
		within[v.Type()] = true
		s.structFields(x, st, prefix+v.Name()+".", within)
		delete(within, v.Type())
	}
}

// structTag returns what a tag has for tracec.
func structTag(lit *ast.BasicLit) (string, bool) {
	text, err := strconv.Unquote(lit.Value)
	if err != nil {
		return "", false
	}
	return reflectTag(text).Lookup("tracec")
}
