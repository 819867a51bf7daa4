package gen

import (
	"context"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/dave/jennifer/jen"
	"golang.org/x/tools/go/packages"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/grammar/diag"
)

// own is the prefix of names that generated code declares for itself in the package of a user.
const own = "tracec"

// generatedVariables are the names of variables in generated functions. They would hide types of
// the same name.
var generatedVariables = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^([bdehmoprstwxT]|[bintvx]s?[0-9]+(_[0-9]+)?|data|dst|end|env|err|head|i|is|list|ok|rec|scratch|slot|src|start|word)$`)
})

// generatedNames reports whether generated code uses a name that the user's package may declare for
// another purpose.
func generatedNames(name string) bool {
	return generatedVariables().MatchString(name) || types.Universe.Lookup(name) != nil
}

// declaredNames are the names that generated code declares, without a stem.
var declaredNames = nameSet("dispatch", "events", "Decoder", "Bind", "Package")

// named are the names of the package that generated code uses: names of structs and of field types.
func (p *intoPkg) named() map[string]bool {
	names := map[string]bool{}
	for _, e := range p.events {
		names[e.goName] = true
		for _, f := range e.fills {
			eachNamed(f.to.typ, func(obj *types.TypeName) {
				if obj.Pkg() == p.structs.pkg {
					names[obj.Name()] = true
				}
			})
		}
	}
	return names
}

// eachNamed calls do with each type name that generated code uses for the type of a field.
func eachNamed(t types.Type, do func(*types.TypeName)) {
	switch t := types.Unalias(t).(type) {
	case *types.Slice:
		eachNamed(t.Elem(), do)
	case *types.Array:
		eachNamed(t.Elem(), do)
	case *types.Named:
		do(t.Obj())
	}
}

// finish makes the names of the generated file fit into the package. Declared names get a stem.
// Imports get other names if the package declares their names. named are the names of the package
// that the file uses. No declaration in the file may have one of them before it gets its stem.
func (s *Structs) finish(files []File, stem string, named map[string]bool) (messages diag.List) {
	for i := range files {
		taken := map[string]bool{}
		declared, err := renameTop(files[i:i+1], func(name string) string {
			if named[name] {
				taken[name] = true
			}
			switch {
			case !token.IsExported(name):
				return stemmed(own+withFirstUpper(stem), name)
			case stem != "":
				return stemmed(stem, name)
			}
			return name
		})
		if err == nil {
			files[i].Content, err = s.renameImports(files[i])
		}
		if err != nil {
			return diag.List{{Pos: diag.Position{Filename: files[i].Name}, Code: "into-bug", Msg: err.Error()}}
		}
		for _, name := range slices.Sorted(maps.Keys(taken)) {
			s.report(&messages, s.scope.Lookup(name).Pos(), "into-name", "the decoder declares %s, too: choose another name", name)
		}
		earlier := map[string]bool{}
		for _, name := range declared {
			obj := s.scope.Lookup(name)
			if taken[name] || obj == nil {
				continue
			}
			switch file := s.set.Position(obj.Pos()).Filename; {
			case earlier[file]:
			case ofEarlierRun(file):
				earlier[file] = true
				s.report(&messages, obj.Pos(), "into-name", "there is another decoder of this package, which declares %s, too: remove it if this one takes its place, else give one of both a name by -stem", name)
			default:
				s.report(&messages, obj.Pos(), "into-name", "the decoder declares %s, too: name one of both otherwise, the decoder by -stem", name)
			}
		}
	}
	for _, name := range s.scope.Names() {
		if types.Universe.Lookup(name) != nil {
			s.report(&messages, s.scope.Lookup(name).Pos(), "into-name", "generated code uses %s as Go declares it: choose another name", name)
		}
	}
	return messages
}

func withFirstUpper(s string) string {
	if s == "" {
		return ""
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// imports gives jennifer the names of packages: packages of the container and packages of the
// user's types. A package is renamed if a variable of generated code would hide it.
func (p *intoPkg) imports(f *jen.File) {
	p.system.imports(f)
	for _, e := range p.events {
		for _, x := range e.fills {
			eachNamed(x.to.typ, func(obj *types.TypeName) { p.importOf(f, obj.Pkg()) })
		}
	}
}

// importOf gives jennifer the name of a package.
func (p *intoPkg) importOf(f *jen.File, pkg *types.Package) {
	switch {
	case pkg == nil || pkg == p.structs.pkg:
	case declaredNames[pkg.Name()]:
		f.ImportAlias(pkg.Path(), stemmed(own+"Package", pkg.Name()))
	case generatedNames(pkg.Name()):
		f.ImportAlias(pkg.Path(), stemmed(own, pkg.Name()))
	case path.Base(pkg.Path()) != pkg.Name():
		f.ImportAlias(pkg.Path(), pkg.Name())
	default:
		f.ImportName(pkg.Path(), pkg.Name())
	}
}

// renameImports gives another name to each import whose name is declared in the package.
func (s *Structs) renameImports(f File) ([]byte, error) {
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, f.Name, f.Content, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	r := renaming{names: map[string]string{}, tree: tree, set: set, keys: map[*ast.Ident]bool{}}
	for _, spec := range tree.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, err
		}
		name := path[strings.LastIndexByte(path, '/')+1:]
		if spec.Name != nil {
			name = spec.Name.Name
		}
		if s.scope.Lookup(name) == nil {
			continue
		}
		other := stemmed(own, name)
		r.names[name] = other
		if spec.Name != nil {
			r.edits = append(r.edits, edit{set.Position(spec.Name.Pos()).Offset, name, other})
		} else {
			r.edits = append(r.edits, edit{set.Position(spec.Path.Pos()).Offset, "", other + " "})
		}
	}
	if len(r.names) == 0 {
		return f.Content, nil
	}
	unresolved := map[*ast.Ident]bool{} // packages, and declarations in other files
	for _, id := range tree.Unresolved {
		unresolved[id] = true
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok { // a type of the same name has nothing after it
			if id, ok := sel.X.(*ast.Ident); ok && unresolved[id] {
				r.ident(id)
			}
		}
		return true
	})
	return format.Source(r.apply(f.Content))
}

// Check compiles the package with files, which GenerateInto made, instead of the present ones. It
// returns the errors in the rest of the package, such as a use of a Decoder that is renamed by now,
// or of a struct that is gone. Such errors do not prevent generating, because often a file is
// missing that another generator makes. A package that had no error before is not compiled again.
// Directives in test files are also warnings.
func (s *Structs) Check(ctx context.Context, files []File) (warnings diag.List, err error) {
	warnings = s.inTests()
	if !s.broken {
		return warnings, nil
	}
	for _, f := range files {
		pkg, err := s.load(ctx, f.Content)
		if err != nil {
			return nil, err
		}
		for _, e := range pkg.Errors {
			if e.Kind != packages.TypeError || strings.HasPrefix(e.Msg, "could not import ") && strings.HasPrefix(e.Pos, s.file+":") {
				continue // the go command repeats errors of go/types, and itself reports what a module lacks
			}
			warnings = append(warnings, s.warning(e.Pos, e.Msg))
		}
	}
	return warnings, nil
}

var placeInFile = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(.*):(\d+):(\d+)$`) })

