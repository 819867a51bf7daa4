// Package tabletest makes derived tables from lines of text, for tests of their sums.
package tabletest

import (
	"strconv"
	"strings"
	"testing"

	"github.com/tracec/tracec/export/tables"
	"github.com/tracec/tracec/export/tables/sums"
)

// A Table is a table whose rows a test writes.
type Table struct {
	Lines   [][]tables.Value
	columns []tables.Column
}

// kinds holds the kinds of columns other than texts.
var kinds = map[string]tables.Kind{
	"ts": tables.Time, "dur": tables.Duration, "self": tables.Duration, "tid": tables.Integer, "cpu": tables.Integer,
	"address": tables.Address, "outer": tables.Bool, "handled": tables.Bool,
}

// Of returns a table with the rows in lines. - is NULL.
func Of(columns, lines string) *Table {
	l := &Table{}
	for name := range strings.FieldsSeq(columns) {
		l.columns = append(l.columns, tables.Column{Name: name, Kind: kinds[name]})
	}
	for line := range strings.Lines(lines) {
		words := strings.Fields(line)
		row := make([]tables.Value, len(words))
		for i, w := range words {
			switch {
			case w == "-":
				row[i].Null = true
			case l.columns[i].Kind == tables.Text:
				row[i].Text = w
			default:
				row[i].Int, _ = strconv.ParseInt(w, 0, 64)
			}
		}
		if len(row) > 0 {
			l.Lines = append(l.Lines, row)
		}
	}
	return l
}

// Name implements tables.Any.
func (l *Table) Name() string { return "list" }

// Doc implements tables.Any.
func (l *Table) Doc() string { return "" }

// Columns implements tables.Any.
func (l *Table) Columns() []tables.Column { return l.columns }

// Each implements tables.Any.
func (l *Table) Each(_ *tables.Walk, yield func(func(int) tables.Value) bool) error {
	for _, row := range l.Lines {
		if !yield(func(i int) tables.Value { return row[i] }) {
			break
		}
	}
	return nil
}

// Sum sums up the rows.
func (l *Table) Sum(t *testing.T, o sums.Options) *sums.Totals {
	t.Helper()
	finish, err := sums.Add(tables.NewWalk(nil), l, o)
	if err != nil {
		t.Fatal(err)
	}
	return finish()
}
