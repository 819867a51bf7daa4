package compiler

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/internal/testkit/irtest"
)

func dump(ev *ir.Event) string {
	var b bytes.Buffer
	_ = ev.Dump(&b)
	return b.String()
}

// TestFold shows each simplification on the dump of its result.
func TestFold(t *testing.T) {
	f := &ir.Field{Name: "f", Size: 4}
	load := &ir.Load{T: ir.U32, From: &ir.FieldBytes{Field: f}}
	k := func(v int64) ir.Value { return &ir.Const{T: ir.I32, V: uint64(v)} }
	u := func(v uint32) ir.Value { return &ir.Const{T: ir.U32, V: uint64(v)} }
	bin := func(op ir.Op, x, y ir.Value) ir.Value { return &ir.Binary{Op: op, X: x, Y: y} }
	put := func(v ir.Value) ir.Stmt { return &ir.PutInt{V: v, Spec: ir.Spec{Verb: 'd', Prec: -1}} }
	lit := func(s string) ir.Stmt { return &ir.Lit{S: s} }
	plain := ir.Spec{Verb: 's', Prec: -1}
	str := func(s string) ir.Text { return &ir.CString{Of: &ir.Str{S: s}} }
	text := func(t ir.Text) ir.Stmt { return &ir.PutText{T: t, Spec: plain} }
	region := func(r ir.Region) ir.Stmt { return &ir.LetBytes{V: r} }
	field := &ir.FieldBytes{Field: f}
	flags := &ir.Call{Name: "Flags", Args: []ir.Arg{&ir.Convert{T: ir.U64, X: load}, ir.StrArg("|"),
		&ir.Table{Rows: []ir.Row{{Value: 1, Text: "S"}}}}}
	plus := &ir.CondText{If: bin(ir.OpAnd, load, u(256)), Then: str("+"), Else: str("")}
	for _, c := range []struct {
		name string
		in   []ir.Stmt
		want string
	}{
		{"arithmetic", []ir.Stmt{put(bin(ir.OpMul, k(6), k(7)))}, "put %d 42"},
		{"wrap", []ir.Stmt{put(bin(ir.OpAdd, k(1<<31-1), k(1)))}, "put %d -2147483648"},
		{"by zero", []ir.Stmt{put(bin(ir.OpDiv, k(6), k(0)))}, "put %d 0"},
		{"comparison", []ir.Stmt{put(bin(ir.OpLt, u(1), u(1<<31)))}, "put %d 1"},
		{"unary", []ir.Stmt{put(&ir.Unary{Op: ir.OpCompl, X: k(0)})}, "put %d -1"},
		{"not", []ir.Stmt{put(&ir.Unary{Op: ir.OpNot, X: u(0)})}, "put %d 1"},
		{"cast", []ir.Stmt{put(&ir.Convert{T: ir.U8, X: k(-1)})}, "put %d 0xff:u8"},
		{"cast to its own type", []ir.Stmt{put(&ir.Convert{T: ir.U32, X: load})}, "put %d u32(f)"},
		{"cast of a load", []ir.Stmt{put(&ir.Convert{T: ir.I32, X: load})}, "put %d i32(f)"},
		{"widening", []ir.Stmt{put(&ir.Convert{T: ir.I64, X: load})}, "put %d (i64)u32(f)"},
		{
			"cast of a wider cast",
			[]ir.Stmt{put(&ir.Convert{T: ir.I16, X: &ir.Convert{T: ir.U64, X: bin(ir.OpAnd, load, load)}})},
			"put %d (i16)(u32(f) & u32(f))",
		},
		{
			"a narrower cast stays",
			[]ir.Stmt{put(&ir.Convert{T: ir.U32, X: &ir.Convert{T: ir.I8, X: load}})},
			"put %d (u32)(i8)u32(f)",
		},
		{
			"a name and what adds to it",
			[]ir.Stmt{text(flags), text(plus), lit(" "), text(flags)},
			`put %s {
  put %s Flags((u64)u32(f), "|", T0)
  if (u32(f) & 0x100:u32) {
    lit "+"
  }
}
lit " "
put %s Flags((u64)u32(f), "|", T0)`,
		},
		{
			"a name beside another value",
			[]ir.Stmt{text(flags), text(str("+")), text(plus)},
			`put %s Flags((u64)u32(f), "|", T0)
lit "+"
if (u32(f) & 0x100:u32) {
  lit "+"
}`,
		},
		{"x+0", []ir.Stmt{put(bin(ir.OpAdd, load, u(0)))}, "put %d u32(f)"},
		{"0|x", []ir.Stmt{put(bin(ir.OpOr, u(0), load))}, "put %d u32(f)"},
		{"x*1", []ir.Stmt{put(bin(ir.OpMul, load, u(1)))}, "put %d u32(f)"},
		{"x&~0", []ir.Stmt{put(bin(ir.OpAnd, load, u(1<<32-1)))}, "put %d u32(f)"},
		{"0-x stays", []ir.Stmt{put(bin(ir.OpSub, u(0), load))}, "put %d (0x0:u32 - u32(f))"},
		{"x&&0", []ir.Stmt{put(bin(ir.OpLogAnd, load, k(0)))}, "put %d 0"},
		{"1||x", []ir.Stmt{put(bin(ir.OpLogOr, k(3), load))}, "put %d 1"},
		{"x||0", []ir.Stmt{put(bin(ir.OpLogOr, load, k(0)))}, "put %d (u32(f) != 0x0:u32)"},
		{"?:", []ir.Stmt{put(&ir.Cond{If: k(0), Then: load, Else: u(2)})}, "put %d 0x2:u32"},
		{"len", []ir.Stmt{put(&ir.Len{Of: &ir.Str{S: "abc"}})}, "put %d 3"},
		{"load at 0", []ir.Stmt{put(&ir.Load{T: ir.U32, From: field, At: k(0)})}, "put %d u32(f)"},
		{"literals", []ir.Stmt{lit("a"), lit(""), lit("b")}, `lit "ab"`},
		{"constant string", []ir.Stmt{lit("a"), text(str("b\x00c")), lit("d")}, `lit "abd"`},
		{"known if", []ir.Stmt{lit("a"), &ir.If{Cond: k(1), Then: []ir.Stmt{lit("b"), put(load)}}},
			"lit \"ab\"\nput %d u32(f)"},
		{"empty if", []ir.Stmt{&ir.If{Cond: load, Then: []ir.Stmt{lit("")}}}, ""},
		{
			"chosen text", []ir.Stmt{text(&ir.CondText{If: load, Then: str("a"), Else: str("")})},
			"if u32(f) {\n  lit \"a\"\n}",
		},
		{
			"chosen string", []ir.Stmt{text(&ir.CString{Of: &ir.CondBytes{If: load, Then: &ir.Str{S: "a"},
				Else: field}})},
			"if u32(f) {\n  lit \"a\"\n} else {\n  put %s cstr(f)\n}",
		},
		{
			"padded text stays", []ir.Stmt{&ir.PutText{T: str("a"), Spec: ir.Spec{Width: 4, Prec: -1, Verb: 's'}}},
			`put %4s cstr(str "a")`,
		},
		{"nested program", []ir.Stmt{lit("<"), text(&ir.Program{Body: []ir.Stmt{lit("a"), put(load)}})},
			"lit \"<a\"\nput %d u32(f)"},
		{
			"known switch",
			[]ir.Stmt{&ir.Switch{X: k(2), Cases: []ir.SwitchCase{{Values: []uint64{1, 2}, Body: []ir.Stmt{lit("a")}}},
				Default: []ir.Stmt{lit("b")}}},
			`lit "a"`,
		},
		{"dead loop", []ir.Stmt{&ir.Loop{Cond: bin(ir.OpGt, k(0), k(1)), Body: []ir.Stmt{lit("a")}, Limit: 9}}, ""},
		{
			"known width",
			[]ir.Stmt{&ir.PutInt{V: load, Spec: ir.Spec{Verb: 'x', WidthArg: bin(ir.OpAdd, k(3), k(5)), PrecArg: k(-1),
				Prec: -1}}},
			"put %8.<-1>x u32(f)",
		},
		{"whole slice", []ir.Stmt{region(&ir.Slice{Of: field, At: k(0)})}, "let %0 = f"},
		{"limit that is not reached", []ir.Stmt{put(bin(ir.OpLt, &ir.Convert{T: ir.U64, X: load},
			&ir.Const{T: ir.U64, V: 1 << 32}))}, "put %d 1"},
		{"limit that may be reached", []ir.Stmt{put(bin(ir.OpLt, &ir.Convert{T: ir.U64, X: load},
			&ir.Const{T: ir.U64, V: 1<<32 - 1}))}, "put %d ((u64)u32(f) < 0xffffffff:u64)"},
		{"limit of a signed", []ir.Stmt{put(bin(ir.OpLt, &ir.Convert{T: ir.I64, X: &ir.Load{T: ir.I32, From: field}},
			&ir.Const{T: ir.I64, V: 1 << 40}))}, "put %d ((i64)i32(f) < 1099511627776:i64)"},
		{"mask of all bits", []ir.Stmt{put(bin(ir.OpAnd, bin(ir.OpAnd, load, u(7)), u(15)))},
			"put %d (u32(f) & 0x7:u32)"},
		{"mask of some bits", []ir.Stmt{put(bin(ir.OpAnd, bin(ir.OpAnd, load, u(7)), u(6)))},
			"put %d ((u32(f) & 0x7:u32) & 0x6:u32)"},
		{"bits of one byte", []ir.Stmt{put(&ir.Bits{From: field, At: k(10), Count: k(3)})},
			"put %d (((u64)u8(f @ 0x1:u64) >> 0x3:u64) & 0x7:u64)"},
		{"top bit", []ir.Stmt{put(&ir.Bits{From: field, At: k(0), Count: k(1)})}, "put %d ((u64)u8(f) >> 0x7:u64)"},
		{"no bits", []ir.Stmt{put(&ir.Bits{From: field, At: load, Count: k(-1)})}, "put %d 0x0:u64"},
		{"bits of two bytes stay", []ir.Stmt{put(&ir.Bits{From: field, At: k(5), Count: k(4)})},
			"put %d bits(f @ 5 + 4)"},
		{"known text", []ir.Stmt{put(&ir.TextIs{T: &ir.Program{Body: []ir.Stmt{lit("a"), text(str("b"))}}, S: "ab"})},
			"put %d 1"},
		{"dead code", []ir.Stmt{&ir.Exit{Reason: ir.Break}, lit("a")}, "exit break"},
		{"dead code behind a known if", []ir.Stmt{&ir.If{Cond: k(1),
			Then: []ir.Stmt{&ir.Exit{Reason: ir.Error, At: bin(ir.OpAdd, k(1), k(2))}}}, lit("a")}, "exit error @ 3"},
		{"met requirement", []ir.Stmt{&ir.Require{Of: field, Bytes: k(4)}, lit("a")}, `lit "a"`},
		{"other requirement", []ir.Stmt{&ir.Require{Of: field, Bytes: bin(ir.OpAdd, k(4), k(1))}}, "require f >= 5"},
		{"known region", []ir.Stmt{region(&ir.CondBytes{If: k(0), Then: field, Else: &ir.Str{}})}, `let %0 = str ""`},
	} {
		ev := &ir.Event{Group: "g", Name: "n", Size: 4, Fields: []*ir.Field{f}, Text: c.in, HasText: true, Buffers: 1}
		before := dump(ev)
		folded := *ev
		Fold(&folded)
		_, got, _ := strings.Cut(dump(&folded), "  text\n")
		got = strings.TrimSpace(strings.ReplaceAll("\n"+got, "\n    ", "\n"))
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s: -want +got:\n%s", c.name, d)
		}
		if dump(ev) != before {
			t.Errorf("%s: the given nodes were altered", c.name)
		}
	}
}

// TestFoldDrawn folds random events. Valid events stay valid, the given nodes stay unchanged, and a
// second fold changes nothing. Package interp tests that the text stays the same.
func TestFoldDrawn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := irtest.Event
		if rapid.Bool().Draw(t, "stream") {
			draw = irtest.StreamEvent
		}
		ev := draw(irtest.Target().Draw(t, "target")).Draw(t, "event")
		before := dump(ev)
		folded := *ev
		Fold(&folded)
		if err := ir.CheckEvent(&folded); err != nil {
			t.Fatalf("%v\n%s", err, dump(&folded))
		}
		if dump(ev) != before {
			t.Fatal("the given nodes were altered")
		}
		again := folded
		Fold(&again)
		if d := cmp.Diff(dump(&folded), dump(&again)); d != "" {
			t.Fatalf("a second time: -once +twice:\n%s", d)
		}
	})
}
