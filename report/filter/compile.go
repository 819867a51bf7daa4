package filter

import "bytes"

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
func (f *Filter) Compile(lookup func(name string) (Field, bool)) *Predicate {
	c := compiler{lookup}
	if f.cond == nil {
		return constant(true)
	}
	return c.cond(f.cond)
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
func (c compiler) cond(n node) *Predicate {
	switch n := n.(type) {
	case *unary:
		if n.op == "!" {
			return c.not(n)
		}
	case *match:
		return c.match(n)
	case *binary:
		switch n.op {
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

func (c compiler) not(n *unary) *Predicate {
	x := c.cond(n.x)
	if x.Constant != 0 {
		return constant(x.Constant < 0)
	}
	return &Predicate{fn: func(s *Subject) bool { return !x.fn(s) }, text: "!(" + x.text + ")"}
}

func (c compiler) logic(n *binary) *Predicate {
	x, y := c.cond(n.x), c.cond(n.y)
	and := n.op == "&&"
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
	p := &Predicate{text: "(" + x.text + ") " + n.op + " (" + y.text + ")"}
	if and {
		p.fn = func(s *Subject) bool { return x.fn(s) && y.fn(s) }
	} else {
		p.fn = func(s *Subject) bool { return x.fn(s) || y.fn(s) }
	}
	return p
}

func (c compiler) match(n *match) *Predicate {
	get, ok := c.bytes(n.x)
	if !ok {
		return constant(false)
	}
	op := " =~ "
	if n.negated {
		op = " !~ "
	}
	re, negated := n.re, n.negated
	return &Predicate{
		fn:   func(s *Subject) bool { return re.Match(get(s)) != negated },
		text: n.x.(field).name + op + `"` + n.text + `"`,
	}
}

// bytes compiles a field that is compared as text.
func (c compiler) bytes(n node) (func(*Subject) []byte, bool) {
	name, ok := n.(field)
	if !ok {
		return nil, false
	}
	if name.name == "COMM" {
		return func(s *Subject) []byte { return s.Comm }, true
	}
	f, ok := c.lookup(name.name)
	if !ok || f.Bytes == nil {
		return nil, false
	}
	return func(s *Subject) []byte { return f.Bytes(s.Data) }, true
}

func (c compiler) compare(n *binary) *Predicate {
	if t, ok := n.x.(text); ok {
		return c.compareText(n.op, n.y, t.s)
	}
	if t, ok := n.y.(text); ok {
		return c.compareText(n.op, n.x, t.s)
	}
	if x, y, ok := c.sameText(n); ok {
		want := n.op == "=="
		return &Predicate{
			fn:   func(s *Subject) bool { return bytes.Equal(x(s), y(s)) == want },
			text: n.x.(field).name + " " + n.op + " " + n.y.(field).name,
		}
	}
	x, okX := c.value(n.x)
	y, okY := c.value(n.y)
	if !okX || !okY {
		return constant(false)
	}
	return &Predicate{fn: comparison(n.op, x, y), text: x.operand() + " " + n.op + " " + y.operand()}
}

// sameText reports whether two text fields are compared with each other.
func (c compiler) sameText(n *binary) (x, y func(*Subject) []byte, ok bool) {
	if n.op != "==" && n.op != "!=" || c.isNumber(n.x) || c.isNumber(n.y) {
		return nil, nil, false
	}
	x, okX := c.bytes(n.x)
	y, okY := c.bytes(n.y)
	return x, y, okX && okY
}

func (c compiler) isNumber(n node) bool {
	name, ok := n.(field)
	if !ok {
		return true
	}
	f, _ := c.lookup(name.name)
	return f.Int != nil
}

func (c compiler) compareText(op string, x node, want string) *Predicate {
	get, ok := c.bytes(x)
	if !ok {
		return constant(false)
	}
	equal := op == "=="
	w := []byte(want)
	return &Predicate{
		fn:   func(s *Subject) bool { return bytes.Equal(get(s), w) == equal },
		text: x.(field).name + " " + op + ` "` + want + `"`,
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
