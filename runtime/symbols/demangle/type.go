package demangle

import "github.com/ianlancetaylor/demangle"

// FullOrType is Full as in uftrace 0.13. A name without _Z is read as a mangled type. 0.13 passes
// every name to the C++ library's demangler, which also accepts types. So a C function b is shown
// as bool. 0.19 does not do this.
func FullOrType(name string) string {
	if Mangled(name) {
		return Full(name)
	}
	if len(name) > maxName {
		return name
	}
	tree, err := demangle.ToAST("_Z1f" + name) // a function with a parameter of that type
	if err != nil {
		return name
	}
	typed, ok := tree.(*demangle.Typed)
	if !ok {
		return name
	}
	function, ok := typed.Type.(*demangle.FunctionType)
	switch {
	case !ok || function.Return != nil:
		return name
	case len(function.Args) == 0 && name == "v":
		return "void"
	case len(function.Args) != 1:
		return name
	}
	return demangle.ASTToString(function.Args[0], demangle.MaxLength(maxFull))
}
