package gen_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"testing"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/gen"
)

// The type of a structure in one event has a different name from the type in another event.
func TestNamesOfStructures(t *testing.T) {
	event := func(name string, fields ...*ir.Field) *ir.Event {
		data := &ir.Field{Name: "data", CType: "char[]", Kind: ir.Tail, Elem: 1}
		return &ir.Event{Group: "f", Name: name, Fields: append([]*ir.Field{data}, fields...)}
	}
	x := func() *ir.Field { return &ir.Field{Name: "x", CType: "u32", Size: 4, Offset: ir.Sequential} }
	u := &ir.Unit{Lang: "lttng", Container: "github.com/tracec/tracec/runtime/lttng", Entries: true, Sequential: true,
		Target: target64, Events: []*ir.Event{
			event("e", &ir.Field{Name: "a", CType: "{x u32}", Kind: ir.Struct, Offset: ir.Sequential,
				Fields: []*ir.Field{x()}}),
			event("ea", x()),
		}}
	files, err := gen.Generate(u, gen.Options{Package: "p"})
	if err != nil {
		t.Fatal(err)
	}
	declared := map[string]int{}
	for _, f := range files {
		tree, err := parser.ParseFile(token.NewFileSet(), f.Name, f.Content, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			if spec, ok := n.(*ast.TypeSpec); ok {
				declared[spec.Name.Name]++
			}
			return true
		})
	}
	if declared["FE"] != 1 || declared["FEA"] != 1 || len(declared) != 5 {
		t.Errorf("types %v", declared)
	}
}
