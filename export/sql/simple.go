package sql

import (
	"errors"
	"slices"
)

// simple is the common part of answers to simple queries: the rows of a table that pass conditions.
type simple struct {
	of     relation
	tests  []rowTest
	bounds bounds
	used   []bool
}

// native answers a simple query.
type native interface {
	answer(db *Database, out Rows) error
}

// simple returns the native answer to a query, or nil if the query is not simple.
func (db *Database) simple(query string) native {
	q := parseSimple(query)
	if q == nil || db.plain {
		return nil
	}
	e := db.catalog.named[fold(q.table)]
	if e == nil || e.view != "" {
		return nil
	}
	r, err := e.relation()
	if err != nil {
		return nil // SQLite reports the error
	}
	s := simple{of: r, bounds: newBounds(), used: make([]bool, len(r.columns()))}
	if q.keys == nil && !slices.ContainsFunc(q.items, func(i item) bool { return i.function != "" }) {
		c := &selection{simple: s, limit: q.limit}
		if len(q.order) == 0 && c.setItems(q, db.several()) && c.setTests(q) {
			return c
		}
		return nil
	}
	g := &groups{simple: s, memory: db.options.Memory / 4}
	if g.setKeys(q) && g.setItems(q) && g.setTests(q) && g.setOrder(q) {
		return g
	}
	return nil
}

// column returns the index of a column, and marks it as used.
func (s *simple) column(name string) (int, bool) {
	i := slices.IndexFunc(s.of.columns(), func(c Column) bool { return fold(c.Name) == fold(name) })
	if i >= 0 {
		s.used[i] = true
	}
	return i, i >= 0
}

// kind returns the kind of the values of a column.
func (s *simple) kind(column int) valueKind {
	return valueKind(slices.Index(typeNames[:], s.of.columns()[column].Type))
}

// selection answers a query that selects columns of rows.
type selection struct {
	simple
	names  []string // names of the columns of the answer
	places []int    // their indexes in the table
	limit  int64    // -1 for no limit
}

// setItems finds the columns of the answer.
func (c *selection) setItems(q *simpleQuery, several bool) bool {
	list := c.of.columns()
	for _, i := range q.items {
		if i.text == "*" {
			for at, column := range list {
				if at > 0 || several {
					c.add(at, column.Name)
				}
			}
			continue
		}
		at, ok := c.column(i.column)
		if !ok {
			return false
		}
		name := list[at].Name
		if i.alias != "" {
			name = i.alias
		}
		c.add(at, name)
	}
	return true
}

func (c *selection) add(place int, name string) {
	c.used[place] = true
	c.places, c.names = append(c.places, place), append(c.names, name)
}

// answer implements native. A table that cannot be read has no columns.
func (c *selection) answer(db *Database, out Rows) error {
	if c.limit == 0 {
		return out.Columns(c.names)
	}
	b, left, named := newBatch(c.of.columns(), c.used), c.limit, false
	values := make([]any, len(c.places))
	var failed error
	s := &scan{ctx: db.ctx, bounds: c.bounds, used: c.used, batch: b, most: firstRows}
	s.yield = func(struct{}) bool {
		if !named {
			named, failed = true, out.Columns(c.names)
		}
		for row := 0; row < b.rows && failed == nil && left != 0; row++ {
			if !c.passes(b, row) {
				continue
			}
			for i, place := range c.places {
				values[i] = b.columns[place].value(row)
			}
			failed = out.Row(values)
			left--
		}
		return failed == nil && left != 0
	}
	err := s.all(c.of)
	if err == nil && !named {
		err = out.Columns(c.names)
	}
	return errors.Join(err, failed)
}
