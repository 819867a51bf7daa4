package gen

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"
)

// ofOtherSystems returns the names of types that unbuilt files of the package embed, or declare
// other types as. Build constraints exclude these files here. They are only parsed, because type
// checking them needs another system. Files that do not parse are skipped. Builds on their system
// report them.
func (s *Structs) ofOtherSystems(pkg *packages.Package) map[string]bool {
	if s.others != nil {
		return s.others
	}
	s.others = map[string]bool{}
	for _, name := range pkg.IgnoredFiles {
		if filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") || name == s.file {
			continue
		}
		f, _ := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if f == nil || f.Name.Name != pkg.Name { // such as a program that go:generate runs
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.StructType:
				for _, field := range n.Fields.List {
					if field.Names == nil {
						s.others[localName(field.Type)] = true
					}
				}
			case *ast.TypeSpec:
				s.others[localName(n.Type)] = true
			}
			return true
		})
	}
	return s.others
}

// localName returns the name of a type of the package, or "" for other types.
func localName(e ast.Expr) string {
	if x, ok := bareType(e).(*ast.Ident); ok {
		return x.Name
	}
	return ""
}
