package docs

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestUnsafe: docs/unsafe.md lists the files that use unsafe, and no others, with tests that exist.
func TestUnsafe(t *testing.T) {
	page, err := os.ReadFile("unsafe.md")
	if err != nil {
		t.Fatal(err)
	}
	var listed []string
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z_/0-9]+\\.go)` \\|").FindAllSubmatch(page, -1) {
		listed = append(listed, string(m[1]))
	}
	var using, tests []string
	goFiles(t, func(name string, text []byte) {
		switch {
		case strings.HasSuffix(name, "_test.go"):
			for _, m := range regexp.MustCompile(`(?m)^func (Test\w+)\(`).FindAllSubmatch(text, -1) {
				tests = append(tests, string(m[1]))
			}
		case !strings.HasPrefix(string(text), "// Code generated") && pointsUnsafely(t, name, text):
			using = append(using, name)
		}
	})
	slices.Sort(listed)
	slices.Sort(using)
	if !slices.Equal(listed, using) {
		t.Errorf("docs/unsafe.md lists\n%s\nunsafe is used in\n%s", strings.Join(listed, "\n"),
			strings.Join(using, "\n"))
	}
	for _, m := range regexp.MustCompile("`(Test\\w+)`").FindAllSubmatch(page, -1) {
		if !slices.Contains(tests, string(m[1])) {
			t.Errorf("docs/unsafe.md names %s, and no test has that name", m[1])
		}
	}
}

// pointsUnsafely reports whether a file uses more of package unsafe than its constants.
func pointsUnsafely(t *testing.T, name string, text []byte) bool {
	t.Helper()
	if !strings.Contains(string(text), `"unsafe"`) {
		return false
	}
	f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	found := false
	ast.Inspect(f, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if x, ok := sel.X.(*ast.Ident); ok && x.Name == "unsafe" {
			found = found || !slices.Contains([]string{"Sizeof", "Offsetof", "Alignof"}, sel.Sel.Name)
		}
		return true
	})
	return found
}
