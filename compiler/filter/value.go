package filter

import (
	"math"
	"strconv"

	grammar "github.com/tracec/tracec/grammar/filter"
)

// value is a compiled number. Its functions return false where the value is missing.
type value struct {
	bits   func(*Subject) (uint64, bool) // a float has nil; a number narrower than 64 bits is extended by its sign
	float  func(*Subject) (float64, bool)
	signed bool
	narrow uint8  // the number of bits of a signed number narrower than 64 bits; else 0
	fixed  bool   // the value is a constant of the filter
	number uint64 // set if fixed
	field  string // the field that the value is; "" for other values
	lists  lists  // the lists whose elements the value uses
	text   phrase
	leaf   bool // the text needs no parentheses
}

// value compiles a number. It returns false if n uses a field that the event lacks or that is not a
// number.
func (c *compiler) value(n grammar.Node) (value, bool) {
	c.nodes++
	switch n := n.(type) {
	case grammar.Number:
		v := uint64(n.Value)
		return value{
			bits: func(*Subject) (uint64, bool) { return v, true }, fixed: true, number: v,
			signed: !n.Above, text: c.say(func() phrase { return words(strconv.FormatInt(n.Value, 10)) }), leaf: true,
		}, true
	case grammar.Real:
		v := n.Value
		text := c.say(func() phrase { return words(strconv.FormatFloat(v, 'g', -1, 64)) })
		return value{float: func(*Subject) (float64, bool) { return v, true }, text: text, leaf: true}, true
	case grammar.Text: // the grammar has no text here
		return value{}, false
	case grammar.Field:
		return c.fieldValue(n)
	case *grammar.Unary:
		if n.Op != "!" {
			return c.unaryValue(n)
		}
	case *grammar.Binary:
		if _, arithmetic := operations[n.Op]; arithmetic {
			return c.binaryValue(n)
		}
	}
	// A condition used as a number is 0 or 1.
	p := c.cond(n)
	return value{bits: func(s *Subject) (uint64, bool) {
		if p.fn(s) {
			return 1, true
		}
		return 0, true
	}, text: p.text}, true
}

func (c *compiler) fieldValue(n grammar.Field) (value, bool) {
	f, ok := c.field(n.Name)
	switch {
	case !ok:
		c.problem(n.Pos, "")
	case f.bits == nil && f.float == nil:
		c.problem(n.Pos, "`"+n.Name+"` is not a number: compare it with a text, by ==, !=, =~, !~ or ~")
	default:
		c.usable(n.Pos)
		return value{
			bits: f.bits, float: f.float, signed: f.signed, narrow: f.narrow, lists: f.lists(),
			text: c.say(func() phrase { return words(n.Name) }), leaf: true, field: n.Name,
		}, true
	}
	return value{}, false
}

func (c *compiler) unaryValue(n *grammar.Unary) (value, bool) {
	x, ok := c.value(n.X)
	if !ok {
		return value{}, false
	}
	v := value{signed: true, lists: x.lists, text: c.say(func() phrase { return joint(n.Op, x.operand()) }), leaf: true}
	switch {
	case n.Op == "~" && x.bits == nil:
		v.bits = missing
	case n.Op == "~":
		v.bits = func(s *Subject) (uint64, bool) { b, ok := x.bits(s); return ^b, ok }
	case x.bits == nil:
		v.float = func(s *Subject) (float64, bool) { f, ok := x.float(s); return -f, ok }
	default:
		v.bits = func(s *Subject) (uint64, bool) { b, ok := x.bits(s); return -b, ok }
	}
	return v, true
}

func missing(*Subject) (uint64, bool) { return 0, false }

func (c *compiler) binaryValue(n *grammar.Binary) (value, bool) {
	x, okX := c.value(n.X)
	y, okY := c.value(n.Y)
	if !okX || !okY {
		return value{}, false
	}
	v := value{
		signed: x.signed && y.signed, lists: both(x.lists, y.lists),
		text: c.say(func() phrase { return joint(x.operand(), " "+n.Op+" ", y.operand()) }),
	}
	if x.bits == nil || y.bits == nil {
		op, ok := floatOperations[n.Op]
		if !ok {
			v.bits = missing
			return v, true
		}
		a, b := x.real(), y.real()
		v.float = func(s *Subject) (float64, bool) {
			p, okP := a(s)
			q, okQ := b(s)
			return op(p, q), okP && okQ
		}
		return v, true
	}
	op, signed := operations[n.Op], v.signed
	v.bits = func(s *Subject) (uint64, bool) {
		p, okP := x.bits(s)
		q, okQ := y.bits(s)
		return op(p, q, signed), okP && okQ
	}
	return v, true
}

func (v value) operand() phrase {
	if v.leaf {
		return v.text
	}
	return joint("(", v.text, ")")
}

// truth returns whether the number is present and not 0.
func (v value) truth() func(*Subject) bool {
	if v.bits == nil {
		return func(s *Subject) bool { f, ok := v.float(s); return ok && f != 0 }
	}
	return func(s *Subject) bool { b, ok := v.bits(s); return ok && b != 0 }
}

