package tables

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tracec/tracec/grammar/filter"
	"github.com/tracec/tracec/internal/suggest"
)

// A Condition reports whether a row passes. get returns the values of its columns.
type Condition func(get func(column int) Value) bool

// Where compiles a condition on the columns of a table, in the language of package grammar/filter:
//
//	dur > 1000000 && thread =~ "^kworker"
//
// A comparison with a value that is NULL is false.
func Where(t Any, condition string) (Condition, error) {
	f, err := filter.Condition(condition)
	if err != nil {
		return nil, err
	}
	c := conditions{table: t, columns: t.Columns()}
	return c.truth(f.Cond)
}

// conditions compiles the expressions of a condition.
type conditions struct {
	table   Any
	columns []Column
}

// operand is the value of an expression.
type operand func(get func(int) Value) Value

// truth compiles an expression with a truth value.
func (c *conditions) truth(n filter.Node) (Condition, error) {
	switch n := n.(type) {
	case *filter.Binary:
		if n.Op == "&&" || n.Op == "||" {
			return c.both(n)
		}
		if compare, ok := comparisons[n.Op]; ok {
			return c.comparison(n, compare)
		}
	case *filter.Unary:
		if n.Op == "!" {
			x, err := c.truth(n.X)
			return func(get func(int) Value) bool { return !x(get) }, err
		}
	case *filter.Match:
		i, err := c.column(n.X.Name)
		return func(get func(int) Value) bool {
			v := get(i)
			return !v.Null && n.Regexp.MatchString(v.Text) == (n.Op != "!~")
		}, err
	}
	x, err := c.value(n)
	return func(get func(int) Value) bool {
		v := x(get)
		return !v.Null && (v.Int != 0 || v.Text != "")
	}, err
}

func (c *conditions) both(n *filter.Binary) (Condition, error) {
	x, err := c.truth(n.X)
	if err != nil {
		return nil, err
	}
	y, err := c.truth(n.Y)
	if n.Op == "&&" {
		return func(get func(int) Value) bool { return x(get) && y(get) }, err
	}
	return func(get func(int) Value) bool { return x(get) || y(get) }, err
}

// comparisons holds the operators, as functions of the order of their operands.
var comparisons = map[string]func(order int) bool{
	"==": func(o int) bool { return o == 0 }, "!=": func(o int) bool { return o != 0 },
	"<": func(o int) bool { return o < 0 }, "<=": func(o int) bool { return o <= 0 },
	">": func(o int) bool { return o > 0 }, ">=": func(o int) bool { return o >= 0 },
}

func (c *conditions) comparison(n *filter.Binary, compare func(int) bool) (Condition, error) {
	x, err := c.value(n.X)
	if err != nil {
		return nil, err
	}
	y, err := c.value(n.Y)
	if err != nil {
		return nil, err
	}
	return func(get func(int) Value) bool {
		a, b := x(get), y(get)
		switch {
		case a.Null || b.Null:
			return false
		case a.Text != "" || b.Text != "":
			return compare(strings.Compare(a.Text, b.Text))
		case a.Int < b.Int:
			return compare(-1)
		case a.Int > b.Int:
			return compare(1)
		}
		return compare(0)
	}, nil
}

// value compiles an expression that has a value.
func (c *conditions) value(n filter.Node) (operand, error) {
	switch n := n.(type) {
	case filter.Number:
		return func(func(int) Value) Value { return Value{Int: n.Value} }, nil
	case filter.Text:
		return func(func(int) Value) Value { return Value{Text: n.Value} }, nil
	case filter.Field:
		i, err := c.column(n.Name)
		return func(get func(int) Value) Value { return get(i) }, err
	case *filter.Unary:
		if n.Op == "-" {
			x, err := c.value(n.X)
			return func(get func(int) Value) Value {
				v := x(get)
				v.Int = -v.Int
				return v
			}, err
		}
	}
	return nil, fmt.Errorf("a condition on rows compares columns with numbers and texts")
}

// column returns the index of a column.
func (c *conditions) column(name string) (int, error) {
	i := slices.IndexFunc(c.columns, func(d Column) bool { return d.Name == name })
	if i >= 0 {
		return i, nil
	}
	var names []string
	for _, d := range c.columns {
		names = append(names, d.Name)
	}
	return 0, fmt.Errorf("%s has no column %s: %s%s", c.table.Name(), name, strings.Join(names, ", "),
		suggest.DidYouMean(name, names))
}
