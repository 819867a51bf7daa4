package sql

import (
	"errors"
	"strings"

	"github.com/tracec/tracec/internal/suggest"
)

// suggested adds names that are similar to an unknown name in SQLite's message.
func (db *Database) suggested(wrong *QueryError, words []string) error {
	text := wrong.Error()
	var names []string
	missing, isTable := strings.CutPrefix(text, "no such table: ")
	if isTable {
		for _, e := range db.catalog.entries {
			names = append(names, e.name)
		}
	} else {
		var isColumn bool
		if missing, isColumn = strings.CutPrefix(text, "no such column: "); !isColumn {
			return wrong
		}
		for _, word := range words {
			names = append(names, db.columnsOf(word)...)
		}
	}
	name := missing[strings.LastIndex(missing, ".")+1:]
	return &QueryError{errors.New(text + suggest.DidYouMean(name, names))}
}

// columnsOf returns the names of the columns of a table. It returns nil if there is no such table.
func (db *Database) columnsOf(table string) (names []string) {
	e := db.catalog.named[fold(table)]
	if e == nil || e.view != "" {
		return nil
	}
	r, err := e.relation()
	if err != nil {
		return nil
	}
	for _, c := range r.columns() {
		names = append(names, c.Name)
	}
	return names
}
