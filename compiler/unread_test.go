package compiler_test

import (
	"strings"
	"testing"

	"github.com/tracec/tracec/compiler"
	"github.com/tracec/tracec/compiler/ir"
)

func TestWithoutUnread(t *testing.T) {
	set := func(slot int, v uint64) ir.Stmt { return &ir.Let{Slot: slot, V: &ir.Const{T: ir.U64, V: v}} }
	get := func(slot int) ir.Value { return &ir.Local{T: ir.U64, Slot: slot} }
	put := func(slot int) ir.Stmt { return &ir.PutInt{V: get(slot), Spec: ir.Spec{Verb: 'd', Prec: -1}} }
	count := &ir.Let{Slot: 0, V: ir.NewBinary(ir.OpAdd, get(0), &ir.Const{T: ir.U64, V: 1})}
	for _, c := range []struct {
		name       string
		body, want []ir.Stmt
	}{
		{"at the end", []ir.Stmt{set(0, 1), put(0), set(0, 2)}, []ir.Stmt{set(0, 1), put(0)}},
		{"set again", []ir.Stmt{set(0, 1), set(0, 2), put(0)}, []ir.Stmt{set(0, 2), put(0)}},
		{"read in one arm", []ir.Stmt{set(0, 1), &ir.If{Cond: get(1), Then: []ir.Stmt{put(0)},
			Else: []ir.Stmt{set(0, 3)}}},
			[]ir.Stmt{set(0, 1), &ir.If{Cond: get(1), Then: []ir.Stmt{put(0)}}}},
		{"an empty choice", []ir.Stmt{&ir.If{Cond: get(1), Then: []ir.Stmt{set(0, 1)}}}, nil},
		{"before an exit", []ir.Stmt{set(0, 1), &ir.Exit{Reason: ir.Break}, put(0)},
			[]ir.Stmt{&ir.Exit{Reason: ir.Break}, put(0)}},
		{"a loop whose count is read", []ir.Stmt{set(0, 0), &ir.Loop{Cond: get(1), Limit: 9, Body: []ir.Stmt{count}},
			put(0)},
			[]ir.Stmt{set(0, 0), &ir.Loop{Cond: get(1), Limit: 9, Body: []ir.Stmt{count}}, put(0)}},
		{"read by the next turn", []ir.Stmt{&ir.Loop{Cond: get(1), Limit: 9,
			Body: []ir.Stmt{put(0), set(0, 7), set(2, 7)}}},
			[]ir.Stmt{&ir.Loop{Cond: get(1), Limit: 9, Body: []ir.Stmt{put(0), set(0, 7)}}}},
	} {
		if got, want := dumped(t, compiler.WithoutUnread(c.body)), dumped(t, c.want); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, want)
		}
	}
}

func dumped(t *testing.T, body []ir.Stmt) string {
	t.Helper()
	var b strings.Builder
	if err := (&ir.Event{Name: "e", HasText: true, Text: body}).Dump(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
