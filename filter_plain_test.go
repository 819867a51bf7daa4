package tracec_test

import (
	"slices"
	"strings"

	"github.com/tracec/tracec"
	grammar "github.com/tracec/tracec/grammar/filter"
	"github.com/tracec/tracec/runtime/render"
)

// holds evaluates a condition for an event.
func holds(n grammar.Node, ev *tracec.Event) bool {
	switch n := n.(type) {
	case *grammar.Unary:
		if n.Op == "!" {
			return !holds(n.X, ev)
		}
	case *grammar.Match:
		texts, ok := texts(ev, n.X.Name)
		return ok && slices.ContainsFunc(texts, func(s string) bool { return n.Regexp.MatchString(s) == (n.Op != "!~") })
	case *grammar.Binary:
		switch n.Op {
		case "&&":
			return holds(n.X, ev) && holds(n.Y, ev)
		case "||":
			return holds(n.X, ev) || holds(n.Y, ev)
		case "==", "!=", "<", "<=", ">", ">=":
			return compares(n, ev)
		}
	}
	for i := range turns(ev, n) {
		if v, ok := number(n, ev, i); ok && (v.isFloat && v.float != 0 || !v.isFloat && v.bits != 0) {
			return true
		}
	}
	return false
}

// turns returns the number of elements in the lists of an expression, or 1 without lists.
func turns(ev *tracec.Event, nodes ...grammar.Node) int {
	n := -1
	var visit func(grammar.Node)
	visit = func(x grammar.Node) {
		switch x := x.(type) {
		case grammar.Field:
			i := ev.Type.Index(x.Name)
			if i < 0 || ev.Type.Fields[i].Kind != tracec.List {
				return
			}
			v, _ := ev.At(i)
			if n < 0 || v.Len() < n {
				n = v.Len()
			}
		case *grammar.Unary:
			if x.Op != "!" {
				visit(x.X)
			}
		case *grammar.Binary:
			if strings.Contains("+-*/%&|^", x.Op) {
				visit(x.X)
				visit(x.Y)
			}
		}
	}
	for _, x := range nodes {
		visit(x)
	}
	if n < 0 {
		return 1
	}
	return n
}

func compares(n *grammar.Binary, ev *tracec.Event) bool {
	for i, side := range []grammar.Node{n.X, n.Y} {
		if s, ok := side.(grammar.Text); ok {
			other := [...]grammar.Node{n.Y, n.X}[i]
			texts, ok := texts(ev, other.(grammar.Field).Name)
			return ok && slices.ContainsFunc(texts, func(x string) bool { return (x == s.Value) == (n.Op == "==") })
		}
	}
	for i := range turns(ev, n.X, n.Y) {
		x, okX := number(n.X, ev, i)
		y, okY := number(n.Y, ev, i)
		if okX && okY && x.compares(n.Op, y) {
			return true
		}
	}
	return false
}

// word is the size of addresses in bytes in the current recording.
var word int

// texts returns the text of a field, or all texts if it has several.
func texts(ev *tracec.Event, name string) ([]string, bool) {
	if name == "COMM" {
		return []string{ev.Comm()}, ev.Comm() != ""
	}
	v, ok := ev.Field(name)
	if !ok {
		return nil, false
	}
	if f := ev.Type.Fields[ev.Type.Index(name)]; f.Kind == tracec.List &&
		(f.Elem == tracec.Text || f.Elem == tracec.Bytes) {
		var all []string
		for i := range v.Len() {
			all = append(all, string(render.Text(v.Elem(i).Bytes())))
		}
		return all, true
	}
	switch v.Kind() {
	case tracec.Text, tracec.Bytes, tracec.List:
		return []string{string(render.Text(v.Bytes()))}, true
	case tracec.Int, tracec.Uint:
		f := &ev.Type.Fields[ev.Type.Index(name)]
		name := ""
		if f.Named {
			b, _ := v.AppendName(nil)
			name = string(b)
		} else if f.Size == word {
			name, _, _ = ev.Symbol(v.Uint())
		}
		return []string{name}, name != ""
	}
	return nil, false
}

// num is a number.
type num struct {
	bits    uint64
	signed  bool
	float   float64
	isFloat bool
}

