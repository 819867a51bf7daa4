package gen

import (
	"go/parser"
	"go/token"
	"path/filepath"
	"testing"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/runtime/render"
)

// The numbers in package ir equal the numbers in runtime/render. The names that generated code uses
// are equal as well.
func TestFactsAndExits(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", "runtime", "render", "facts.go"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	declared := func(name string) bool { return file.Scope.Lookup(name) != nil }
	for id := ir.FactID(1); int(id) < ir.Facts; id++ {
		if id.String() != render.Fact(id).String() || !declared(facts[id]) {
			t.Errorf("fact %d: %s in ir, %s in render, %q in generated code", id, id, render.Fact(id), facts[id])
		}
	}
	if got := render.Fact(ir.Facts).String(); got[:5] != "fact(" {
		t.Errorf("render has more facts: %s", got)
	}
	for r := ir.Break; r <= ir.Short; r++ {
		if r.String() != render.ExitReason(r).String() || !declared(exits[r]) {
			t.Errorf("exit %d: %s in ir, %s in render, %q in generated code", r, r, render.ExitReason(r), exits[r])
		}
	}
}
