package ir_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/internal/testkit/irtest"
)

// TestCheckRefuses breaks one invariant at a time.
func TestCheckRefuses(t *testing.T) {
	field := func(f ir.Field) *ir.Event { return &ir.Event{Size: 16, Fields: []*ir.Field{&f}} }
	text := func(s ...ir.Stmt) *ir.Event { return &ir.Event{HasText: true, Slots: 2, Buffers: 1, Text: s} }
	plain := ir.Spec{Prec: -1}
	put := func(v ir.Value) *ir.Event { return text(&ir.PutInt{V: v, Spec: ir.Spec{Verb: 'd', Prec: -1}}) }
	putText := func(t ir.Text) *ir.Event { return text(&ir.PutText{T: t, Spec: plain}) }
	call := func(name string, args ...ir.Arg) *ir.Event { return putText(&ir.Call{Name: name, Args: args}) }
	one, wide := &ir.Const{T: ir.I32, V: 1}, &ir.Const{T: ir.I64, V: 1}
	str := &ir.Str{S: "x"}
	putOne := &ir.PutInt{V: one, Spec: ir.Spec{Verb: 'd', Prec: -1}}
	deep := ir.Value(one)
	for range 2000 {
		deep = &ir.Unary{Op: ir.OpNeg, X: deep}
	}
	for _, c := range []struct {
		want string
		ev   *ir.Event
	}{
		{"nil event", nil},
		{"size -1", &ir.Event{Size: -1}},
		{"slots", &ir.Event{Slots: -1}},
		{"field 0 is nil", &ir.Event{Fields: []*ir.Field{nil}}},
		{"out of bounds", field(ir.Field{Offset: 1 << 25, Size: 4})},
		{"out of bounds", field(ir.Field{Size: -1})},
		{"ends after", field(ir.Field{Offset: 13, Size: 4})},
		{"an integer of that size", field(ir.Field{Size: 3})},
		{"an integer of that size", field(ir.Field{})},
		{"not a multiple", field(ir.Field{Kind: ir.Array, Size: 6, Elem: 4})},
		{"not a multiple", field(ir.Field{Kind: ir.Array, Size: 6})},
		{"4 bytes", field(ir.Field{Kind: ir.Dynamic, Size: 8, Elem: 1})},
		{"elem", field(ir.Field{Kind: ir.Dynamic, Size: 4})},
		{"not dynamic", field(ir.Field{Size: 4, Rel: true})},
		{"size is not 0", field(ir.Field{Kind: ir.Tail, Size: 4, Elem: 1})},
		{"unknown kind", field(ir.Field{Kind: 77})},
		{"HasText is false", &ir.Event{Text: []ir.Stmt{&ir.Lit{}}}},
		{"nil statement", text(nil)},
		{"nil statement", text((*ir.Lit)(nil))},
		{"nil value", text(&ir.PutInt{Spec: ir.Spec{Verb: 'd'}})},
		{"nil value", put((*ir.Load)(nil))},
		{"nil text", text(&ir.PutText{})},
		{"nil region", text(&ir.LetBytes{})},
		{"verb", text(&ir.PutInt{V: one, Spec: ir.Spec{Verb: 's', Prec: -1}})},
		{"width", text(&ir.PutInt{V: one, Spec: ir.Spec{Verb: 'd', Width: -1}})},
		{"width", text(&ir.PutText{T: &ir.CString{Of: str}, Spec: ir.Spec{Prec: 1 << 20}})},
		{"is not a i32", put(&ir.Const{T: ir.I32, V: 1 << 31})},
		{"of type i24", put(&ir.Const{T: ir.Type{Size: 3, Signed: true}})},
		{"of type u0", put(&ir.Load{From: str})},
		{"field", put(&ir.Load{T: ir.I32, From: &ir.FieldBytes{Field: &ir.Field{Size: 4}}})},
		{"field", put(&ir.Load{T: ir.I32, From: &ir.FieldBytes{}})},
		{"slot 2 of 2", put(&ir.Local{T: ir.I32, Slot: 2})},
		{"slot 0 is i32 and i64", text(&ir.Let{V: one}, &ir.Let{V: wide})},
		{"buffer 1 of 1", text(&ir.LetBytes{Slot: 1, V: str})},
		{"unary operator", put(&ir.Unary{Op: ir.OpAdd, X: one})},
		{"binary operator", put(&ir.Binary{Op: "**", X: one, Y: one})},
		{"+ of i32 and i64", put(&ir.Binary{Op: ir.OpAdd, X: one, Y: wide})},
		{"?: of i32 and i64", put(&ir.Cond{If: one, Then: one, Else: wide})},
		{"function \"Nope\"", put(&ir.Func{T: ir.I32, Name: "Nope", Args: []ir.Value{one}})},
		{"with 2 arguments", put(&ir.Func{T: ir.I32, Name: "Ffs", Args: []ir.Value{one, one}})},
		{"unknown function \"Nope\"", call("Nope")},
		{"too few", call("Hex", str)},
		{"too many", call("Symbol", one, one)},
		{"for parameter 'v'", call("Symbol", str)},
		{"for parameter 'r'", call("Hex", one, one)},
		{"for parameter 't'", call("Symbolic", one, (*ir.Table)(nil))},
		{"for parameter 's'", call("Flags", one, "|", &ir.Table{})},
		{"loop limit", text(&ir.Loop{Cond: one})},
		{"loops within loops", text(&ir.Loop{Cond: one, Limit: 1 << 16, Body: []ir.Stmt{
			&ir.Loop{Cond: one, Limit: 1 << 16, Body: []ir.Stmt{putOne}},
		}})},
		{"without values", text(&ir.Switch{X: one, Cases: []ir.SwitchCase{{}}})},
		{"case 0x80000000", text(&ir.Switch{X: one, Cases: []ir.SwitchCase{{Values: []uint64{1 << 31}}}})},
		{"nested too deep", put(deep)},
		{"a value is kept that the event does not have", text(&ir.Keep{V: one})},
		{"fact 0", put(&ir.Fact{T: ir.U64})},
		{"fact 99", putText(&ir.FactText{ID: 99})},
		{"nil value", put(&ir.Bits{From: str, At: one})},
		{"nil region", text(&ir.Require{Bytes: one})},
		{"nil value", text(&ir.Require{Of: str})},
		{"exit for reason 0", text(&ir.Exit{})},
		{"exit for reason 6", text(&ir.Exit{Reason: 6})},
		{"straight to the output", call("Hex", &ir.Program{Body: []ir.Stmt{&ir.Exit{Reason: ir.Stop}}}, one)},
		{"straight to the output", text(&ir.PutText{T: &ir.Program{Body: []ir.Stmt{&ir.Require{Of: str, Bytes: one}}},
			Spec: ir.Spec{Width: 4, Prec: -1}})},
		{"straight to the output", put(&ir.TextIs{T: &ir.Program{Body: []ir.Stmt{&ir.Exit{Reason: ir.Stop}}}})},
		{"a local value in a text that is compared", put(&ir.TextIs{T: &ir.Program{Body: []ir.Stmt{&ir.Let{V: one}}}})},
		{"StartTimer in a text that is compared", put(&ir.TextIs{T: &ir.Call{Name: "StartTimer",
			Args: []ir.Arg{one, one}}})},
	} {
		err := ir.CheckEvent(c.ev)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
}

// TestCheckRefusesValues breaks one invariant of values at a time.
func TestCheckRefusesValues(t *testing.T) {
	data := &ir.Field{Name: "data", Kind: ir.Tail, Elem: 1}
	one, whole := &ir.Const{T: ir.I32, V: 1}, &ir.FieldBytes{Field: data}
	number := func(name string) *ir.Field { return &ir.Field{Name: name, Offset: ir.Computed, Size: 4, Signed: true} }
	with := func(kind ir.Kind, fields ...*ir.Field) *ir.Field {
		return &ir.Field{Name: "with", Offset: ir.Computed, Kind: kind, Fields: fields}
	}
	event := func(fields ...*ir.Field) *ir.Event { return &ir.Event{Fields: append([]*ir.Field{data}, fields...)} }
	value := func(f ir.Field) *ir.Event {
		f.Offset = min(f.Offset, ir.Sequential)
		return event(&f)
	}
	keeps := func(f *ir.Field, body ...ir.Stmt) *ir.Event {
		ev := event(f)
		ev.Decode = body
		return ev
	}
	x, bytes := number("x"), &ir.Field{Name: "b", Offset: ir.Computed, Kind: ir.Bytes}
	point := with(ir.Struct, x)
	list := with(ir.List, point)
	nested := with(ir.List, with(ir.List, number("")))
	optional, second := number(""), number("y")
	optional.Optional = true
	second.Offset = ir.Sequential
	for _, c := range []struct {
		want string
		ev   *ir.Event
	}{
		{"not the payload", &ir.Event{Fields: []*ir.Field{number("x")}}},
		{"not the payload", &ir.Event{Fields: []*ir.Field{{Kind: ir.Tail, Elem: 1, Offset: 4}, number("x")}}},
		{"is nil", &ir.Event{Fields: []*ir.Field{nil, number("x")}}},
		{"an offset", value(ir.Field{Offset: -3, Size: 4})},
		{"a negative size", value(ir.Field{Size: -4})},
		{"a negative size", value(ir.Field{Kind: ir.List, Fields: []*ir.Field{number("")},
			Sequence: ir.Sequence{Count: -1}})},
		{"power of two", value(ir.Field{Size: 4, Sequence: ir.Sequence{Align: 3}})},
		{"power of two", value(ir.Field{Size: 4, Sequence: ir.Sequence{PadAfter: 6}})},
		{"cannot be decoded", value(ir.Field{Kind: ir.Array, Size: 4, Elem: 1})},
		{"cannot be decoded", value(ir.Field{Kind: 77})},
		{"of that size", value(ir.Field{Size: 3})},
		{"of that size", value(ir.Field{Kind: ir.Counted, Size: 8})},
		{"of that size", value(ir.Field{Kind: ir.List, Size: 3, Fields: []*ir.Field{number("")}})},
		{"of that size", value(ir.Field{Kind: ir.Struct, Size: 4})},
		{"of that type", value(ir.Field{Kind: ir.Float, Size: 10})},
		{"of that type", value(ir.Field{Size: 4, Value: ir.Type{Size: 3}})},
		{"one element", event(with(ir.List))},
		{"one element", event(with(ir.List, number(""), number("")))},
		{"two lengths", value(ir.Field{Kind: ir.List, Size: 4, Fields: []*ir.Field{number("")},
			Sequence: ir.Sequence{Count: 2}})},
		{"cannot be optional", event(with(ir.List, optional))},
		{"not a structure", event(with(ir.Bytes, number("x")))},
		{"a nil member", event(with(ir.Struct, nil))},
		{"a nil member", event(with(ir.List, nil))},
		{"occurs twice", event(x, with(ir.Struct, x))},
		{"occurs twice", event(x, x)},
		{"a fixed place", event(x, &ir.Field{Kind: ir.Tail, Elem: 1})},
		{"a fixed place", event(with(ir.Struct, &ir.Field{Name: "x", Size: 4}))},
		{"not found as part of its parent", event(with(ir.Struct, second))},
		{"of that size", event(with(ir.Struct, &ir.Field{Name: "x", Offset: ir.Computed, Size: 5}))},
		{"which the event does not have", keeps(point, &ir.Keep{Field: point},
			&ir.Keep{Field: x, V: &ir.Load{T: ir.I32, From: &ir.FieldBytes{Field: x}}})},
		{"before its parent", keeps(point, &ir.Keep{Field: x, V: one})},
		{"before its parent", keeps(list, &ir.Keep{Field: list}, &ir.Keep{Field: x, V: one})},
		{"before its parent", keeps(list, &ir.If{Cond: one, Then: []ir.Stmt{&ir.Keep{Field: point}}},
			&ir.Keep{Field: x, V: one})},
		{"before its parent", keeps(nested, &ir.Keep{Field: nested.Fields[0].Fields[0], V: one})},
		{"before its parent", keeps(nested, &ir.Keep{Field: nested},
			&ir.Keep{Field: nested.Fields[0].Fields[0], V: one})},
		{"which has members", keeps(point, &ir.Keep{Field: point, V: one})},
		{"which has members", keeps(list, &ir.Keep{Field: list, Of: whole})},
		{"is i32 and i64", keeps(number("x"), &ir.Keep{V: &ir.Const{T: ir.I64}})},
		{"nil region", keeps(bytes, &ir.Keep{Field: bytes})},
		{"nil value", keeps(x, &ir.Keep{Field: x})},
		{"a program that prints", keeps(x, &ir.Lit{S: "x"})},
	} {
		for _, s := range c.ev.Decode {
			if k, ok := s.(*ir.Keep); ok && k.Field == nil {
				k.Field = c.ev.Fields[1]
			}
		}
		err := ir.CheckEvent(c.ev)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
	for _, ev := range []*ir.Event{
		keeps(list, &ir.Keep{Field: point}, &ir.If{Cond: one, Then: []ir.Stmt{&ir.Keep{Field: x, V: one}}}),
		keeps(nested, &ir.Keep{Field: nested.Fields[0]}, &ir.Keep{Field: nested.Fields[0].Fields[0], V: one}),
		value(ir.Field{Kind: ir.Struct}),
		value(ir.Field{Kind: ir.Float, Size: 10, Value: ir.U64}),
	} {
		if err := ir.CheckEvent(ev); err != nil {
			t.Error(err)
		}
	}
}

// TestCheckAll names every broken event.
func TestCheckAll(t *testing.T) {
	bad := func(name string) *ir.Event { return &ir.Event{Group: "g", Name: name, Size: -1} }
	u := &ir.Unit{Target: ir.Target{WordSize: 8}, Events: []*ir.Event{bad("a"), {}, bad("b")}}
	err := ir.Check(u)
	if err == nil || !strings.Contains(err.Error(), "g:a") || !strings.Contains(err.Error(), "g:b") {
		t.Errorf("got %v", err)
	}
	if err := ir.Check(&ir.Unit{Target: ir.Target{WordSize: 3}}); err == nil {
		t.Error("a word of 3 bytes passes")
	}
}

// TestDrawnEvents checks that events of irtest are valid, and identical for the same seed.
func TestDrawnEvents(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := irtest.Event
		if rapid.Bool().Draw(t, "stream") {
			draw = irtest.StreamEvent
		}
		ev := draw(irtest.Target().Draw(t, "target")).Draw(t, "event")
		if err := ir.CheckEvent(ev); err != nil {
			t.Fatal(err)
		}
	})
	var a, b strings.Builder
	target := ir.Target{WordSize: 8}
	if err := irtest.Unit(target, 20).Example(1).Dump(&a); err != nil {
		t.Fatal(err)
	}
	if err := irtest.Unit(target, 20).Example(1).Dump(&b); err != nil {
		t.Fatal(err)
	}
	if a.String() != b.String() {
		t.Error("the same seed gives two units")
	}
}