// real returns the number as a float.
func (v value) real() func(*Subject) (float64, bool) {
	switch {
	case v.bits == nil:
		return v.float
	case v.signed:
		return func(s *Subject) (float64, bool) { b, ok := v.bits(s); return float64(int64(b)), ok }
	}
	return func(s *Subject) (float64, bool) { b, ok := v.bits(s); return float64(b), ok }
}

// comparison compares numeric values: a negative number is less than every unsigned one.
func comparison(op string, x, y value) func(*Subject) bool {
	if x.bits == nil || y.bits == nil {
		return floatComparison(op, x.real(), y.real())
	}
	if x.fixed && !y.fixed {
		return comparison(mirrored[op], y, x)
	}
	a, b := x.bits, y.bits
	if y.fixed { // the common case
		k := x.extended(y.number)
		switch op {
		case "==":
			return func(s *Subject) bool { v, ok := a(s); return ok && v == k }
		case "!=":
			return func(s *Subject) bool { v, ok := a(s); return ok && v != k }
		}
	}
	holds := orders[op]
	signedA, signedB := x.signed, y.signed
	return func(s *Subject) bool {
		p, okP := a(s)
		q, okQ := b(s)
		return okP && okQ && holds(order(p, q, signedA, signedB), p == q)
	}
}

// extended returns the constant k of a filter, sign-extended from v's width if it fits in that
// width. A constant above the width stays as it is: no value of v can equal it.
func (v value) extended(k uint64) uint64 {
	if v.narrow > 0 && k>>v.narrow == 0 {
		shift := 64 - v.narrow
		return uint64(int64(k<<shift) >> shift)
	}
	return k
}

// mirrored maps each operator to the one for swapped operands.
var mirrored = map[string]string{"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}

// orders maps an operator to its test of the order of two numbers. same is true if they are equal.
var orders = map[string]func(order int, same bool) bool{
	"==": func(_ int, same bool) bool { return same },
	"!=": func(_ int, same bool) bool { return !same },
	"<":  func(order int, _ bool) bool { return order < 0 },
	"<=": func(order int, _ bool) bool { return order <= 0 },
	">":  func(order int, _ bool) bool { return order > 0 },
	">=": func(order int, _ bool) bool { return order >= 0 },
}

// order returns a negative number if a is less than b, and a positive one if a is greater.
func order(a, b uint64, signedA, signedB bool) int {
	negA, negB := signedA && int64(a) < 0, signedB && int64(b) < 0
	switch {
	case negA != negB:
		if negA {
			return -1
		}
		return 1
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func floatComparison(op string, x, y func(*Subject) (float64, bool)) func(*Subject) bool {
	var holds func(a, b float64) bool
	switch op {
	case "==":
		holds = func(a, b float64) bool { return a == b }
	case "!=":
		holds = func(a, b float64) bool { return a != b }
	case "<":
		holds = func(a, b float64) bool { return a < b }
	case "<=":
		holds = func(a, b float64) bool { return a <= b }
	case ">":
		holds = func(a, b float64) bool { return a > b }
	default:
		holds = func(a, b float64) bool { return a >= b }
	}
	return func(s *Subject) bool {
		a, okA := x(s)
		b, okB := y(s)
		return okA && okB && holds(a, b)
	}
}

// operations are the arithmetic operators. They wrap at 64 bits; division by zero gives 0.
var operations = map[string]func(a, b uint64, signed bool) uint64{
	"+": func(a, b uint64, _ bool) uint64 { return a + b },
	"-": func(a, b uint64, _ bool) uint64 { return a - b },
	"*": func(a, b uint64, _ bool) uint64 { return a * b },
	"&": func(a, b uint64, _ bool) uint64 { return a & b },
	"|": func(a, b uint64, _ bool) uint64 { return a | b },
	"^": func(a, b uint64, _ bool) uint64 { return a ^ b },
	"/": func(a, b uint64, signed bool) uint64 {
		switch {
		case b == 0:
			return 0
		case signed:
			return uint64(int64(a) / int64(b))
		}
		return a / b
	},
	"%": func(a, b uint64, signed bool) uint64 {
		switch {
		case b == 0:
			return 0
		case signed:
			return uint64(int64(a) % int64(b))
		}
		return a % b
	},
}

// floatOperations are the arithmetic operators for floats. Division by zero gives 0, as for
// integers.
var floatOperations = map[string]func(a, b float64) float64{
	"+": func(a, b float64) float64 { return a + b },
	"-": func(a, b float64) float64 { return a - b },
	"*": func(a, b float64) float64 { return a * b },
	"/": func(a, b float64) float64 {
		if b == 0 {
			return 0
		}
		return a / b
	},
}

// floatOf returns the number with the recorded IEEE bits. size is in bytes.
func floatOf(bits uint64, size int8) float64 {
	if size == 4 {
		return float64(math.Float32frombits(uint32(bits)))
	}
	return math.Float64frombits(bits)
}
