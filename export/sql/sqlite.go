//go:build (linux && (386 || amd64 || arm || arm64 || loong64 || ppc64le || riscv64 || s390x)) || darwin || (windows && (386 || amd64 || arm64)) || (freebsd && (386 || amd64 || arm || arm64)) || (openbsd && (386 || amd64 || arm64)) || (netbsd && amd64) || (illumos && amd64)

package sql

import (
	"context"
	stdsql "database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"
	"modernc.org/sqlite/vtab"
)

// moduleName is the name of the module of all tables.
const moduleName = "tracec"

// sqliteDriver makes connections with the functions and the module of this package. Only this
// driver has them: programs that use SQLite themselves do not see them.
var sqliteDriver = sync.OnceValues(func() (*sqlite.Driver, error) {
	d := new(sqlite.Driver)
	return d, errors.Join(register(d), d.RegisterModule(moduleName, module{}))
})

// connection is a connection to SQLite with one database in memory.
type connection struct {
	db      *Database
	pool    *stdsql.DB
	conn    *stdsql.Conn
	tables  []string // keys of its tables in relations
	changes bool     // the package itself is creating something
	refused string   // the first rejected operation of the current query
}

// connector opens connections of the driver.
type connector struct{ d *sqlite.Driver }

func (c connector) Connect(context.Context) (driver.Conn, error) { return c.d.Open(":memory:") }
func (c connector) Driver() driver.Driver                        { return c.d }

// newEngine opens a connection.
func newEngine(db *Database) (engine, error) {
	d, err := sqliteDriver()
	if err != nil {
		return nil, err
	}
	c := &connection{db: db, pool: stdsql.OpenDB(connector{d})}
	c.pool.SetMaxOpenConns(1)
	if c.conn, err = c.pool.Conn(context.Background()); err != nil {
		return nil, errors.Join(err, c.pool.Close())
	}
	if err := c.limit(db.options.Memory); err != nil {
		return nil, errors.Join(err, c.close())
	}
	return c, nil
}

// limit makes the connection read-only and limits its memory.
func (c *connection) limit(memory int64) error {
	for _, pragma := range []string{
		fmt.Sprintf("pragma hard_heap_limit = %d", memory),
		fmt.Sprintf("pragma cache_size = -%d", min(memory>>13, 64<<10)), // in kB; larger sorts use temporary files
		"pragma temp_store = file",
	} {
		if _, err := c.conn.ExecContext(context.Background(), pragma); err != nil {
			return err
		}
	}
	for id, value := range map[int]int{
		lib.SQLITE_LIMIT_ATTACHED: 0,
		lib.SQLITE_LIMIT_LENGTH:   int(min(memory/4, 1<<30)),
	} {
		if _, err := sqlite.Limit(c.conn, id, value); err != nil {
			return err
		}
	}
	return c.conn.Raw(func(raw any) error {
		return raw.(sqlite.AuthorizerRegisterer).RegisterAuthorizer(c.authorize)
	})
}

// change runs a statement that creates or drops something.
func (c *connection) change(statement string) error {
	c.changes = true
	defer func() { c.changes = false }()
	_, err := c.conn.ExecContext(context.Background(), statement)
	return err
}

// create implements engine.
func (c *connection) create(name string, r relation) error {
	key := relations.add(&vtable{db: c.db, relation: r})
	c.tables = append(c.tables, key) // keep the key, since SQLite may connect to the table again
	return c.change("create virtual table " + quote(name) + " using " + moduleName + "(" + key + ")")
}

// drop implements engine.
func (c *connection) drop(kind, name string) error {
	return c.change("drop " + kind + " " + quote(name))
}

// view implements engine.
func (c *connection) view(name, query string) error {
	return c.change("create view " + quote(name) + " as " + query)
}

// close implements engine.
func (c *connection) close() error {
	err := errors.Join(c.conn.Close(), c.pool.Close())
	for _, key := range c.tables {
		relations.remove(key)
	}
	return err
}

// query implements engine.
func (c *connection) query(ctx context.Context, query string, out Rows) error {
	c.refused = ""
	err := c.conn.Raw(func(raw any) error {
		rows, err := raw.(driver.QueryerContext).QueryContext(ctx, query, nil)
		if err != nil {
			return err
		}
		return errors.Join(pass(rows, out), rows.Close())
	})
	if err != nil && c.refused != "" {
		return &QueryError{fmt.Errorf("%s: not allowed, a query can only select", c.refused)}
	}
	var failed *sqlite.Error
	switch {
	case !errors.As(err, &failed):
		return err
	case failed.Code()&0xff == lib.SQLITE_NOMEM:
		return fmt.Errorf("the query needs more memory than %d MB", c.db.options.Memory>>20)
	case failed.Code()&0xff == lib.SQLITE_ERROR:
		return &QueryError{errors.New(message(failed))}
	}
	return err
}

// message returns the message of SQLite without its code.
func message(err *sqlite.Error) string {
	text := strings.TrimPrefix(err.Error(), "SQL logic error: ")
	if at := strings.LastIndex(text, " ("); at > 0 && strings.HasSuffix(text, ")") {
		text = text[:at]
	}
	return text
}

// pass passes the rows of an answer on.
func pass(rows driver.Rows, out Rows) error {
	names := rows.Columns()
	if err := out.Columns(names); err != nil {
		return err
	}
	values := make([]driver.Value, len(names))
	list := make([]any, len(names))
	for {
		switch err := rows.Next(values); {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
		for i, v := range values {
			list[i] = v
		}
		if err := out.Row(list); err != nil {
			return err
		}
	}
}

// module makes the virtual tables of all databases.
type module struct{}

// relations holds the tables of all open databases. The key is the argument of the virtual table.
var relations registry

type registry struct {
	mu   sync.Mutex
	next int
	list map[string]*vtable
}

func (r *registry) add(t *vtable) (key string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.list == nil {
		r.list = map[string]*vtable{}
	}
	r.next++
	key = fmt.Sprint(r.next)
	r.list[key] = t
	return key
}

func (r *registry) remove(key string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.list, key)
}

// Create implements vtab.Module.
func (module) Create(ctx vtab.Context, args []string) (vtab.Table, error) {
	relations.mu.Lock()
	t := relations.list[args[len(args)-1]]
	relations.mu.Unlock()
	if t == nil {
		return nil, errors.New("tables are created by names in queries alone")
	}
	return t, ctx.Declare(t.declaration())
}

// Connect implements vtab.Module.
func (m module) Connect(ctx vtab.Context, args []string) (vtab.Table, error) {
	return m.Create(ctx, args)
}

// declaration returns the statement that declares the columns.
func (t *vtable) declaration() string {
	var list []string
	for i, c := range t.relation.columns() {
		text := quote(c.Name) + " " + c.Type
		if i == 0 && !t.db.several() {
			text += " hidden"
		}
		list = append(list, text)
	}
	return "create table t(" + strings.Join(list, ", ") + ")"
}
