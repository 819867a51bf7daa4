package gen_test

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/gen"
)

// FuzzNames puts strings at every place from which text of a description gets into Go code. For any
// strings, the code has no duplicate and no unplanned declarations, and no other imports.
func FuzzNames(f *testing.F) {
	for i, name := range hostile {
		f.Add(name, hostile[(i+7)%len(hostile)], hostile[(i+3)%len(hostile)], "x", name)
	}
	f.Fuzz(func(t *testing.T, group, name, one, two, text string) {
		u := &ir.Unit{Lang: "ftrace", Container: "github.com/tracec/tracec/runtime/ftrace", Source: text,
			Target: ir.Target{WordSize: 8}}
		for i, pair := range [][2]string{{group, name}, {name, group}, {group, one}, {two, name}} {
			ev := &ir.Event{Group: pair[0], Name: pair[1], ID: uint32(i), Size: 16, HasText: true}
			ev.Fields = []*ir.Field{
				{Name: one, CType: text, Size: 4},
				{Name: two, CType: one, Kind: ir.Dynamic, Offset: 4, Size: 4, Elem: 1},
				{Name: one, CType: two, Kind: ir.Array, Offset: 8, Size: 8, Elem: 4},
				{Name: two, CType: name, Kind: ir.Tail, Offset: 16, Elem: 2},
			}
			ev.Text = []ir.Stmt{&ir.Lit{S: text}, &ir.PutText{T: &ir.Call{Name: "Symbolic", Args: []ir.Arg{
				&ir.Load{T: ir.I32, From: &ir.FieldBytes{Field: ev.Fields[0]}},
				&ir.Table{Rows: []ir.Row{{Value: 1, Text: text}}},
			}}, Spec: ir.Spec{Prec: -1}}}
			u.Events = append(u.Events, ev)
		}
		for _, split := range []bool{false, true} {
			files, err := gen.Generate(u, gen.Options{Package: "p", Text: true, Split: split,
				ImportPath: "example.org/p", Version: text})
			if err != nil {
				if !regexp.MustCompile(`described twice|both become the Go name`).MatchString(err.Error()) {
					t.Fatal(err)
				}
				continue
			}
			checkPackages(t, files)
		}
	})
}

// checkPackages type-checks the packages of files without their imports.
func checkPackages(t *testing.T, files []gen.File) {
	fset := token.NewFileSet()
	dirs := map[string][]*ast.File{}
	for _, f := range files {
		if strings.Contains(f.Name, "_purego") {
			continue
		}
		parsed, err := parser.ParseFile(fset, f.Name, f.Content, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, imp := range parsed.Imports {
			path := strings.Trim(imp.Path.Value, `"`)
			if path != "unsafe" && path != "context" && path != "iter" &&
				!strings.HasPrefix(path, "github.com/tracec/tracec/runtime/") &&
				!strings.HasPrefix(path, "example.org/p/") {
				t.Errorf("%s imports %s", f.Name, path)
			}
		}
		dir := f.Name[:strings.LastIndexByte(f.Name, '/')+1]
		dirs[dir] = append(dirs[dir], parsed)
	}
	for dir, parsed := range dirs {
		config := types.Config{
			Importer: noImports{},
			Error: func(err error) {
				if s := err.Error(); slices.ContainsFunc([]string{"redeclared", "duplicate", "same name",
					"undefined: "}, func(p string) bool {
					return strings.Contains(s, p)
				}) && !regexp.MustCompile(`undefined: [a-z0-9]+\.`).MatchString(s) {
					t.Errorf("%s: %v", dir, err)
				}
			},
		}
		pkg, _ := config.Check("p", fset, parsed, nil)
		for _, name := range pkg.Scope().Names() {
			if !token.IsIdentifier(name) {
				t.Errorf("%s declares %q", dir, name)
			}
		}
	}
}

type noImports struct{}

func (noImports) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	return nil, errors.New("no imports")
}
