package ir_test

import (
	"testing"

	"github.com/tracec/tracec/compiler/ir"
)

func TestBoundLoops(t *testing.T) {
	one := &ir.Const{T: ir.I32, V: 1}
	loop := func(limit int, body ...ir.Stmt) *ir.Loop { return &ir.Loop{Cond: one, Limit: limit, Body: body} }
	alone, small := loop(1<<16), loop(1<<10, loop(1<<10))
	inner := loop(1<<16, loop(1<<16))
	uneven := loop(1<<16, &ir.PutText{T: &ir.Program{Body: []ir.Stmt{&ir.If{Cond: one, Else: []ir.Stmt{inner}}}},
		Spec: ir.Spec{Prec: -1}}, loop(7))
	body := []ir.Stmt{alone, small, uneven}
	deep := loop(1 << 16)
	for range 40 {
		deep = loop(1<<16, deep)
	}
	body = append(body, deep)
	ir.BoundLoops(body)
	if alone.Limit != 1<<16 || small.Limit != 1<<10 || small.Body[0].(*ir.Loop).Limit != 1<<10 {
		t.Errorf("loops that are few enough: %d, %d of %d", alone.Limit, small.Limit, small.Body[0].(*ir.Loop).Limit)
	}
	// The cube root of 2^20 is 101.6.
	if uneven.Limit != 101 || inner.Limit != 101 || inner.Body[0].(*ir.Loop).Limit != 101 ||
		uneven.Body[1].(*ir.Loop).Limit != 7 {
		t.Errorf("nest of three: %d, %d, %d, and beside it %d", uneven.Limit, inner.Limit,
			inner.Body[0].(*ir.Loop).Limit, uneven.Body[1].(*ir.Loop).Limit)
	}
	if err := ir.CheckEvent(&ir.Event{HasText: true, Text: body}); err != nil {
		t.Error(err)
	}
	ir.BoundLoops(body)
	if uneven.Limit != 101 {
		t.Error("a second time changes something")
	}
}
