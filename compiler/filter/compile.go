// Package filter compiles filters on events into predicates over records. Evaluating one does not allocate.
package filter

import (
	"bytes"

	grammar "github.com/tracec/tracec/grammar/filter"
)

// Subject is what a predicate looks at. The caller fills it for every record.
type Subject struct {
	Data   []byte // the record
	CPU    int32
	TimeNS uint64
	Comm   []byte // name of the task
}

// Field gives access to one field of an event.
type Field struct {
	// Int returns the value, extended to 64 bits by Signed. Nil for a field that is no number.
	Int    func(data []byte) uint64
	Signed bool
	// Bytes returns the text of the field without its NUL. For a number it is what the number may be
	// compared with as text (the symbol at an address); nil when there is none.
	Bytes func(data []byte) []byte
}

// Predicate reports whether a record passes.
type Predicate struct {
	fn   func(*Subject) bool
	text string
	// Constant is 1 when every record passes, -1 when none does.
	Constant int
}

// Pass evaluates the predicate. It does not allocate.
func (p *Predicate) Pass(s *Subject) bool { return p.fn(s) }

// String returns the filter as it came out for the event, in the way of trace-cmd report -T.
func (p *Predicate) String() string { return p.text }

// Compile makes the predicate for an event whose fields lookup knows. A comparison with a field that
// the event lacks is false.
func Compile(f *grammar.Filter, lookup func(name string) (Field, bool)) *Predicate {
	c := compiler{lookup}
	if f.Cond == nil {
		return constant(true)
	}
	return c.cond(f.Cond)
}

type compiler struct {
	lookup func(string) (Field, bool)
}

func constant(v bool) *Predicate {
	if v {
		return &Predicate{func(*Subject) bool { return true }, "TRUE", 1}
	}
	return &Predicate{func(*Subject) bool { return false }, "FALSE", -1}
}

// cond compiles a truth value.
func (c compiler) cond(n grammar.Node) *Predicate {
	switch n := n.(type) {
	case *grammar.Unary:
		if n.Op == "!" {
			return c.not(n)
		}
	case *grammar.Match:
		return c.match(n)
	case *grammar.Binary:
		switch n.Op {
		case "&&", "||":
			return c.logic(n)
		case "==", "!=", "<", "<=", ">", ">=":
			return c.compare(n)
		}
	}
	v, ok := c.value(n)
	if !ok {
		return constant(false)
	}
	return &Predicate{fn: func(s *Subject) bool { return v.fn(s) != 0 }, text: v.text}
}

func (c compiler) not(n *grammar.Unary) *Predicate {
	x := c.cond(n.X)
	if x.Constant != 0 {
		return constant(x.Constant < 0)
	}
	return &Predicate{fn: func(s *Subject) bool { return !x.fn(s) }, text: "!(" + x.text + ")"}
}

func (c compiler) logic(n *grammar.Binary) *Predicate {
	x, y := c.cond(n.X), c.cond(n.Y)
	and := n.Op == "&&"
	// A constant side decides or drops out, so that String shows what is left.
	for _, side := range [][2]*Predicate{{x, y}, {y, x}} {
		switch {
		case side[0].Constant == 0:
		case (side[0].Constant > 0) == and:
			return side[1]
		default:
			return side[0]
		}
	}
	p := &Predicate{text: "(" + x.text + ") " + n.Op + " (" + y.text + ")"}
	if and {
		p.fn = func(s *Subject) bool { return x.fn(s) && y.fn(s) }
	} else {
		p.fn = func(s *Subject) bool { return x.fn(s) || y.fn(s) }
	}
	return p
}

func (c compiler) match(n *grammar.Match) *Predicate {
	get, ok := c.bytes(n.X)
	if !ok {
		return constant(false)
	}
	op := " =~ "
	if n.Negated {
		op = " !~ "
	}
	re, negated := n.Regexp, n.Negated
	return &Predicate{
		fn:   func(s *Subject) bool { return re.Match(get(s)) != negated },
		text: n.X.Name + op + `"` + n.Text + `"`,
	}
}

// bytes compiles a field that is compared as text.
func (c compiler) bytes(n grammar.Node) (func(*Subject) []byte, bool) {
	name, ok := n.(grammar.Field)
	if !ok {
		return nil, false
	}
	if name.Name == "COMM" {
		return func(s *Subject) []byte { return s.Comm }, true
	}
	f, ok := c.lookup(name.Name)
	if !ok || f.Bytes == nil {
		return nil, false
	}
	return func(s *Subject) []byte { return f.Bytes(s.Data) }, true
}

func (c compiler) compare(n *grammar.Binary) *Predicate {
	if t, ok := n.X.(grammar.Text); ok {
		return c.compareText(n.Op, n.Y, t.Value)
	}
	if t, ok := n.Y.(grammar.Text); ok {
		return c.compareText(n.Op, n.X, t.Value)
	}
	if x, y, ok := c.sameText(n); ok {
		want := n.Op == "=="
		return &Predicate{
			fn:   func(s *Subject) bool { return bytes.Equal(x(s), y(s)) == want },
			text: n.X.(grammar.Field).Name + " " + n.Op + " " + n.Y.(grammar.Field).Name,
		}
	}
	x, okX := c.value(n.X)
	y, okY := c.value(n.Y)
	if !okX || !okY {
		return constant(false)
	}
	return &Predicate{fn: comparison(n.Op, x, y), text: x.operand() + " " + n.Op + " " + y.operand()}
}

// sameText reports whether two text fields are compared with each other.
func (c compiler) sameText(n *grammar.Binary) (x, y func(*Subject) []byte, ok bool) {
	if n.Op != "==" && n.Op != "!=" || c.isNumber(n.X) || c.isNumber(n.Y) {
		return nil, nil, false
	}
	x, okX := c.bytes(n.X)
	y, okY := c.bytes(n.Y)
	return x, y, okX && okY
}

func (c compiler) isNumber(n grammar.Node) bool {
	name, ok := n.(grammar.Field)
	if !ok {
		return true
	}
	f, _ := c.lookup(name.Name)
	return f.Int != nil
}

func (c compiler) compareText(op string, x grammar.Node, want string) *Predicate {
	get, ok := c.bytes(x)
	if !ok {
		return constant(false)
	}
	equal := op == "=="
	w := []byte(want)
	return &Predicate{
		fn:   func(s *Subject) bool { return bytes.Equal(get(s), w) == equal },
		text: x.(grammar.Field).Name + " " + op + ` "` + want + `"`,
	}
}

// comparison compares the numbers themselves: a negative one is less than every unsigned one. Equality
// goes by the bits, so that a signed field can be compared with the hexadecimal number that is printed.
func comparison(op string, x, y value) func(*Subject) bool {
	a, b := x.fn, y.fn
	signedA, signedB := x.signed, y.signed
	less := func(a, b uint64, signedA, signedB bool) bool {
		negA, negB := signedA && int64(a) < 0, signedB && int64(b) < 0
		if negA != negB {
			return negA
		}
		return a < b
	}
	switch op {
	case "==":
		return func(s *Subject) bool { return a(s) == b(s) }
	case "!=":
		return func(s *Subject) bool { return a(s) != b(s) }
	case "<":
		return func(s *Subject) bool { return less(a(s), b(s), signedA, signedB) }
	case ">":
		return func(s *Subject) bool { return less(b(s), a(s), signedB, signedA) }
	case "<=":
		return func(s *Subject) bool { return !less(b(s), a(s), signedB, signedA) }
	}
	return func(s *Subject) bool { return !less(a(s), b(s), signedA, signedB) }
}
