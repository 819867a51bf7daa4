package filter

import (
	"bytes"
	"fmt"
	"strconv"

	"github.com/tracec/tracec/compiler/interp"
	"github.com/tracec/tracec/compiler/ir"
	grammar "github.com/tracec/tracec/grammar/filter"
)

// compiler compiles filters for one event.
type compiler struct {
	event *Event
	// the program that yields the values; nil: fields have places, or no value was used
	values   *values
	nodes    int                         // number of compiled nodes
	comm     bool                        // the filter uses COMM
	texts    bool                        // build the texts as well
	fields   map[string]field            // the fields looked up so far; zero if the event has no such field
	names    map[*ir.Field]*interp.Names // names of values in the event's text; nil: not looked up
	problems map[int]string              // why a field cannot be used, by its position in the filter; nil: not needed
	used     func(pos int)               // called for fields that can be used; nil: not needed
}

func newCompiler(e *Event) *compiler { return &compiler{event: e, fields: map[string]field{}} }

// say returns the text if texts are built, else nil.
func (c *compiler) say(text func() phrase) phrase {
	if !c.texts {
		return nil
	}
	return text()
}

// always and never replace conditions that do not depend on the record.
var (
	always = &Predicate{fn: func(*Subject) bool { return true }, text: words("TRUE"), Constant: 1}
	never  = &Predicate{fn: func(*Subject) bool { return false }, text: words("FALSE"), Constant: -1}
)

func constant(v bool) *Predicate {
	if v {
		return always
	}
	return never
}

// filter compiles a whole filter.
func (c *compiler) filter(f *grammar.Filter) *Predicate {
	if f.Cond == nil {
		return constant(true)
	}
	return c.cond(f.Cond)
}

// cond compiles a truth value.
func (c *compiler) cond(n grammar.Node) *Predicate {
	c.nodes++
	switch n := n.(type) {
	case *grammar.Unary:
		if n.Op == "!" {
			return c.not(n)
		}
	case *grammar.Match:
		return c.match(n)
	case *grammar.Binary:
		switch n.Op {
		case "&&":
			return c.and(c.cond(n.X), c.cond(n.Y))
		case "||":
			return c.or(c.cond(n.X), c.cond(n.Y))
		case "==", "!=", "<", "<=", ">", ">=":
			return c.compare(n)
		}
	}
	v, ok := c.value(n)
	if !ok {
		return constant(false)
	}
	return v.lists.any(v.truth(), v.text)
}

func (c *compiler) not(n *grammar.Unary) *Predicate {
	x := c.cond(n.X)
	if x.Constant != 0 {
		return constant(x.Constant < 0)
	}
	return &Predicate{fn: func(s *Subject) bool { return !x.fn(s) },
		text: c.say(func() phrase { return joint("!(", x.text, ")") })}
}

func (c *compiler) and(x, y *Predicate) *Predicate {
	if p := settled(x, y, 1); p != nil {
		return p
	}
	return &Predicate{
		fn:   func(s *Subject) bool { return x.fn(s) && y.fn(s) },
		text: c.say(func() phrase { return joint("(", x.text, ") && (", y.text, ")") }),
	}
}

func (c *compiler) or(x, y *Predicate) *Predicate {
	if p := settled(x, y, -1); p != nil {
		return p
	}
	if p := c.oneOf(x, y); p != nil {
		return p
	}
	return &Predicate{
		fn:   func(s *Subject) bool { return x.fn(s) || y.fn(s) },
		text: c.say(func() phrase { return joint("(", x.text, ") || (", y.text, ")") }),
	}
}

// settled simplifies a condition with a constant side, and returns nil if neither side is constant.
// The result is the side that remains, so that String shows only this side. The constant neutral
// drops out; the other constant decides the condition.
func settled(x, y *Predicate, neutral int) *Predicate {
	for _, side := range [][2]*Predicate{{x, y}, {y, x}} {
		switch side[0].Constant {
		case 0:
		case neutral:
			return side[1]
		default:
			return side[0]
		}
	}
	return nil
}

func (c *compiler) match(n *grammar.Match) *Predicate {
	x, ok := c.text(n.X)
	if !ok {
		return constant(false)
	}
	re, want := n.Regexp, n.Op != "!~"
	return x.lists.any(func(s *Subject) bool {
		b := x.fn(s)
		return b != nil && re.Match(b) == want
	}, c.say(func() phrase { return words(fmt.Sprintf(`%s %s "%s"`, n.X.Name, n.Op, n.Text)) }))
}

