package sql

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/runtime/record"
)

// ErrPlatform reports that SQLite is not available on a platform.
var ErrPlatform = errors.New("SQL is not available on this platform: its SQLite driver does not build here")

// A Source is an open recording.
type Source struct {
	Name string // value of the column recording
	// Open returns a reader of events within a selection. Several may be in use at once.
	Open func(within record.Options, more ...tracec.Option) (*tracec.Reader, error)
}

// Options are the options of a Database. The zero value is usable.
type Options struct {
	// Memory limits the memory of SQLite. Half of it limits each table that is kept for a join. If
	// 0, it is 256 MiB. SQLite has one limit for all databases of a process.
	Memory int64
	// Warn receives messages for readers of the answers, such as failed streams. It may be nil.
	Warn func(error)
}

// A QueryError reports an invalid or forbidden query.
type QueryError struct{ Err error }

// Error implements error.
func (e *QueryError) Error() string { return e.Err.Error() }

// Unwrap returns the reason.
func (e *QueryError) Unwrap() error { return e.Err }

// Rows receives the answer to a query.
type Rows interface {
	// Columns is called once, before the first row.
	Columns(names []string) error
	// Row is called for each row. A value is nil, an int64, a float64, a string or a []byte. The
	// slice is valid during the call.
	Row(values []any) error
}

// A Database presents a set of recordings as tables. It is for one goroutine.
type Database struct {
	sources []Source
	options Options
	catalog catalog
	engine  engine
	created map[string]bool // by name in lower case
	ctx     context.Context // context of the current query
	failed  error           // error of a scan in the current query
	plain   bool            // SQLite answers all queries; for tests
	warned  map[string]bool
	grouped map[string]string // queries of views on tables of groups
}

// engine is the connection to SQLite.
type engine interface {
	create(name string, r relation) error
	drop(kind, name string) error
	view(name, query string) error
	query(ctx context.Context, query string, out Rows) error
	close() error
}

// Open makes a database of recordings. They must remain open until Close.
func Open(ctx context.Context, sources []Source, o Options) (*Database, error) {
	o.Memory = cmp.Or(o.Memory, 256<<20)
	if o.Warn == nil {
		o.Warn = func(error) {}
	}
	db := &Database{sources: sources, options: o, created: map[string]bool{}, warned: map[string]bool{},
		grouped: map[string]string{}}
	if err := db.catalog.fill(ctx, db); err != nil {
		return nil, err
	}
	var err error
	db.engine, err = newEngine(db)
	return db, err
}

// Close closes the database. It does not close the recordings.
func (db *Database) Close() error { return db.engine.close() }

// Query answers one query.
func (db *Database) Query(ctx context.Context, query string, out Rows) error {
	words, err := words(query)
	if err != nil {
		return &QueryError{err}
	}
	db.ctx, db.failed = ctx, nil
	if err := db.need(words); err != nil {
		return err
	}
	own := db.simple(query)
	if own != nil {
		err = own.answer(db, out)
	}
	if own == nil || errors.Is(db.failed, errUnfit) {
		db.failed = nil
		err = db.ask(ctx, query, out)
	}
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case db.failed != nil:
		return db.failed
	}
	if wrong := new(QueryError); errors.As(err, &wrong) {
		return db.suggested(wrong, words)
	}
	return err
}

// ask passes a query to SQLite. If the groups of a view do not fit, it tries again with plain
// views.
func (db *Database) ask(ctx context.Context, query string, out Rows) error {
	begun := &begunRows{Rows: out}
	err := db.engine.query(ctx, query, begun)
	if begun.is || !errors.Is(db.failed, errUnfit) {
		return err
	}
	db.failed = nil
	for name, view := range db.grouped {
		if err := errors.Join(db.engine.drop("view", name), db.engine.view(name, view)); err != nil {
			return err
		}
	}
	clear(db.grouped)
	return db.engine.query(ctx, query, out)
}

// begunRows notes whether rows were passed on.
type begunRows struct {
	Rows
	is bool
}

// Columns implements Rows.
func (b *begunRows) Columns(names []string) error {
	b.is = true
	return b.Rows.Columns(names)
}

// need creates the tables and views that a query names.
func (db *Database) need(words []string) error {
	for _, word := range words {
		key := fold(word)
		e := db.catalog.named[key]
		if e == nil || db.created[key] {
			continue
		}
		db.created[key] = true
		if err := db.create(word, e); err != nil {
			return fmt.Errorf("table %s: %w", word, err)
		}
	}
	return nil
}

func (db *Database) create(name string, e *entry) error {
	if e.view != "" {
		inner, err := words(e.view)
		if err == nil {
			err = db.need(inner)
		}
		if err != nil {
			return err
		}
		query := e.view
		if g, ok := db.simple(query).(*groups); ok {
			table := groupsName + " " + name
			if err := db.engine.create(table, g); err != nil {
				return err
			}
			db.grouped[name], query = query, g.from(table)
		}
		return db.engine.view(name, query)
	}
	r, err := e.relation()
	if err != nil {
		return err
	}
	return db.engine.create(name, r)
}

// warn passes an error on once.
func (db *Database) warn(err error) {
	if !db.warned[err.Error()] {
		db.warned[err.Error()] = true
		db.options.Warn(err)
	}
}

// several reports whether tables show the column recording.
func (db *Database) several() bool { return len(db.sources) > 1 }
