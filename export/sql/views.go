package sql

import (
	_ "embed"
	"strings"
)

// viewTexts holds the views. Each is a comment of one line, the line NAME:, and a query up to an
// empty line.
//
//go:embed views.sql
var viewTexts string

// views returns the views that every database has.
func views() (list []*entry) {
	for _, text := range strings.Split(strings.TrimSpace(viewTexts), "\n\n") {
		doc, rest, _ := strings.Cut(strings.TrimPrefix(text, "-- "), "\n")
		head, query, _ := strings.Cut(rest, " as\n")
		list = append(list, &entry{
			name: strings.TrimPrefix(head, "create view "), doc: doc, view: strings.TrimSuffix(query, ";"),
		})
	}
	return list
}
