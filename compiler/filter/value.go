package filter

import (
	"strconv"

	grammar "github.com/tracec/tracec/grammar/filter"
)

// value is a compiled number. fn returns it extended to 64 bits.
type value struct {
	fn     func(*Subject) uint64
	signed bool
	text   string
	leaf   bool // needs no parentheses
}

// value compiles a number; false when it has a field that the event lacks or that is no number.
func (c compiler) value(n grammar.Node) (value, bool) {
	switch n := n.(type) {
	case grammar.Number:
		v := uint64(n.Value)
		return value{func(*Subject) uint64 { return v }, true, strconv.FormatInt(n.Value, 10), true}, true
	case grammar.Field:
		return c.fieldValue(n.Name)
	case *grammar.Unary:
		return c.unaryValue(n)
	case *grammar.Binary:
		if _, arithmetic := operations[n.Op]; arithmetic {
			return c.binaryValue(n)
		}
	}
	// A condition as a number: 0 or 1.
	p := c.cond(n)
	return value{func(s *Subject) uint64 {
		if p.fn(s) {
			return 1
		}
		return 0
	}, false, p.text, false}, true
}

func (c compiler) fieldValue(name string) (value, bool) {
	switch name {
	case "CPU":
		return value{func(s *Subject) uint64 { return uint64(s.CPU) }, true, name, true}, true
	case "TIMESTAMP":
		return value{func(s *Subject) uint64 { return s.TimeNS }, false, name, true}, true
	}
	f, ok := c.lookup(name)
	if !ok || f.Int == nil {
		return value{}, false
	}
	get := f.Int
	return value{func(s *Subject) uint64 { return get(s.Data) }, f.Signed, name, true}, true
}

func (c compiler) unaryValue(n *grammar.Unary) (value, bool) {
	if n.Op == "!" {
		p := c.not(n)
		return value{func(s *Subject) uint64 {
			if p.fn(s) {
				return 1
			}
			return 0
		}, false, p.text, false}, true
	}
	x, ok := c.value(n.X)
	if !ok {
		return value{}, false
	}
	fn := func(s *Subject) uint64 { return -x.fn(s) }
	if n.Op == "~" {
		fn = func(s *Subject) uint64 { return ^x.fn(s) }
	}
	return value{fn, true, n.Op + x.operand(), true}, true
}

func (c compiler) binaryValue(n *grammar.Binary) (value, bool) {
	x, okX := c.value(n.X)
	y, okY := c.value(n.Y)
	if !okX || !okY {
		return value{}, false
	}
	signed := x.signed && y.signed
	op := operations[n.Op]
	fn := func(s *Subject) uint64 { return op(x.fn(s), y.fn(s), signed) }
	return value{fn, signed, x.operand() + " " + n.Op + " " + y.operand(), false}, true
}

func (v value) operand() string {
	if v.leaf {
		return v.text
	}
	return "(" + v.text + ")"
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