func (v num) real() float64 {
	switch {
	case v.isFloat:
		return v.float
	case v.signed:
		return float64(int64(v.bits))
	}
	return float64(v.bits)
}

func (v num) compares(op string, w num) bool {
	less, same := v.real() < w.real(), v.real() == w.real()
	greater := v.real() > w.real()
	if !v.isFloat && !w.isFloat {
		negV, negW := v.signed && int64(v.bits) < 0, w.signed && int64(w.bits) < 0
		same = v.bits == w.bits
		less = negV && !negW || negV == negW && v.bits < w.bits
		greater = negW && !negV || negV == negW && v.bits > w.bits
		if negV != negW {
			return map[string]bool{"==": same, "!=": !same, "<": less, "<=": less, ">": greater, ">=": greater}[op]
		}
	}
	return map[string]bool{"==": same, "!=": !same, "<": less, "<=": less || same, ">": greater, ">=": greater ||
		same}[op]
}

// number evaluates a number, with element i of lists.
func number(n grammar.Node, ev *tracec.Event, i int) (num, bool) {
	switch n := n.(type) {
	case grammar.Number:
		return num{bits: uint64(n.Value), signed: !n.Above}, true
	case grammar.Real:
		return num{float: n.Value, isFloat: true}, true
	case grammar.Field:
		return fieldNumber(n.Name, ev, i)
	case *grammar.Unary:
		if n.Op == "!" {
			break
		}
		x, ok := number(n.X, ev, i)
		switch {
		case x.isFloat && n.Op == "~":
			return num{}, false
		case x.isFloat:
			return num{float: -x.float, isFloat: true}, ok
		case n.Op == "~":
			return num{bits: ^x.bits, signed: true}, ok
		}
		return num{bits: -x.bits, signed: true}, ok
	case *grammar.Binary:
		if strings.Contains("+-*/%&|^", n.Op) {
			x, okX := number(n.X, ev, i)
			y, okY := number(n.Y, ev, i)
			v, ok := x.with(n.Op, y)
			return v, okX && okY && ok
		}
	}
	if holds(n, ev) {
		return num{bits: 1}, true
	}
	return num{}, true
}

func fieldNumber(name string, ev *tracec.Event, i int) (num, bool) {
	switch name {
	case "CPU":
		return num{bits: uint64(ev.CPU), signed: true}, ev.CPU >= 0
	case "TIMESTAMP":
		return num{bits: ev.Time}, true
	}
	v, ok := ev.Field(name)
	if !ok {
		return num{bits: uint64(ev.Task), signed: true}, name == "common_pid" && ev.Type.Index(name) < 0 && ev.Task >= 0
	}
	if v.Kind() == tracec.List {
		if i >= v.Len() {
			return num{}, false
		}
		v = v.Elem(i)
	}
	switch v.Kind() {
	case tracec.Int, tracec.Uint:
		return num{bits: v.Uint(), signed: v.Kind() == tracec.Int}, true
	case tracec.Float:
		return num{float: v.Float(), isFloat: true}, true
	}
	return num{}, false
}

func (v num) with(op string, w num) (num, bool) {
	if v.isFloat || w.isFloat {
		a, b := v.real(), w.real()
		r := num{isFloat: true}
		switch op {
		case "+":
			r.float = a + b
		case "-":
			r.float = a - b
		case "*":
			r.float = a * b
		case "/":
			if b != 0 {
				r.float = a / b
			}
		default:
			return r, false
		}
		return r, true
	}
	a, b := v.bits, w.bits
	r := num{signed: v.signed && w.signed}
	switch op {
	case "+":
		r.bits = a + b
	case "-":
		r.bits = a - b
	case "*":
		r.bits = a * b
	case "&":
		r.bits = a & b
	case "|":
		r.bits = a | b
	case "^":
		r.bits = a ^ b
	case "/", "%":
		switch {
		case b == 0:
		case r.signed && op == "/":
			r.bits = uint64(int64(a) / int64(b))
		case r.signed:
			r.bits = uint64(int64(a) % int64(b))
		case op == "/":
			r.bits = a / b
		default:
			r.bits = a % b
		}
	}
	return r, true
}