func (c *compiler) compare(n *grammar.Binary) *Predicate {
	if c.unquoted(n.X, n.Y) || c.unquoted(n.Y, n.X) {
		return constant(false)
	}
	if t, ok := n.X.(grammar.Text); ok {
		return c.compareText(n.Op, n.Y, t.Value)
	}
	if t, ok := n.Y.(grammar.Text); ok {
		return c.compareText(n.Op, n.X, t.Value)
	}
	if c.isText(n.X) && c.isText(n.Y) && (n.Op == "==" || n.Op == "!=") {
		return c.sameText(n.Op, n.X.(grammar.Field), n.Y.(grammar.Field))
	}
	x, okX := c.value(n.X)
	y, okY := c.value(n.Y)
	if !okX || !okY {
		return constant(false)
	}
	text := c.say(func() phrase { return joint(x.operand(), " "+n.Op+" ", y.operand()) })
	p := both(x.lists, y.lists).any(comparison(n.Op, x, y), text)
	if n.Op == "==" {
		p.in = membersOf(x, y)
	}
	return p
}

// unquoted notes that x is a text and that y lacks its quotes: y is a number, or a word that is not
// a field.
func (c *compiler) unquoted(x, y grammar.Node) bool {
	of, ok := x.(grammar.Field)
	if !ok || c.problems == nil {
		return false
	}
	f, known := c.field(of.Name)
	if !known {
		return false
	}
	switch y := y.(type) {
	case grammar.Number:
		if f.bits == nil && f.float == nil && f.bytes != nil {
			c.problem(of.Pos, "`"+of.Name+"` is text: write \""+strconv.FormatInt(y.Value, 10)+"\"")
			return true
		}
	case grammar.Field:
		named := f.bytes != nil || f.number != nil && c.numberNames(f) != nil
		if _, isField := c.field(y.Name); !isField && named {
			c.usable(of.Pos)
			c.problem(y.Pos, "texts are quoted: \""+y.Name+"\"")
			return true
		}
	}
	return false
}

// isText reports whether a node is a field that is not a number.
func (c *compiler) isText(n grammar.Node) bool {
	name, ok := n.(grammar.Field)
	if !ok {
		return false
	}
	f, _ := c.field(name.Name)
	return f.bits == nil && f.bytes != nil
}

func (c *compiler) sameText(op string, x, y grammar.Field) *Predicate {
	a, okA := c.text(x)
	b, okB := c.text(y)
	if !okA || !okB {
		return constant(false)
	}
	want := op == "=="
	return both(a.lists, b.lists).any(func(s *Subject) bool {
		p, q := a.fn(s), b.fn(s)
		return p != nil && q != nil && bytes.Equal(p, q) == want
	}, c.say(func() phrase { return words(x.Name + " " + op + " " + y.Name) }))
}

func (c *compiler) compareText(op string, n grammar.Node, text string) *Predicate {
	field, _ := n.(grammar.Field) // the grammar allows only a field beside a text
	x, ok := c.text(field)
	if !ok {
		return constant(false)
	}
	want := op == "=="
	return x.lists.any(func(s *Subject) bool {
		b := x.fn(s)
		return b != nil && (string(b) == text) == want
	}, c.say(func() phrase { return words(field.Name + " " + op + ` "` + text + `"`) }))
}

// lists holds, for each list in a comparison, the function that returns its length.
type lists []func(*Subject) int

func both(a, b lists) lists { return append(a[:len(a):len(a)], b...) }

// any returns the predicate of a comparison. If the comparison has lists, it is true if fn is true
// for one of their elements.
func (l lists) any(fn func(*Subject) bool, text phrase) *Predicate {
	if len(l) == 0 {
		return &Predicate{fn: fn, text: text}
	}
	return &Predicate{text: text, fn: func(s *Subject) bool {
		n := l[0](s)
		for _, length := range l[1:] {
			n = min(n, length(s))
		}
		outer, found := s.index, false
		for s.index = 0; s.index < n && !found; s.index++ {
			found = fn(s)
		}
		s.index = outer
		return found
	}}
}
