package callstack

import (
	"testing"

	"github.com/tracec/tracec/runtime/symbols/demangle"
)

// TestMatchForms compares what patterns match with what uftrace 0.13 shows of a program with the
// function _Z4facti, by --demangle and --match.
func TestMatchForms(t *testing.T) {
	for _, c := range []struct {
		form    demangle.Form
		name    string
		pattern string
		matches [3]bool // by Syntax
	}{
		{demangle.FormSimple, "fact", "fact", [3]bool{true, true, true}},
		{demangle.FormSimple, "fact", "_Z4facti", [3]bool{true, true, true}},
		{demangle.FormSimple, "fact", "fact.*", [3]bool{true, false, false}},
		{demangle.FormSimple, "fact", "*fact*", [3]bool{false, true, false}},
		{demangle.FormFull, "fact(int)", "fact", [3]bool{false, false, false}},
		{demangle.FormFull, "fact(int)", "_Z4facti", [3]bool{false, true, true}},
		{demangle.FormFull, "fact(int)", "fact(int)", [3]bool{false, true, true}},
		{demangle.FormFull, "fact(int)", "fact.*", [3]bool{true, false, false}},
		{demangle.FormFull, "fact(int)", "*(int*", [3]bool{false, true, false}},
		{demangle.FormNo, "_Z4facti", "fact", [3]bool{false, false, false}},
		{demangle.FormNo, "_Z4facti", "_Z4facti", [3]bool{true, true, true}},
		{demangle.FormNo, "_Z4facti", "_Z*", [3]bool{true, true, false}},
	} {
		for s, want := range c.matches {
			if got := Syntax(s).match(c.pattern, c.form)(c.name); got != want {
				t.Errorf("form %d, syntax %d, %s: %v", c.form, s, c.pattern, got)
			}
		}
	}
}
