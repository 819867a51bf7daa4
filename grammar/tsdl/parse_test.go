package tsdl

import (
	"strings"
	"testing"

	"github.com/alecthomas/participle/v2/lexer"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// TestExpected checks that errors name the tokens that may follow, and their places.
func TestExpected(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"trace { major = ; };", `1:17: expected a name, a number, a text in quotes or a type, not ";"`},
	} {
		got := "no error"
		if err := Parse("", c.text, func(*Declaration) {}); err != nil {
			got = strings.TrimSuffix(strings.Replace(err.Error(), "error: ", "", 1), " [tsdl-syntax]")
		}
		if got != c.want {
			t.Errorf("%s\n- %s\n+ %s", c.text, c.want, got)
		}
	}
}

var _ = cmp.Diff
var _ = cmpopts.IgnoreTypes(lexer.Position{})