// warning is an error of go/types.
func (s *Structs) warning(pos, msg string) diag.Diagnostic {
	at := diag.Position{Filename: s.short(pos)}
	if m := placeInFile().FindStringSubmatch(at.Filename); m != nil {
		at.Filename = m[1]
		at.Line, _ = strconv.Atoi(m[2])
		at.Column, _ = strconv.Atoi(m[3])
	}
	return diag.Diagnostic{Pos: at, Severity: diag.Warning, Code: "into-package", Msg: strings.Join(strings.Fields(msg), " ")}
}

// Dir is the absolute directory of the package.
func (s *Structs) Dir() string { return s.dir }

// Events are the events of the structs as the directives name them, sorted.
func (s *Structs) Events() (names []string) {
	for _, x := range s.list {
		names = append(names, x.Event)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Choose has GenerateInto pass over structs whose event match does not report true for. label is
// another name of the event and may be empty, and so may group.
func (s *Structs) Choose(match func(group, name, label string) bool) { s.match = match }

// chooses reports whether a struct is selected.
func (s *Structs) chooses(x *Struct, ev *ir.Event) bool {
	if s.match == nil {
		return true
	}
	group := ev.Group
	if before, _, ok := strings.Cut(x.Event, ":"); group == "" && ok { // the module of a function, where it is the only one of its name
		group = before
	}
	return s.match(group, ev.Name, ev.Label)
}
