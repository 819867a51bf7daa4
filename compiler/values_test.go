package compiler

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/compiler/ir"
)

var record = &ir.Field{Name: "data", CType: "char[]", Kind: ir.Tail, Elem: 1}

// yielded are the values that programs keep.
var yielded = []*ir.Field{number("v0"), number("v1"), number("v2"), number("v3")}

func number(name string) *ir.Field {
	return &ir.Field{Name: name, CType: "u8", Offset: ir.Computed, Size: 1}
}

func whole() ir.Region                   { return &ir.FieldBytes{Field: record} }
func i64(n int64) ir.Value               { return &ir.Const{T: ir.I64, V: uint64(n)} }
func at(n int64) ir.Value                { return &ir.Load{T: ir.U8, From: whole(), At: i64(n)} }
func need(n ir.Value) ir.Stmt            { return &ir.Require{Of: whole(), Bytes: n} }
func keep(d int, v ir.Value) ir.Stmt     { return &ir.Keep{Field: yielded[d], V: v} }
func local(slot int) ir.Value            { return &ir.Local{T: ir.I64, Slot: slot} }
func let(slot int, v ir.Value) ir.Stmt   { return &ir.Let{Slot: slot, V: v} }
func lit(s string) ir.Stmt               { return &ir.Lit{S: s} }
func plus(x, y ir.Value) ir.Value        { return &ir.Binary{Op: ir.OpAdd, X: x, Y: y} }
func exit(r ir.ExitReason) ir.Stmt       { return &ir.Exit{Reason: r} }
func block(s ...ir.Stmt) []ir.Stmt       { return s }
func loop(s ...ir.Stmt) ir.Stmt          { return &ir.Loop{Cond: at(0), Body: s, Limit: 9} }
func choose(then, els []ir.Stmt) ir.Stmt { return &ir.If{Cond: at(0), Then: then, Else: els} }
func behind(slot int, n int64) ir.Value {
	return plus(&ir.Binary{Op: ir.OpShr, X: local(slot), Y: &ir.Const{T: ir.I32, V: 3}}, i64(n))
}

// shown returns the output of Dump for a program that yields values.
func shown(t *testing.T, body []ir.Stmt) string {
	t.Helper()
	ev := &ir.Event{Group: "g", Name: "e", Fields: append([]*ir.Field{record}, yielded...), Slots: 9, Decode: body,
		HasText: true}
	if err := ir.CheckEvent(ev); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	ev.Dump(&b)
	_, text, _ := strings.Cut(b.String(), "  values\n")
	var out []string
	for line := range strings.Lines(text) {
		out = append(out, strings.TrimSpace(line))
	}
	return strings.Join(out, "\n")
}

