package ir_test

import (
	"bytes"
	"flag"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/compiler/ir"
)

var update = flag.Bool("update", false, "rewrite testdata/every.ir")

// TestDump prints one event with every kind of node.
func TestDump(t *testing.T) {
	var b bytes.Buffer
	u := &ir.Unit{
		Lang: "ftrace", Source: "testdata/every", Target: ir.Target{BigEndian: true, WordSize: 8},
		Events: []*ir.Event{every(), nested(), {Group: "odd name", Name: "", ID: 7, Why: "no print fmt"}},
	}
	if err := ir.Check(u); err != nil {
		t.Fatal(err)
	}
	if err := u.Dump(&b); err != nil {
		t.Fatal(err)
	}
	const golden = "testdata/every.ir"
	if *update {
		if err := os.WriteFile(golden, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), b.String()); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

// TestDumpBroken prints events that Check rejects, because dumps are needed then.
func TestDumpBroken(t *testing.T) {
	ev := &ir.Event{Group: "g", Name: "n", HasText: true, Fields: []*ir.Field{nil, {Name: "x", Kind: 9}},
		Text: []ir.Stmt{
			nil,
			&ir.Keep{},
			&ir.PutInt{},
			&ir.PutText{},
			&ir.LetBytes{},
			&ir.PutText{T: &ir.CString{Of: &ir.FieldBytes{}}},
			&ir.PutText{T: &ir.Call{Name: "no such", Args: []ir.Arg{3}}},
		}}
	var b bytes.Buffer
	if err := ev.Dump(&b); err != nil || b.Len() == 0 {
		t.Errorf("%v, %d bytes", err, b.Len())
	}
}

// every returns an event with all kinds of fields and nodes.
func every() *ir.Event {
	n := &ir.Field{Name: "n", CType: "int", Offset: 8, Size: 4, Signed: true}
	comm := &ir.Field{Name: "comm", CType: "char[16]", Kind: ir.Array, Offset: 12, Size: 16, Elem: 1, Text: true}
	name := &ir.Field{Name: "name", CType: "__rel_loc char[]", Kind: ir.Dynamic, Offset: 28, Size: 4, Elem: 1,
		Rel: true, Text: true}
	raw := &ir.Field{Name: "a b", CType: "struct s", Kind: ir.Bytes, Offset: 32, Size: 8}
	rest := &ir.Field{Name: "rest", CType: "u32[]", Kind: ir.Tail, Offset: 40, Elem: 4}
	load := &ir.Load{T: ir.I32, From: &ir.FieldBytes{Field: n}}
	i32 := func(v int32) ir.Value { return &ir.Const{T: ir.I32, V: uint64(v)} }
	u64 := func(v uint64) ir.Value { return &ir.Const{T: ir.U64, V: v} }
	plain := ir.Spec{Verb: 's', Prec: -1}
	table := &ir.Table{Rows: []ir.Row{{Value: 1, Text: "ON\n"}, {Value: 1 << 63, Text: "OFF"}}}
	local, buf := &ir.Local{T: ir.I32}, &ir.LocalBytes{}
	return &ir.Event{
		Group: "test", Name: "every", ID: 300, Size: 40, HasText: true, Slots: 1, Buffers: 1,
		Fields: []*ir.Field{{Name: "common_type", CType: "unsigned short", Size: 2, Common: true}, n, comm, name, raw,
			rest},
		Text: []ir.Stmt{
			&ir.Lit{S: "n=\""},
			&ir.PutInt{V: load, Spec: ir.Spec{Verb: 'd', Minus: true, Zero: true, Width: 8, Prec: 3}},
			&ir.PutInt{
				V: &ir.Cond{If: &ir.Unary{Op: ir.OpNot, X: load}, Then: &ir.Unary{Op: ir.OpNeg, X: load},
					Else: i32(-1)},
				Spec: ir.Spec{Verb: 'x', Sharp: true, Plus: true, Space: true, Prec: -1},
			},
			&ir.Let{Slot: 0, V: &ir.Convert{T: ir.I32, X: &ir.Binary{Op: ir.OpShr, X: u64(1 << 40), Y: load}}},
			&ir.LetBytes{Slot: 0, V: &ir.Slice{Of: &ir.FieldBytes{Field: rest}, At: local,
				Len: &ir.Len{Of: &ir.FieldBytes{Field: name}}}},
			&ir.If{
				Cond: &ir.Binary{Op: ir.OpLogAnd, X: local,
					Y: &ir.Func{T: ir.U32, Name: "Swab32", Args: []ir.Value{load}}},
				Then: []ir.Stmt{&ir.PutText{T: &ir.CString{Of: &ir.FieldBytes{Field: comm}},
					Spec: ir.Spec{Width: 16, Prec: -1, Verb: 's'}}},
				Else: []ir.Stmt{&ir.PutText{T: &ir.CondText{
					If:   &ir.Load{T: ir.U8, From: buf, At: i32(3)},
					Then: &ir.Call{Name: "Symbolic", Args: []ir.Arg{load, table}},
					Else: &ir.CString{Of: &ir.CondBytes{If: local, Then: &ir.Str{S: "s"},
						Else: &ir.FieldBytes{Field: raw}}},
				}, Spec: plain}},
			},
			&ir.Switch{
				X: load,
				Cases: []ir.SwitchCase{
					{Values: []uint64{1, ^uint64(0)}, Body: []ir.Stmt{&ir.Lit{S: "one"}}},
					{Values: []uint64{2}},
				},
				Default: []ir.Stmt{&ir.Lit{S: "other"}},
			},
			&ir.Loop{
				Cond: &ir.Binary{Op: ir.OpLt, X: local, Y: i32(4)}, Limit: 4,
				Body: []ir.Stmt{&ir.Let{Slot: 0, V: &ir.Binary{Op: ir.OpAdd, X: local, Y: i32(1)}}},
			},
			&ir.PutText{
				T: &ir.Call{Name: "Hex", Args: []ir.Arg{
					&ir.Program{Body: []ir.Stmt{&ir.PutText{T: &ir.Call{Name: "Flags",
						Args: []ir.Arg{u64(3), ir.StrArg("|"), table}}, Spec: plain}}},
					i32(4),
				}},
				Spec: ir.Spec{Verb: 's', WidthArg: load, PrecArg: i32(2), Prec: -1},
			},
			&ir.Require{Of: &ir.FieldBytes{Field: rest}, Bytes: i32(12)},
			&ir.If{
				Cond: &ir.TextIs{T: &ir.FactText{ID: ir.FactSVC}, S: "read"},
				Then: []ir.Stmt{&ir.Exit{Reason: ir.Error,
					At: &ir.Bits{From: &ir.FieldBytes{Field: rest}, At: i32(3), Count: local}}},
			},
			&ir.PutInt{V: &ir.Fact{T: ir.U32, ID: ir.FactPID}, Spec: ir.Spec{Verb: 'd', Prec: -1}},
			&ir.Exit{Reason: ir.Skip},
		},
	}
}

// nested returns an event with all kinds of values.
func nested() *ir.Event {
	next := func(f ir.Field) *ir.Field {
		f.Offset = ir.Sequential
		return &f
	}
	n := next(ir.Field{Name: "n", CType: "uint", Size: 2, Hex: true,
		Sequence: ir.Sequence{Align: 2, Order: ir.BigEndian}})
	ratio := next(ir.Field{Name: "ratio", CType: "float", Kind: ir.Float, Size: 8, Optional: true,
		Sequence: ir.Sequence{Order: ir.LittleEndian}})
	kind := next(ir.Field{Name: "kind of", CType: "enum k", Size: 8, Signed: true, Value: ir.I32})
	name := next(ir.Field{Name: "name", CType: "string", Kind: ir.Terminated, Text: true,
		Sequence: ir.Sequence{PadAfter: 4}})
	path := next(ir.Field{Name: "path", CType: "string", Kind: ir.Counted, Size: 2, Text: true})
	either := next(ir.Field{Name: "either", CType: "union", Kind: ir.Union, Size: 8, Fields: []*ir.Field{ratio, kind}})
	flags := next(ir.Field{Name: "flags", CType: "int:3", Size: 2, Signed: true,
		Sequence: ir.Sequence{Bits: ir.BitField{Count: 3, At: 13}}})
	state := next(ir.Field{Name: "state", CType: "uint:12", Size: 4,
		Sequence: ir.Sequence{Bits: ir.BitField{Count: 12, At: 1, Overlap: 1}}})
	rest := next(ir.Field{Name: "rest", CType: "string", Kind: ir.Counted, Optional: true,
		Sequence: ir.Sequence{From: state, When: []ir.Range{{Low: 1, High: 7}, {Low: 9, High: 9}}}})
	choice := next(ir.Field{Name: "choice", CType: "variant", Kind: ir.Variant, Optional: true,
		Sequence: ir.Sequence{From: n}, Fields: []*ir.Field{rest}})
	point := next(ir.Field{CType: "struct", Kind: ir.Struct, Sequence: ir.Sequence{Align: 8, PadAfter: 8},
		Fields: []*ir.Field{n, either, name, flags, state, choice}})
	points := next(ir.Field{Name: "points", CType: "struct[u32]", Kind: ir.List, Size: 4, Fields: []*ir.Field{point}})
	hash := next(ir.Field{Name: "hash", CType: "char[2][4]", Kind: ir.List, Sequence: ir.Sequence{Count: 2},
		Fields: []*ir.Field{next(ir.Field{CType: "char[4]", Kind: ir.Bytes, Size: 4})}})
	data := &ir.Field{Name: "data", CType: "char[]", Kind: ir.Tail, Elem: 1}
	whole := &ir.FieldBytes{Field: data}
	local := func(t ir.Type) ir.Value { return &ir.Local{T: t} }
	return &ir.Event{
		Group: "test", Name: "nested", Slots: 1, Fields: []*ir.Field{data, path, points, hash},
		Decode: []ir.Stmt{
			&ir.Keep{Field: path, Of: whole},
			&ir.Keep{Field: points},
			&ir.Let{Slot: 0, V: &ir.Const{T: ir.U64}},
			&ir.Loop{
				Cond: &ir.Binary{Op: ir.OpLt, X: local(ir.U64), Y: &ir.Const{T: ir.U64, V: 2}}, Limit: 9,
				Body: []ir.Stmt{
					&ir.Keep{Field: point},
					&ir.Keep{Field: n, V: &ir.Load{T: ir.U16, From: whole, At: local(ir.U64)}},
					&ir.If{Cond: local(ir.U64), Then: []ir.Stmt{
						&ir.Keep{Field: either},
						&ir.Keep{Field: ratio, V: &ir.Load{T: ir.U64, From: whole}},
						&ir.Keep{Field: kind, V: &ir.Load{T: ir.I32, From: whole}},
					}},
					&ir.Keep{Field: name, Of: whole},
					&ir.Keep{Field: choice},
					&ir.Keep{Field: rest, Of: whole},
				},
			},
			&ir.Keep{Field: hash.Fields[0], Of: &ir.Slice{Of: whole, At: &ir.Const{T: ir.I32},
				Len: &ir.Const{T: ir.I32, V: 4}}},
		},
	}
}
