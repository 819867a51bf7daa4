package demangle

import (
	"strings"

	"github.com/ianlancetaylor/demangle"
)

// maxFull limits the length of a full name: 2 to this power.
const maxFull = 20

// Full returns the whole name with template arguments and parameters, as in uftrace's
// --demangle=full. A name that cannot be parsed, or is not mangled, is returned unchanged. Legacy
// names of Rust are shown like names of C++, with their hash: uftrace uses the C++ library's
// demangler.
func Full(name string) string {
	if !Mangled(name) {
		return name
	}
	if len(name) > maxName {
		return name
	}
	if name[1] == 'R' {
		text, err := demangle.ToString(name, demangle.MaxLength(maxFull))
		if err != nil {
			return name
		}
		return text
	}
	tree, err := demangle.ToAST(name)
	if err != nil {
		return name
	}
	seen := map[demangle.AST]bool{}
	tree.Traverse(func(a demangle.AST) bool {
		if seen[a] {
			return false // parts of a name are shared
		}
		seen[a] = true
		followLibrary(a)
		return true
	})
	text := demangle.ASTToString(tree, demangle.MaxLength(maxFull))
	for strings.Contains(text, ", >") {
		text = strings.ReplaceAll(text, ", >", ">")
	}
	return text
}

// followLibrary changes a node for which the C++ library's demangler has another output. Inherited
// constructors have the name of the base class. Empty packs leave their comma behind, except at the
// end. There they also leave no blank between two closing brackets (Full removes their commas).
func followLibrary(a demangle.AST) {
	switch a := a.(type) {
	case *demangle.Constructor:
		if a.Base != nil {
			a.Name = baseName(a.Base)
		}
	case *demangle.Template:
		for i, arg := range a.Args {
			if pack, ok := arg.(*demangle.ArgumentPack); ok && len(pack.Args) == 0 && len(a.Args) > 1 {
				a.Args[i] = &demangle.Name{}
			}
		}
	}
}

// baseName returns the last part of the name of a class.
func baseName(a demangle.AST) demangle.AST {
	for {
		switch c := a.(type) {
		case *demangle.Template:
			a = c.Name
		case *demangle.Qualified:
			a = c.Name
		case *demangle.TaggedName:
			a = c.Name
		default:
			return a
		}
	}
}

// noParameters returns the name without parameters and return type, but with template arguments, as
// perf prints it. A name that cannot be parsed, or is not mangled, is returned unchanged.
func noParameters(name string) string {
	if !Mangled(name) || len(name) > maxName {
		return name
	}
	return demangle.Filter(name, demangle.NoParams, demangle.MaxLength(maxFull))
}