func TestValuesOnly(t *testing.T) {
	put := &ir.PutInt{V: at(1), Spec: ir.Spec{Verb: 'd', Prec: -1}}
	tests := []struct {
		name string
		body []ir.Stmt
		want string
	}{
		{"text goes", block(lit("a"), keep(0, at(1)), put, lit("b")), "keep v0 = u8(data @ 1:i64)"},
		{"what a text does stays", block(&ir.PutText{T: &ir.Program{Body: block(lit("a"), keep(0, at(1)))},
			Spec: ir.Spec{Prec: -1}}),
			"keep v0 = u8(data @ 1:i64)"},
		{"locals that only text needs go", block(let(0, i64(1)), let(1, plus(local(0), i64(1))), let(2, i64(3)),
			keep(0, &ir.Convert{T: ir.U8, X: local(2)})), "let $2 = 3:i64\nkeep v0 = (u8)$2:i64"},
		{"locals that locals need stay", block(let(0, i64(1)), let(1, plus(local(0), i64(1))), need(local(1))),
			"let $0 = 1:i64\nlet $1 = ($0:i64 + 1:i64)\nrequire data >= $1:i64"},
		{"loops that only print go", block(loop(lit("x"), let(0, plus(local(0), i64(1))), put)), ""},
		{"loops that move a pointer stay", block(loop(let(0, plus(local(0), i64(8)))), need(behind(0, 1))),
			"while u8(data) limit 9 {\nlet $0 = ($0:i64 + 8:i64)\n}\nrequire data >= (($0:i64 >> 3) + 1:i64)"},
		{"choices of text go", block(choose(block(lit("a")), block(lit("b")))), ""},
		{"one check for many", block(need(i64(4)), keep(0, at(3)), lit("x"), need(i64(9)), keep(1, at(8)),
			need(i64(6))), "require data >= 9:i64\nkeep v0 = u8(data @ 3:i64)\nkeep v1 = u8(data @ 8:i64)"},
		{"checks pass choices", block(choose(block(keep(0, at(1))), block(need(i64(20)))), need(i64(9)),
			keep(1, at(8))),
			"require data >= 9:i64\nif u8(data) {\nkeep v0 = u8(data @ 1:i64)\n} else {\nrequire data >= 20:i64\n}\nkeep v1 = u8(data @ 8:i64)"},
		{"checks do not pass exits", block(need(i64(2)), choose(block(exit(ir.Break)), nil), need(i64(9)),
			keep(1, at(8))),
			"require data >= 2:i64\nif u8(data) {\nexit break\n}\nrequire data >= 9:i64\nkeep v1 = u8(data @ 8:i64)"},
		{"moving checks join", block(let(0, i64(64)), need(behind(0, 4)), keep(0, at(0)), need(behind(0, 6)),
			need(behind(0, 5)), let(0, i64(80)), need(behind(0, 1))),
			"let $0 = 64:i64\nrequire data >= (($0:i64 >> 3) + 6:i64)\nkeep v0 = u8(data)\nlet $0 = 80:i64\nrequire data >= (($0:i64 >> 3) + 1:i64)"},
		{"a check in front of moving ones", block(let(0, i64(64)), need(behind(0, 4)), need(i64(3)),
			need(behind(0, 6))), "require data >= 3:i64\nlet $0 = 64:i64\nrequire data >= (($0:i64 >> 3) + 6:i64)"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			before := len(tt.body)
			if d := cmp.Diff(tt.want, shown(t, ValuesOnly(tt.body))); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
			if len(tt.body) != before {
				t.Error("the program was changed")
			}
		})
	}
}

func TestPresence(t *testing.T) {
	k := func(d int) ir.Stmt { return keep(d, at(0)) }
	tests := []struct {
		name string
		body []ir.Stmt
		want [3]Count
		once bool
	}{
		{"certain", block(k(0), k(0), k(0), k(1)), [3]Count{{2, 2}, {1, 1}, {0, 0}}, false},
		{"arms", block(choose(block(k(0), k(1)), block(k(0)))), [3]Count{{1, 1}, {0, 1}, {0, 0}}, false},
		{"loop", block(loop(k(0), choose(block(k(1)), nil))), [3]Count{{0, 2}, {0, 2}, {0, 0}}, false},
		{"loop, once", block(loop(k(0), k(1), k(1))), [3]Count{{0, 1}, {0, 2}, {0, 0}}, true},
		{"behind an exit", block(choose(block(exit(ir.Stop)), nil), k(0)), [3]Count{{0, 1}, {0, 0}, {0, 0}}, false},
		{"behind a check", block(need(i64(9)), k(0)), [3]Count{{1, 1}, {0, 0}, {0, 0}}, false},
		{"short arms do not count", block(choose(block(exit(ir.Short)), block(k(0)))), [3]Count{{1, 1}, {0, 0}, {0, 0}},
			false},
		{"out of a loop", block(loop(k(0), choose(block(k(1), exit(ir.Break)), nil)), k(2)),
			[3]Count{{0, 2}, {0, 2}, {0, 1}}, false},
		{"always short", block(exit(ir.Short)), [3]Count{}, false},
	}
	for _, tt := range tests {
		if got := [3]Count(Presence(tt.body, yielded[:3], tt.once)); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}
