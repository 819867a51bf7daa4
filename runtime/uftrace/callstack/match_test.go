package callstack

import (
	"testing"

	"github.com/tracec/tracec/runtime/symbols/demangle"
)

// TestMatchForms compares the matches of patterns with the output of uftrace 0.13 for a program
// with the function _Z4facti, by --demangle and --match.
func TestMatchForms(t *testing.T) {
	simple, full, no := demangle.FormSimple.Name, demangle.FormFull.Name, demangle.FormNo.Name
	for _, c := range []struct {
		shown   func(mangled string) string
		name    string
		pattern string
		matches [3]bool // by Syntax
	}{
		{simple, "fact", "fact", [3]bool{true, true, true}},
		{simple, "fact", "_Z4facti", [3]bool{true, true, true}},
		{simple, "fact", "fact.*", [3]bool{true, false, false}},
		{simple, "fact", "*fact*", [3]bool{false, true, false}},
		{full, "fact(int)", "fact", [3]bool{false, false, false}},
		{full, "fact(int)", "_Z4facti", [3]bool{false, true, true}},
		{full, "fact(int)", "fact(int)", [3]bool{false, true, true}},
		{full, "fact(int)", "fact.*", [3]bool{true, false, false}},
		{full, "fact(int)", "*(int*", [3]bool{false, true, false}},
		// of C functions a, b and c
		{demangle.FullOrType, "bool", "b", [3]bool{true, true, true}},
		{demangle.FullOrType, "bool", "bool", [3]bool{true, true, true}},
		{demangle.FullOrType, "bool", "*b", [3]bool{false, false, false}},
		{demangle.FullOrType, "bool", "b*", [3]bool{true, true, false}},
		{demangle.FullOrType, "bool", "*ool", [3]bool{false, true, false}},
		{demangle.FullOrType, "signed char", "^signed", [3]bool{true, false, false}},
		{demangle.FullOrType, "signed char", "char", [3]bool{false, false, false}},
		{demangle.FullOrType, "char", "*c", [3]bool{false, false, false}},
		{no, "_Z4facti", "fact", [3]bool{false, false, false}},
		{no, "_Z4facti", "_Z4facti", [3]bool{true, true, true}},
		{no, "_Z4facti", "_Z*", [3]bool{true, true, false}},
	} {
		for s, want := range c.matches {
			if got := Syntax(s).match(c.pattern, c.shown)(c.name); got != want {
				t.Errorf("%s, syntax %d, %s: %v", c.name, s, c.pattern, got)
			}
		}
	}
}
