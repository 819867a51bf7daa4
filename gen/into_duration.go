package gen

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strconv"
)

// isDuration reports whether a type is time.Duration, or declared as it: type Delay time.Duration.
// Types do not record how they were declared. So the declaration is looked up, in another package
// as well.
func (s *Structs) isDuration(t types.Type) bool { return s.durationAfter(t, 8) }

// durationAfter is isDuration for a type at the end of a chain of declarations. A package with
// errors may have chains that lead nowhere.
func (s *Structs) durationAfter(t types.Type, left int) bool {
	n, ok := types.Unalias(t).(*types.Named)
	if isTimeDuration(n) {
		return true
	}
	if b, basic := t.Underlying().(*types.Basic); !ok || !basic || b.Kind() != types.Int64 || n.Obj().Pkg() == nil || left == 0 {
		return false
	}
	file, err := parser.ParseFile(token.NewFileSet(), s.set.Position(n.Obj().Pos()).Filename, nil, parser.SkipObjectResolution)
	if err != nil { // it is gone, or was made by cgo
		return false
	}
	switch x := declaredType(file, n.Obj().Name()).(type) {
	case *ast.Ident:
		obj := n.Obj().Pkg().Scope().Lookup(x.Name)
		return obj != nil && s.durationAfter(obj.Type(), left-1)
	case *ast.SelectorExpr:
		obj, path := selected(n.Obj().Pkg(), file, x)
		return path == "time" && x.Sel.Name == "Duration" || obj != nil && s.durationAfter(obj.Type(), left-1)
	}
	return false
}

func isTimeDuration(t types.Type) bool {
	n, _ := t.(*types.Named)
	return n != nil && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "time" && n.Obj().Name() == "Duration"
}

// declaredType returns the type in the declaration of a name in a file, or nil if there is none.
func declaredType(file *ast.File, name string) ast.Expr {
	for _, d := range file.Decls {
		if d, ok := d.(*ast.GenDecl); ok && d.Tok == token.TYPE {
			for _, spec := range d.Specs {
				if spec := spec.(*ast.TypeSpec); spec.Name.Name == name {
					return ast.Unparen(spec.Type)
				}
			}
		}
	}
	return nil
}

// selected returns the object that a selector names in a file, and its import path. The object is
// nil if it is unknown. A package that was not read from source knows only the packages that its
// exported declarations need.
func selected(pkg *types.Package, file *ast.File, x *ast.SelectorExpr) (obj types.Object, path string) {
	id, ok := x.X.(*ast.Ident)
	if !ok {
		return nil, ""
	}
	for _, spec := range file.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		i := slices.IndexFunc(pkg.Imports(), func(p *types.Package) bool { return p.Path() == path })
		switch {
		case spec.Name != nil && spec.Name.Name != id.Name:
		case i >= 0 && (spec.Name != nil || pkg.Imports()[i].Name() == id.Name):
			return pkg.Imports()[i].Scope().Lookup(x.Sel.Name), path
		case spec.Name != nil, path == id.Name: // only paths of the standard library equal the package name
			return nil, path
		}
	}
	return nil, ""
}
