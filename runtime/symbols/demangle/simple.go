package demangle

import (
	"strconv"
	"strings"

	"github.com/ianlancetaylor/demangle"
)

// maxName limits the names to demangle. Longer ones are unchanged: the time to demangle a hostile
// name grows faster than its length.
const maxName = 1 << 14

// maxDepth limits the nesting of a name.
const maxDepth = 512

// globalInit is the prefix that g++ gives to functions that initialize the objects of a file.
const globalInit = "_GLOBAL__sub_I_"

// Simple returns the qualified name of a mangled symbol. A name that is not mangled, or that cannot
// be parsed, is returned unchanged.
func Simple(name string) string {
	if rest, ok := strings.CutPrefix(name, globalInit); ok {
		return globalInit + Simple(rest)
	}
	if !Mangled(name) || len(name) > maxName {
		return name
	}
	if name[1] == 'R' {
		return simpleRust(name)
	}
	bare, version, _ := strings.Cut(name, "@") // version of the library: _ZNSt8ios_base4InitC1Ev@GLIBCXX_3.4
	tree, err := demangle.ToAST(bare, demangle.NoParams)
	if err != nil {
		return name
	}
	if version != "" && isObject(tree) {
		return name
	}
	w := simpleWriter{oldString: strings.Contains(name, "NSsC") || strings.Contains(name, "NSsD")}
	w.write(tree)
	if w.failed || len(w.text) == 0 {
		return name
	}
	return string(w.text)
}

// isObject reports whether a symbol is data that the compiler made for a class or a variable, such
// as a table of virtual functions. uftrace leaves the name of such a symbol unchanged if it has a
// version.
func isObject(tree demangle.AST) bool {
	switch a := tree.(type) {
	case *demangle.Special2:
		return true
	case *demangle.Special:
		return !strings.Contains(a.Prefix, "thunk to")
	}
	return false
}

// Mangled reports whether a name looks like a name of C++ or Rust.
func Mangled(name string) bool {
	return len(name) > 2 && name[0] == '_' && (name[1] == 'Z' || name[1] == 'R')
}

// simpleWriter writes the name in a tree.
type simpleWriter struct {
	text   []byte
	depth  int
	failed bool
	last   string // the name written last
	// lastClass is set if constructors are named after last: an ABI tag or a type without a name
	// followed the class.
	lastClass bool
	// isType is set if the name is the name of a type, not of a function in it.
	isType bool
	// oldString is set if the name has a constructor or destructor of Ss, std::string before C++11.
	// The tree then has the template instead of the abbreviation.
	oldString bool
}

func (w *simpleWriter) put(s string) { w.text = append(w.text, s...) }

func (w *simpleWriter) write(a demangle.AST) {
	if w.depth++; w.depth > maxDepth || a == nil {
		w.failed = true
	}
	if w.failed {
		return
	}
	defer func() { w.depth-- }()
	switch a := a.(type) {
	case *demangle.Name:
		w.name(a.Name)
	case *demangle.Typed:
		w.write(a.Name)
	case *demangle.Template:
		w.write(a.Name)
	case *demangle.Qualified:
		if w.abbreviation(a) {
			break
		}
		w.write(a.Scope)
		_, closure := a.Name.(*demangle.Closure)
		if _, ok := a.Name.(*demangle.UnnamedType); ok || closure && w.isType {
			w.lastClass = true // the name is left out
		} else if n, ok := a.Name.(*demangle.Name); !ok || !isHash(n.Name) {
			w.put("::")
			w.write(a.Name)
		}
	case *demangle.MethodWithQualifiers:
		w.write(a.Method)
	case *demangle.Clone:
		w.write(a.Base)
	case *demangle.Constraint:
		w.write(a.Name)
	case *demangle.EnableIf:
		w.write(a.Type)
	case *demangle.Friend:
		w.write(a.Name)
	case *demangle.TaggedName:
		w.write(a.Name)
		w.put("::")
		w.write(a.Tag)
		w.lastClass = true
	case *demangle.Constructor:
		w.class(a.Name)
	case *demangle.Destructor:
		w.put("~")
		w.class(a.Name)
	case *demangle.Operator:
		w.operator(a.Name)
	case *demangle.Unary:
		w.write(a.Op)
	case *demangle.Cast:
		w.put("operator(cast)")
	case *demangle.Closure:
		w.unnamed(a.Num)
	case *demangle.UnnamedType:
		w.unnamed(a.Num)
	case *demangle.Special:
		w.special(a)
	case *demangle.Special2:
		w.special2(a)
	case *demangle.ModuleEntity:
		w.write(a.Name)
	case *demangle.DefaultArg:
		w.write(a.Arg)
	default:
		w.failed = true
	}
}