// TestCheckBudget checks that only loops that share a budget may nest with any limits.
func TestCheckBudget(t *testing.T) {
	left := func(slot int) ir.Value { return &ir.Local{T: ir.U64, Slot: slot} }
	loop := func(cost uint64, body ...ir.Stmt) *ir.Loop {
		let := &ir.Let{Slot: 1, V: &ir.Binary{Op: ir.OpAdd, X: left(1), Y: &ir.Const{T: ir.U64, V: cost}}}
		return &ir.Loop{Cond: ir.WithBudget(left(0), 1, 1<<20), Body: append([]ir.Stmt{let}, body...), Limit: 1 << 16}
	}
	event := func(s ir.Stmt) *ir.Event { return &ir.Event{HasText: true, Slots: 2, Text: []ir.Stmt{s}} }
	if err := ir.CheckEvent(event(loop(1, loop(1, loop(1))))); err != nil {
		t.Error(err)
	}
	for _, bad := range []*ir.Loop{
		loop(0, loop(0)),
		{Cond: left(0), Limit: 1 << 16, Body: []ir.Stmt{&ir.Loop{Cond: left(0), Limit: 1 << 16}}},
	} {
		if err := ir.CheckEvent(event(bad)); err == nil || !strings.Contains(err.Error(), "loops within loops") {
			t.Error(err)
		}
	}
}
