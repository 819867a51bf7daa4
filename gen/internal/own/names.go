package own

import (
	"go/token"
	"go/types"
	"path"
	"regexp"
	"slices"
	"sync"

	"github.com/dave/jennifer/jen"

	"github.com/tracec/tracec/gen/internal/name"
	"github.com/tracec/tracec/grammar/diag"
)

// prefix is the first part of the names that generated code declares for itself in the package of a
// user.
const prefix = "tracec"

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

// Rename returns the function that makes the names of declarations fit into the package: a stem
// before exported names, a prefix before the others.
func (s *Structs) Rename(stem string) func(string) string {
	return func(n string) string {
		if token.IsExported(n) {
			return name.WithStem(stem, n)
		}
		if stem != "" {
			n = name.WithStem(stem, n)
		}
		return name.WithStem(prefix, n)
	}
}

// Clashes reports names that both the decoder and the package declare.
func (s *Structs) Clashes(targets []*Target, declared []string) (messages diag.List) {
	used := map[types.Object]bool{} // by the decoder
	for _, t := range targets {
		used[s.scope.Lookup(t.Struct.Name)] = true
		for _, f := range t.Fills {
			eachNamed(f.to.typ, func(obj *types.TypeName) { used[obj] = true })
		}
	}
	earlier := map[string]bool{}
	for _, n := range slices.Sorted(slices.Values(declared)) {
		obj := s.scope.Lookup(n)
		if obj == nil {
			continue
		}
		switch file := s.position(obj.Pos()).Filename; {
		case used[obj]:
			s.report(&messages, obj.Pos(), "into-name", "the decoder also declares %s: use another name", n)
		case earlier[file]:
		case ofEarlierRun(file):
			earlier[file] = true
			s.report(&messages, obj.Pos(), "into-name",
				"another decoder of this package also declares %s: remove it if this one replaces it, else rename one of them with -stem", n)
		default:
			s.report(&messages, obj.Pos(), "into-name",
				"the decoder also declares %s: rename one of them, the decoder with -stem", n)
		}
	}
	for _, n := range s.scope.Names() {
		if types.Universe.Lookup(n) != nil {
			s.report(&messages, s.scope.Lookup(n).Pos(), "into-name",
				"generated code uses %s as Go declares it: use another name", n)
		}
	}
	return messages
}

// Imports sets the import names for jennifer. packages has the imports of all decoders by path.
// targets have the types of fields. A package is renamed if a declaration or a variable would hide
// it.
func (s *Structs) Imports(f *jen.File, packages map[string]string, targets []*Target) {
	for at, n := range packages {
		s.importAs(f, at, n)
	}
	for _, t := range targets {
		for _, x := range t.Fills {
			eachNamed(x.to.typ, func(obj *types.TypeName) {
				if pkg := obj.Pkg(); pkg != nil && pkg != s.pkg {
					s.importAs(f, pkg.Path(), pkg.Name())
				}
			})
		}
	}
}

func (s *Structs) importAs(f *jen.File, at, n string) {
	switch {
	case s.scope.Lookup(n) != nil, generatedNames(n):
		f.ImportAlias(at, name.WithStem(prefix, name.WithStem("package", n)))
	case path.Base(at) != n:
		f.ImportAlias(at, n)
	default:
		f.ImportName(at, n)
	}
}
