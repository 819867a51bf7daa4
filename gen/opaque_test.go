package gen

import (
	"testing"

	"github.com/tracec/tracec/compiler/ir"
)

// A field keeps its elements only if the text reads only whole elements.
func TestElementSizes(t *testing.T) {
	words := &ir.Field{Name: "words", Kind: ir.Array, Size: 32, Elem: 8}
	halves := &ir.Field{Name: "halves", Kind: ir.Dynamic, Offset: 32, Size: 4, Elem: 4}
	raw := &ir.Field{Name: "raw", Kind: ir.Bytes, Offset: 36, Size: 4, Elem: 1}
	index := &ir.Load{T: ir.I32, From: &ir.FieldBytes{Field: raw}}
	of := func(f *ir.Field) ir.Region { return &ir.FieldBytes{Field: f} }
	num := func(v uint64) ir.Value { return &ir.Const{T: ir.I32, V: v} }
	load := func(t ir.Type, r ir.Region, at ir.Value) []ir.Stmt {
		return []ir.Stmt{&ir.PutInt{V: &ir.Load{T: t, From: r, At: at}, Spec: ir.Spec{Verb: 'd', Prec: -1}}}
	}
	times := func(n uint64) ir.Value { return &ir.Binary{Op: ir.OpMul, X: index, Y: num(n)} }
	call := func(name string, args ...ir.Arg) []ir.Stmt {
		return []ir.Stmt{&ir.PutText{T: &ir.Call{Name: name, Args: args}, Spec: ir.Spec{Prec: -1}}}
	}
	cond := &ir.CondBytes{If: index, Then: of(words), Else: of(halves)}
	tests := []struct {
		name          string
		text          []ir.Stmt
		words, halves int
	}{
		{"unused", nil, 8, 4},
		{"elements", load(ir.U64, of(words), times(8)), 8, 4},
		{"elements by shift", load(ir.U64, of(words), &ir.Binary{Op: ir.OpShl, X: index, Y: num(3)}), 8, 4},
		{"elements behind a cast", load(ir.I32, of(halves), &ir.Convert{T: ir.U64, X: times(4)}), 8, 4},
		{"an element in a slice", load(ir.U64, &ir.Slice{Of: of(words), At: num(16)}, num(8)), 8, 4},
		{"another size", load(ir.U32, of(words), nil), 1, 4},
		{"between elements", load(ir.U64, of(words), num(4)), 1, 4},
		{"anywhere", load(ir.U64, of(words), index), 1, 4},
		{"a slice from anywhere", load(ir.U64, &ir.Slice{Of: of(words), At: index}, nil), 1, 4},
		{"either of two sizes", load(ir.U64, cond, nil), 1, 1},
		{"its length", []ir.Stmt{&ir.PutInt{V: &ir.Len{Of: of(halves)}, Spec: ir.Spec{Verb: 'd'}}}, 8, 4},
		{"text", []ir.Stmt{&ir.PutText{T: &ir.CString{Of: of(words)}}}, 1, 4},
		{"dump", call("Hex", of(halves), num(4)), 8, 1},
		{"array", call("Array", of(halves), num(2), num(4)), 8, 4},
		{"array of another size", call("Array", of(halves), num(2), num(8)), 8, 1},
		{"array of a size that depends", call("Array", of(halves), num(2), index), 8, 1},
		{"stack", call("StackTrace", of(words)), 8, 4},
		{"stack of half words", call("StackTrace", of(halves)), 8, 1},
		{"bitmap", call("Bitmask", of(words)), 1, 4},
		{"through a buffer", append([]ir.Stmt{&ir.LetBytes{V: of(words)}}, load(ir.U64, &ir.LocalBytes{}, num(8))...),
			8, 4},
		{"dump of a buffer", append([]ir.Stmt{&ir.LetBytes{V: of(words)}}, call("Hex", &ir.LocalBytes{}, num(4))...), 1,
			4},
		{
			"a buffer that held other bytes", append(load(ir.U64, &ir.LocalBytes{}, num(8)),
				&ir.LetBytes{V: of(raw)}, &ir.LetBytes{V: of(words)}), 1, 4,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ev := &ir.Event{Fields: []*ir.Field{words, halves, raw}, Size: 40, Text: tt.text, HasText: true, Buffers: 1}
			elems, _ := elementSizes(ev, ir.Target{WordSize: 8})
			if elems[words] != tt.words || elems[halves] != tt.halves {
				t.Errorf("words %d, halves %d; want %d, %d", elems[words], elems[halves], tt.words, tt.halves)
			}
		})
	}
}
