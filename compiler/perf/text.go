package perf

import (
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/compiler/sequence"
)

var plain = ir.Spec{Prec: -1}

// writer prints the values of a record as name=value. The parts of a value are in brackets. No tool
// of perf has such a text: perf script prints the parts of a sample that its options select.
type writer struct{}

func lit(s string) *ir.Lit { return &ir.Lit{S: s} }

// Before implements sequence.Visitor.
func (writer) Before(f *ir.Field, i int) []ir.Stmt {
	head := ""
	if i > 0 {
		head = " "
	}
	if f.Name != "" && !f.Optional {
		head += f.Name + "="
	}
	if head == "" {
		return nil
	}
	return []ir.Stmt{lit(head)}
}

// Value implements sequence.Visitor. For bytes that are not text, it prints their number.
func (writer) Value(p sequence.Place) []ir.Stmt {
	switch {
	case p.Kind == ir.Int && p.Hex:
		return []ir.Stmt{lit("0x"), &ir.PutInt{V: p.Number(), Spec: ir.Spec{Verb: 'x', Prec: -1}}}
	case p.Kind == ir.Int:
		return []ir.Stmt{&ir.PutInt{V: p.Number(), Spec: ir.Spec{Verb: 'd', Prec: -1}}}
	case p.Text:
		return []ir.Stmt{&ir.PutText{T: &ir.Call{Name: "Verbatim", Args: []ir.Arg{p.Bytes()}}, Spec: plain}}
	}
	n := &ir.Len{Of: p.Bytes()}
	return []ir.Stmt{&ir.PutInt{V: n, Spec: ir.Spec{Verb: 'd', Prec: -1}}, lit(" bytes")}
}

// Between implements sequence.Visitor.
func (writer) Between(turn ir.Value, _ *ir.Field) []ir.Stmt {
	return []ir.Stmt{&ir.If{Cond: turn, Then: []ir.Stmt{lit(" ")}}}
}

// Open implements sequence.Visitor.
func (writer) Open(f *ir.Field) []ir.Stmt {
	if f.Kind == ir.Variant {
		return []ir.Stmt{lit(f.Name + "=")}
	}
	return []ir.Stmt{lit("[")}
}

// Close implements sequence.Visitor.
func (writer) Close(f *ir.Field, rest ir.Value) []ir.Stmt {
	switch {
	case f.Kind == ir.Variant:
		return nil
	case rest == nil:
		return []ir.Stmt{lit("]")}
	}
	return []ir.Stmt{&ir.If{Cond: rest, Then: []ir.Stmt{lit(" ...")}}, lit("]")}
}

// None implements sequence.Visitor.
func (writer) None(f *ir.Field) []ir.Stmt { return []ir.Stmt{lit(f.Name + "=none")} }
