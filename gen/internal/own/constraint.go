package own

import (
	"go/ast"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/tracec/tracec/gen/internal/name"
)

// Constraint returns the build constraint of a decoder. The decoder must be built only together
// with the declarations that it names. Files that declare its structs, embedded structs and field
// types may be for some systems only. Without constraints the result is empty.
func (s *Structs) Constraint(targets []*Target) string {
	declared := map[string]bool{}
	add := func(at token.Pos) { declared[s.position(at).Filename] = true }
	for _, t := range targets {
		add(t.Struct.name)
		for _, f := range t.Struct.fields { // embedded fields count even if nothing fills them
			add(f.at)
		}
		for _, f := range t.Fills {
			eachNamed(f.to.typ, func(obj *types.TypeName) {
				if obj.Pkg() == s.pkg {
					add(obj.Pos())
				}
			})
		}
	}
	var all []string
	for _, file := range slices.Sorted(maps.Keys(declared)) {
		// The output of cgo has other lines.
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly|parser.ParseComments)
		if err != nil {
			continue
		}
		for _, x := range fileConstraints(filepath.Base(file), f) {
			if !slices.Contains(all, x) {
				all = append(all, x)
			}
		}
	}
	return strings.Join(all, " && ")
}

// fileConstraints returns the constraints of a file, all of which must hold: by its name, by its
// //go:build line, and by an import of C.
func fileConstraints(file string, f *ast.File) (list []string) {
	list = name.Tags(file)
	for _, group := range f.Comments {
		for _, c := range group.List {
			if c.Pos() > f.Package || !constraint.IsGoBuild(c.Text) {
				continue
			}
			if x, err := constraint.Parse(c.Text); err == nil {
				list = append(list, conjuncts(x)...)
			}
		}
	}
	if slices.ContainsFunc(f.Imports, func(spec *ast.ImportSpec) bool { return spec.Path.Value == `"C"` }) {
		list = append(list, "cgo")
	}
	return list
}

// conjuncts returns the parts of x && y.
func conjuncts(x constraint.Expr) []string {
	switch x := x.(type) {
	case *constraint.AndExpr:
		return append(conjuncts(x.X), conjuncts(x.Y)...)
	case *constraint.OrExpr:
		return []string{"(" + x.String() + ")"}
	}
	return []string{x.String()}
}

// mentioned reports whether a name occurs in a file of the package that is built for other systems
// only. Such files are only parsed, because type checking them needs another system. Files that do
// not parse are skipped. Builds on their system report them.
func mentioned(pkg *packages.Package, typ string) (is bool) {
	for _, file := range pkg.IgnoredFiles {
		if filepath.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, _ := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if f == nil || f.Name.Name != pkg.Name { // for example, a program that go:generate runs
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			is = is || ok && id.Name == typ
			return !is
		})
	}
	return is
}
