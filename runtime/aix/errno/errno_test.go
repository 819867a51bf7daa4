package errno_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"testing"

	"github.com/tracec/tracec/runtime/aix/errno"
)

// Every number that the report names has a constant with this name, and no other number has one.
func TestNumbers(t *testing.T) {
	f, err := parser.ParseFile(token.NewFileSet(), "errno.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]string{}
	ast.Inspect(f, func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok {
			names[spec.Names[0].Name] = spec.Values[0].(*ast.BasicLit).Value
		}
		return true
	})
	named := 0
	for n := range errno.Number(1 << 16) {
		number, name := strconv.FormatUint(uint64(n), 10), n.String()
		if name != number {
			named++
		}
		if name != number && names[name] != number {
			t.Errorf("%s: a constant of %s, want %s", name, names[name], number)
		}
	}
	if len(names) != named || named != 109 {
		t.Errorf("%d constants, %d names, want 109", len(names), named)
	}
	if errno.ENOENT.String() != "ENOENT" || errno.Number(1<<40).String() != "1099511627776" {
		t.Error(errno.ENOENT, errno.Number(1<<40))
	}
}
