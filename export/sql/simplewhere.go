package sql

import (
	"slices"
	"strings"
)

// rowTest is a condition on the rows of a simple query. It compares a column of integers with
// integers, or a column of texts with texts. SQLite would convert other values.
type rowTest struct {
	column int
	op     string
	ints   []int64
	texts  []string
}

// setTests finds the conditions. Conditions on some columns also limit which records are read.
func (s *simple) setTests(q *simpleQuery) bool {
	for _, t := range q.where {
		column, ok := s.column(t.column)
		if !ok {
			return false
		}
		r := rowTest{column: column, op: t.op}
		kind := s.kind(column)
		for _, v := range t.values {
			switch v := v.(type) {
			case int64:
				r.ints = append(r.ints, v)
				ok = ok && kind == integers
			case string:
				r.texts = append(r.texts, v)
				ok = ok && kind == texts
			}
		}
		if !ok {
			return false
		}
		s.tests = append(s.tests, r)
		s.bound(&r, t.values)
	}
	return true
}

// bound adds a condition to the bounds.
func (s *simple) bound(r *rowTest, values []any) {
	on := s.of.rule(r.column)
	if on == noRule {
		return
	}
	switch r.op {
	case "=", "<", ">":
		s.bounds.add(on, comparison(r.op[0]), values[0])
	case "<=":
		s.bounds.add(on, lessOrEqual, values[0])
	case ">=":
		s.bounds.add(on, greaterOrEqual, values[0])
	case "between":
		s.bounds.add(on, greaterOrEqual, values[0])
		s.bounds.add(on, lessOrEqual, values[1])
	case "in":
		s.bounds.among(on, r.ints, r.texts)
	}
}

// passes reports whether a row of a batch passes all conditions.
func (s *simple) passes(b *batch, row int) bool {
	for i := range s.tests {
		if t := &s.tests[i]; !t.passes(&b.columns[t.column], row) {
			return false
		}
	}
	return true
}

// passes reports whether a row passes.
func (r *rowTest) passes(v *vector, row int) bool {
	if v.nulls[row] || r.op == "null" || r.op == "notnull" {
		return v.nulls[row] == (r.op == "null") && (r.op == "null" || r.op == "notnull")
	}
	if v.kind == texts {
		s := v.textAt(row)
		if r.op == "in" || r.op == "notin" {
			return slices.Contains(r.texts, s) == (r.op == "in")
		}
		return r.ordered(strings.Compare(s, r.texts[0]), func() int { return strings.Compare(s, r.texts[1]) })
	}
	x := v.ints[row]
	if r.op == "in" || r.op == "notin" {
		return slices.Contains(r.ints, x) == (r.op == "in")
	}
	return r.ordered(order(x, r.ints[0]), func() int { return order(x, r.ints[1]) })
}

func order(a, b int64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// ordered reports whether a value passes. o is its order relative to the value of the condition,
// high relative to the second value of between.
func (r *rowTest) ordered(o int, high func() int) bool {
	switch r.op {
	case "=":
		return o == 0
	case "<>":
		return o != 0
	case "<":
		return o < 0
	case "<=":
		return o <= 0
	case ">":
		return o > 0
	case ">=":
		return o >= 0
	}
	return o >= 0 && high() <= 0
}
