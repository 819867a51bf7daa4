package sql

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// groupsName is the name of the table of groups. With the name of a view appended it is the name of
// the view's table. Only queries that this package makes name them.
const groupsName = "tracec groups"

// errUnfit reports that groups do not fit in memory, or that a sum overflows. SQLite then answers
// the query.
var errUnfit = errors.New("the groups do not fit")

// groups is a table of the groups of another table. Its columns are the items of the query.
type groups struct {
	simple
	names  []string // names of the columns of the answer
	list   []Column
	keys   []int  // indexes of the key columns in the grouped table
	down   []bool // by key: whether groups are in descending order
	items  []aggregate
	tail   string // the clauses order by and limit
	memory int64
}

// aggregate is a column of the table of groups.
type aggregate struct {
	function function
	column   int     // index in the grouped table; -1 for count(*)
	key      int     // index in keys, for keyOnly
	part     float64 // the part of a quantile
}

type function uint8

const (
	keyOnly function = iota
	countAll
	countOf
	sumOf
	avgOf
	minOf
	maxOf
	quantileOf
)

var functionNames = map[string]function{"count": countOf, "sum": sumOf, "avg": avgOf, "min": minOf, "max": maxOf}

// setKeys finds the keys. Like setItems and setOrder, it returns false if SQLite must answer the
// query.
func (g *groups) setKeys(q *simpleQuery) bool {
	for _, i := range q.items { // an alias that is also a column is ambiguous
		if i.alias != "" && fold(i.alias) != fold(i.column) && q.orders(i.alias) {
			if _, ok := g.column(i.alias); ok {
				return false
			}
		}
	}
	for _, k := range q.keys {
		name := k.column
		if name == "" {
			if k.number < 1 || k.number > len(q.items) || q.items[k.number-1].function != "" {
				return false
			}
			name = q.items[k.number-1].column
		} else if at := slices.IndexFunc(q.items, func(i item) bool { return fold(i.alias) == fold(name) }); at >= 0 {
			if q.items[at].function != "" {
				return false
			}
			name = q.items[at].column
		}
		i, ok := g.column(name)
		if !ok || slices.Contains(g.keys, i) || g.kind(i) != integers && g.kind(i) != texts {
			return false
		}
		g.keys = append(g.keys, i)
	}
	return true
}

// orders reports whether a key or a term of order by has that name.
func (q *simpleQuery) orders(name string) bool {
	return slices.ContainsFunc(q.keys, func(k operand) bool { return fold(k.column) == fold(name) }) ||
		slices.ContainsFunc(q.order, func(o ordering) bool { return fold(o.of.column) == fold(name) })
}

// setItems finds the columns of the answer.
func (g *groups) setItems(q *simpleQuery) bool {
	for n, i := range q.items {
		a := aggregate{column: -1, function: functionNames[i.function]}
		kind := integers
		part, isQuantile := quantiles[i.function]
		switch {
		case i.column == "*" && i.function == "count":
			a.function = countAll
		case i.function != "" && a.function == 0 && !isQuantile:
			return false
		default:
			var ok bool
			if a.column, ok = g.column(i.column); !ok {
				return false
			}
			kind = g.kind(a.column)
		}
		name := i.text
		switch a.function {
		case keyOnly:
			if isQuantile {
				a.function, a.part = quantileOf, part
				if kind != integers {
					return false
				}
				break
			}
			if a.key = slices.Index(g.keys, a.column); a.key < 0 {
				return false
			}
			name = g.of.columns()[a.column].Name
		case countOf:
			kind = integers
		case sumOf, avgOf:
			if kind != integers {
				return false
			}
			if a.function == avgOf {
				kind = reals
			}
		case minOf, maxOf:
			if kind != integers && kind != texts {
				return false
			}
		}
		if i.alias != "" {
			name = i.alias
		}
		g.names, g.items = append(g.names, name), append(g.items, a)
		g.list = append(g.list, Column{fmt.Sprintf("c%d", n), typeNames[kind], ""})
	}
	return true
}

// setOrder sets the order and the limit of the answer. If there are as many terms of order by as
// keys, SQLite sorts each key in the direction of its term (sqlite3Select in select.c). Groups that
// are equal in order by remain in that order.
func (g *groups) setOrder(q *simpleQuery) bool {
	g.down = make([]bool, len(g.keys))
	for i, o := range q.order {
		if len(q.order) == len(g.keys) {
			g.down[i] = o.desc
		}
	}
	var terms []string
	if len(q.keys) == 0 && len(q.order) > 0 {
		return false // the answer is one row
	}
	for _, o := range q.order {
		n := o.rank
		if n == 0 {
			n = 1 + slices.IndexFunc(q.items, func(i item) bool {
				return o.of.function == "" &&
					fold(i.alias) == fold(o.of.column)
			})
		}
		if n == 0 {
			n = 1 + slices.IndexFunc(q.items, func(i item) bool {
				return i.function == o.of.function &&
					fold(i.column) == fold(o.of.column)
			})
		}
		if n < 1 || n > len(q.items) {
			return false
		}
		term := fmt.Sprint(n)
		if o.desc {
			term += " desc"
		}
		terms = append(terms, term)
	}
	if len(terms) > 0 {
		g.tail = " order by " + strings.Join(terms, ", ")
	}
	if q.limit >= 0 {
		g.tail += fmt.Sprint(" limit ", q.limit)
	}
	return true
}

// answer implements native.
func (g *groups) answer(db *Database, out Rows) error {
	if err := db.engine.create(groupsName, g); err != nil {
		return err
	}
	err := db.engine.query(db.ctx, g.from(groupsName), out)
	return errors.Join(err, db.engine.drop("table", groupsName))
}

// from returns the query that selects the answer from the table of groups.
func (g *groups) from(table string) string {
	var list []string
	for i, name := range g.names {
		list = append(list, g.list[i].Name+" as "+quote(name))
	}
	return "select " + strings.Join(list, ", ") + " from " + quote(table) + g.tail
}

// columns implements relation.
func (g *groups) columns() []Column { return g.list }

// rule implements relation.
func (g *groups) rule(int) rule { return noRule }
