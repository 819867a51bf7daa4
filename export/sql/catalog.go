package sql

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/tracec/tracec/export/columns"
	"github.com/tracec/tracec/export/tables"
	"github.com/tracec/tracec/runtime/record"
)

// catalog holds the tables of a database.
type catalog struct {
	named   map[string]*entry // by name in lower case, including second names
	entries []*entry
}

// entry is a table or a view.
type entry struct {
	name, doc string
	relation  func() (relation, error)
	view      string // query of a view
	events    []event
}

// event is a kind of event of a source.
type event struct {
	source              int
	system, name, label string
}

// A Table describes a table or a view.
type Table struct {
	Name, Doc string
	// Events are the names of the kind of event, with the system. It is empty for other tables.
	Event string
	entry *entry
	db    *Database
}

// A Column describes a column of a table.
type Column struct {
	Name string
	Type string // INTEGER, REAL, TEXT or BLOB
	Doc  string
}

// fold returns a name in the form that SQLite uses to compare names.
func fold(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, name)
}

// fill finds the tables of the sources of a database.
func (c *catalog) fill(ctx context.Context, db *Database) error {
	c.named = map[string]*entry{}
	c.add(&entry{name: "events", doc: "all events",
		relation: sync.OnceValues(func() (relation, error) { return newEvents(db) })})
	for _, t := range tables.All() {
		c.add(&entry{name: t.Name(), doc: t.Doc(),
			relation: func() (relation, error) { return newDerived(db, t), nil }})
	}
	for _, v := range views() {
		c.add(v)
	}
	kinds, err := kindsOf(ctx, db)
	if err != nil {
		return err
	}
	uses := map[string]int{}
	for _, e := range kinds {
		uses[fold(plain(e.events[0].name))]++
	}
	for _, e := range kinds {
		e.name = plain(e.events[0].name)
		if uses[fold(e.name)] > 1 || c.named[fold(e.name)] != nil || strings.HasPrefix(fold(e.name), "sqlite_") ||
			e.name == "" {
			e.name = c.free(e.qualified())
		}
		c.add(e)
	}
	for _, e := range kinds {
		c.second(e.qualified(), e)
		c.second(plain(e.events[0].label), e)
	}
	return nil
}

// kindsOf returns an entry without a name for each kind of event.
func kindsOf(ctx context.Context, db *Database) (list []*entry, err error) {
	known := map[[2]string]*entry{}
	for i, s := range db.sources {
		r, err := s.Open(record.Options{Context: ctx})
		if err != nil {
			return nil, err
		}
		hooks := r.Labels() && !r.Exits() // AIX: all ids are names, and names with a label have a template
		r.Names(func(system, name, label string) {
			if hooks && label == "" {
				return
			}
			key := [2]string{system, name}
			e := known[key]
			if e == nil {
				e = &entry{}
				e.relation = sync.OnceValues(func() (relation, error) { return newKind(db, e.events) })
				known[key] = e
				list = append(list, e)
			}
			if n := len(e.events); n == 0 || e.events[n-1].source != i {
				e.events = append(e.events, event{i, system, name, label})
			}
		})
	}
	return list, nil
}

// has reports whether there are kinds of events for all of some names.
func (c *catalog) has(names []string) bool {
	for _, name := range names {
		is := func(ev event) bool { return same(name, plain(ev.name)) }
		if !slices.ContainsFunc(c.entries, func(e *entry) bool { return slices.ContainsFunc(e.events, is) }) {
			return false
		}
	}
	return true
}

// plain returns a valid name for SQL: UTF-8 without a NUL.
func plain(name string) string {
	return strings.ReplaceAll(string(columns.AppendValid(nil, name)), "\x00", `\x00`)
}

// qualified returns the name with the system.
func (e *entry) qualified() string {
	ev := e.events[0]
	if ev.system == "" {
		return "event_" + plain(ev.name)
	}
	return plain(ev.system) + "_" + plain(ev.name)
}

// free returns a name that no table has: the name itself, or the name with a number.
func (c *catalog) free(name string) string {
	try := name
	for i := 2; c.named[fold(try)] != nil || strings.HasPrefix(fold(try), "sqlite_"); i++ {
		try = fmt.Sprintf("%s_%d", name, i)
		if strings.HasPrefix(fold(try), "sqlite_") {
			try = "event_" + try
		}
	}
	return try
}

func (c *catalog) add(e *entry) {
	c.named[fold(e.name)] = e
	c.entries = append(c.entries, e)
}

// second gives a table another name if that is free.
func (c *catalog) second(name string, e *entry) {
	if name != "" && !strings.HasPrefix(fold(name), "sqlite_") && c.named[fold(name)] == nil {
		c.named[fold(name)] = e
	}
}

// Tables lists the tables and views.
func (db *Database) Tables() []Table {
	var list []Table
	for _, e := range db.catalog.entries {
		list = append(list, e.describe(db))
	}
	return list
}

// Table returns the table with that name. It returns false if there is none.
func (db *Database) Table(name string) (Table, bool) {
	e := db.catalog.named[fold(name)]
	if e == nil {
		return Table{}, false
	}
	return e.describe(db), true
}

func (e *entry) describe(db *Database) Table {
	t := Table{Name: e.name, Doc: e.doc, entry: e, db: db}
	if len(e.events) > 0 {
		t.Event = e.events[0].system + ":" + e.events[0].name
		t.Doc = strings.TrimPrefix(e.events[0].label, e.events[0].name)
	}
	return t
}

// Columns returns the columns of the table. Columns of a view have no types and no documentation.
func (t Table) Columns(ctx context.Context) ([]Column, error) {
	if t.entry.view == "" {
		r, err := t.entry.relation()
		if err != nil {
			return nil, err
		}
		return r.columns(), nil
	}
	var names heading
	err := t.db.Query(ctx, "select * from "+quote(t.Name)+" limit 0", &names)
	return names.columns, err
}

// heading receives the columns of an answer.
type heading struct{ columns []Column }

// Columns implements Rows.
func (h *heading) Columns(names []string) error {
	for _, name := range names {
		h.columns = append(h.columns, Column{Name: name})
	}
	return nil
}

// Row implements Rows.
func (h *heading) Row([]any) error { return nil }

// quote returns a name as an SQL identifier.
func quote(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }
