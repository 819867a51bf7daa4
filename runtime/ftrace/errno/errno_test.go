package errno_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"testing"

	"github.com/tracec/tracec/runtime/ftrace/errno"
)

// Every result that has a name has a constant with this name, and no other result has one.
func TestResults(t *testing.T) {
	f, err := parser.ParseFile(token.NewFileSet(), "errno.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]string{}
	ast.Inspect(f, func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok {
			names[spec.Names[0].Name] = "-" + spec.Values[0].(*ast.UnaryExpr).X.(*ast.BasicLit).Value
		}
		return true
	})
	named := 0
	for n := errno.Result(-1 << 16); n < 1<<16; n++ {
		number, name := strconv.FormatInt(int64(n), 10), n.String()
		if name == number {
			continue
		}
		if named++; names[name] != number {
			t.Errorf("%s: a constant of %s, want %s", name, names[name], number)
		}
		if narrow := errno.Result32(n).String(); narrow != name {
			t.Errorf("%s in 32 bits: %s", name, narrow)
		}
	}
	if len(names) != named || named != 149 {
		t.Errorf("%d constants, %d names, want 149", len(names), named)
	}
	for r, want := range map[errno.Result]string{errno.ENOENT: "ENOENT", 3: "3", -5000: "-5000"} {
		if r.String() != want {
			t.Errorf("%d is %s, want %s", int64(r), r, want)
		}
	}
}
