package gen

import (
	"go/ast"
	"go/build"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// constraints returns the build constraint of a decoder. The decoder must be built only where all
// declarations that it names are built. Files that declare its structs, embedded structs and field
// types may be for some systems alone. Without constraints the result is empty.
func (p *intoPkg) constraints() string {
	declared := map[string]bool{}
	add := func(at token.Pos) { declared[p.structs.set.Position(at).Filename] = true }
	for _, e := range p.events {
		add(e.into.name)
		for _, f := range e.into.fields { // embedded fields count even if nothing fills them
			add(f.at)
		}
		for _, f := range e.fills {
			eachNamed(f.to.typ, func(obj *types.TypeName) {
				if obj.Pkg() == p.structs.pkg {
					add(obj.Pos())
				}
			})
		}
	}
	var all constraint.Expr
	seen := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(declared)) {
		// The output of cgo has other lines.
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly|parser.ParseComments)
		if err != nil {
			continue
		}
		for _, x := range fileConstraints(filepath.Base(name), f) {
			switch {
			case seen[x.String()]:
			case all == nil:
				all = x
			default:
				all = &constraint.AndExpr{X: all, Y: x}
			}
			seen[x.String()] = true
		}
	}
	if all == nil {
		return ""
	}
	return all.String()
}

// fileConstraints are the constraints of a file. They come from its name, from its //go:build line,
// and from an import of C. All of them must hold.
func fileConstraints(name string, f *ast.File) (list []constraint.Expr) {
	for _, tag := range nameTags(name) {
		list = append(list, &constraint.TagExpr{Tag: tag})
	}
	for _, group := range f.Comments {
		for _, c := range group.List {
			if c.Pos() < f.Package && constraint.IsGoBuild(c.Text) {
				if x, err := constraint.Parse(c.Text); err == nil {
					list = append(list, conjuncts(x)...)
				}
			}
		}
	}
	if slices.ContainsFunc(f.Imports, func(spec *ast.ImportSpec) bool { return spec.Path.Value == `"C"` }) {
		list = append(list, &constraint.TagExpr{Tag: "cgo"})
	}
	return list
}

// conjuncts are the parts of x && y.
func conjuncts(x constraint.Expr) []constraint.Expr {
	if and, ok := x.(*constraint.AndExpr); ok {
		return append(conjuncts(and.X), conjuncts(and.Y)...)
	}
	return []constraint.Expr{x}
}

// nameTags are the tags that the name of a file requires (go help buildconstraint). go/build knows
// the names of systems and machines.
func nameTags(name string) (tags []string) {
	none := build.Context{OpenFile: func(string) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("package p\n")), nil }}
	builds := func(name, os, arch string) bool {
		c := none
		c.GOOS, c.GOARCH = os, arch
		ok, err := c.MatchFile("", name)
		return ok && err == nil
	}
	if builds(name, "none", "none") {
		return nil
	}
	base, _, _ := strings.Cut(name, ".")
	words := strings.Split(base, "_")
	last := words[len(words)-1]
	switch {
	case builds(name, last, "none"), builds(name, "none", last):
		return []string{last}
	case len(words) > 2 && builds(name, words[len(words)-2], last):
		return []string{words[len(words)-2], last}
	}
	return nil
}
