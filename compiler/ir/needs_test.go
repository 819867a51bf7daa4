package ir_test

import (
	"testing"

	"github.com/tracec/tracec/compiler/ir"
)

// TestNeeds checks that uses are found everywhere: in a condition, in the argument of a call, in an
// arm.
func TestNeeds(t *testing.T) {
	fact := func(id ir.FactID) ir.Value { return &ir.Fact{ID: id, T: ir.U64} }
	print := func(v ir.Value) ir.Stmt { return &ir.PutInt{V: v, Spec: ir.Spec{Verb: 'd', Prec: -1}} }
	call := func(name string, args ...ir.Arg) ir.Stmt { return &ir.PutText{T: &ir.Call{Name: name, Args: args}} }
	for _, c := range []struct {
		name string
		text []ir.Stmt
		want ir.Needs
	}{
		{"nothing", []ir.Stmt{&ir.Lit{S: "$PID"}, print(&ir.Const{V: 1, T: ir.U64})}, ir.Needs{}},
		{"a number", []ir.Stmt{print(fact(ir.FactPID))}, ir.Needs{Facts: 1 << ir.FactPID}},
		{"a text", []ir.Stmt{&ir.PutText{T: &ir.FactText{ID: ir.FactSVC}}}, ir.Needs{Facts: 1 << ir.FactSVC}},
		{"a condition", []ir.Stmt{&ir.If{Cond: fact(ir.FactLine), Then: []ir.Stmt{&ir.Exit{Reason: ir.Skip}}}},
			ir.Needs{Facts: 1 << ir.FactLine, Exits: 1 << ir.Skip}},
		{"an arm", []ir.Stmt{&ir.Switch{X: fact(ir.FactTID),
			Default: []ir.Stmt{&ir.Loop{Cond: fact(ir.FactCPUID),
				Body: []ir.Stmt{call("HookCall0", ir.StrArg("flih"))}}}}},
			ir.Needs{Facts: 1<<ir.FactTID | 1<<ir.FactCPUID, Hooks: true}},
		{"a timer", []ir.Stmt{call("EndTimer", fact(ir.FactTID), fact(ir.FactPID))},
			ir.Needs{Facts: 1<<ir.FactTID | 1<<ir.FactPID, Hooks: true}},
		{"a path", []ir.Stmt{call("ProcessPath", &ir.Const{V: 1, T: ir.U64})}, ir.Needs{Hooks: true}},
		{"the name of an error", []ir.Stmt{call("AIXErrno", &ir.Const{V: 1, T: ir.U64})}, ir.Needs{}},
	} {
		if got := (&ir.Event{Text: c.text}).Needs(); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

// TestOneLine checks that numbers and the functions that print them have no newlines. Characters of
// a record may have newlines.
func TestOneLine(t *testing.T) {
	call := func(name string, args ...ir.Arg) ir.Stmt { return &ir.PutText{T: &ir.Call{Name: name, Args: args}} }
	one := &ir.Const{V: 1, T: ir.U64}
	field := &ir.FieldBytes{Field: &ir.Field{Kind: ir.Tail}}
	for _, c := range []struct {
		name string
		text []ir.Stmt
		want bool
	}{
		{"a number", []ir.Stmt{&ir.Lit{S: "n="}, &ir.PutInt{V: one, Spec: ir.Spec{Verb: 'd', Prec: -1}}}, true},
		{"digits", []ir.Stmt{call("MacroHex", one), call("AIXErrno", one), call("HexUpper", field, one)}, true},
		{"a path", []ir.Stmt{call("ProcessPath", one)}, false},
		{"a timer", []ir.Stmt{call("EndTimer", one, one)}, false},
		{"a text", []ir.Stmt{&ir.PutText{T: &ir.FactText{ID: ir.FactSVC}}}, false},
		{"characters", []ir.Stmt{&ir.PutText{T: &ir.CString{Of: field}}}, false},
		{"a newline", []ir.Stmt{&ir.If{Cond: one, Else: []ir.Stmt{&ir.Lit{S: "a\nb"}}}}, false},
		{"an argument", []ir.Stmt{call("HexUpper", &ir.Program{Body: []ir.Stmt{&ir.Lit{S: "\t"}}}, one)}, false},
	} {
		if got := (&ir.Event{Text: c.text}).OneLine(); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