// abbreviations are the short forms St, So, ... of old compilers. No type of the library has the
// names on the left.
var abbreviations = map[string]string{"string": "basic_string<>", "istream": "basic_istream",
	"ostream":  "basic_ostream",
	"iostream": "basic_iostream"}

func (w *simpleWriter) abbreviation(a *demangle.Qualified) bool {
	scope, ok := a.Scope.(*demangle.Name)
	if !ok || scope.Name != "std" {
		return false
	}
	name, ok := a.Name.(*demangle.Name)
	if ok && w.oldString && name.Name == "basic_string" {
		name = &demangle.Name{Name: "string"}
	}
	if !ok || abbreviations[name.Name] == "" {
		return false
	}
	w.last, w.lastClass = abbreviations[name.Name], true
	w.put("std::")
	w.put(w.last)
	return true
}

// class writes the name of a constructor or destructor.
func (w *simpleWriter) class(a demangle.AST) {
	if w.lastClass {
		w.put(w.last)
		return
	}
	w.write(a)
}

func (w *simpleWriter) name(name string) {
	w.last, w.lastClass = name, false
	if name == "(anonymous namespace)" {
		name = "_GLOBAL__N_1"
	}
	w.unescape(name)
}

// operator writes "operator delete", "operator<<".
func (w *simpleWriter) operator(name string) {
	w.put("operator")
	name = strings.TrimPrefix(strings.TrimSpace(name), "operator") // for literals, the table contains the word
	if name != "" && (name[0] >= 'a' && name[0] <= 'z') {
		w.put(" ")
	}
	w.put(name)
}

// unnamed writes a lambda or a type without a name. uftrace counts both from 0.
func (w *simpleWriter) unnamed(n int) {
	w.put("$_")
	w.text = strconv.AppendInt(w.text, int64(n), 10)
}

// special writes thunks as the function that they call, and names of objects with their kind.
func (w *simpleWriter) special(a *demangle.Special) {
	for _, p := range specialPrefixes {
		if strings.HasPrefix(a.Prefix, p.begins) {
			w.put(p.text)
			w.isType = p.isType
			break
		}
	}
	val := a.Val
	if w.isType {
		val = pointee(val)
	}
	w.write(val)
}

// specialPrefixes are uftrace's words for longer ones of the demangler's library.
var specialPrefixes = []struct {
	begins, text string
	isType       bool
}{
	{"guard variable", "__guard_variable__", false},
	{"vtable", "__vtable__", true},
	{"VTT", "__VTT__", true},
	{"typeinfo name", "__typeinfo__", true}, // uftrace 0.13 has swapped the two
	{"typeinfo for", "__typeinfo_name__", true},
	{"TLS init", "TLS_init::", false},
	{"TLS wrapper", "TLS_wrap::", false},
	{"reference temporary", "__ref_temp__", false},
}

// pointee returns the type of the target of a pointer or reference, or of the elements of an array.
// uftrace shows no more.
func pointee(a demangle.AST) demangle.AST {
	for {
		switch t := a.(type) {
		case *demangle.PointerType:
			a = t.Base
		case *demangle.ReferenceType:
			a = t.Base
		case *demangle.RvalueReferenceType:
			a = t.Base
		case *demangle.TypeWithQualifiers:
			a = t.Base
		case *demangle.ArrayType:
			a = t.Element
		default:
			return a
		}
	}
}

func (w *simpleWriter) special2(a *demangle.Special2) {
	switch {
	case strings.HasPrefix(a.Prefix, "construction vtable"):
		w.put("__construction_vtable__")
		w.write(a.Val2)
	default:
		w.write(a.Val1)
	}
}
