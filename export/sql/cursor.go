//go:build (linux && (386 || amd64 || arm || arm64 || loong64 || ppc64le || riscv64 || s390x)) || darwin || (windows && (386 || amd64 || arm64)) || (freebsd && (386 || amd64 || arm || arm64)) || (openbsd && (386 || amd64 || arm64)) || (netbsd && amd64) || (illumos && amd64)

package sql

import (
	"strings"

	"modernc.org/sqlite/vtab"
)

// cursor reads the rows of a table.
type cursor struct {
	table *vtable
	batch *batch
	row   int
	id    int64 // number of the row
	done  bool

	next func() bool
	stop func()
	err  func() error

	reads   int // number of scans of the table
	stored  *stored
	chained bool // the rows are a chain in stored
}

// Filter implements vtab.Cursor.
func (c *cursor) Filter(_ int, plan string, values []vtab.Value) error {
	c.end()
	used, list, err := c.table.readPlan(plan, values)
	if err != nil {
		return err
	}
	c.done, c.id, c.row = false, 0, 0
	if c.reads++; c.reads > 1 {
		if c.stored == nil || c.stored.plan != plan {
			if c.stored, err = store(c.table, plan, used, list); err != nil {
				return c.fail(err)
			}
		}
		if !c.stored.tooBig {
			c.batch = c.stored.batch
			var row int32
			row, c.chained = c.stored.find(list)
			c.row, c.done = int(row), row < 0
			return nil
		}
	}
	s := &scan{ctx: c.table.db.ctx, bounds: newBounds(), used: used, batch: newBatch(c.table.relation.columns(), used),
		most: firstRows}
	for _, cond := range list {
		v := cond.value
		if text, ok := v.(string); ok {
			v = strings.Clone(text)
		}
		s.bounds.add(c.table.relation.rule(cond.column), cond.op, v)
	}
	c.batch = s.batch
	c.next, c.stop, c.err = s.pull(c.table.relation)
	return c.more()
}

// more reads the next batch.
func (c *cursor) more() error {
	c.row = 0
	if c.next() {
		return nil
	}
	c.done = true
	return c.fail(c.err())
}

// fail keeps an error for the query, since SQLite loses the message of errors in Next.
func (c *cursor) fail(err error) error {
	if err != nil && c.table.db.failed == nil {
		c.table.db.failed = err
	}
	return err
}

// Next implements vtab.Cursor.
func (c *cursor) Next() error {
	c.id++
	if c.next == nil && c.chained {
		c.row = int(c.stored.next[c.row])
		c.done = c.row < 0
		return nil
	}
	if c.row++; c.row < c.batch.rows {
		return nil
	}
	if c.done = c.next == nil; c.done {
		return nil
	}
	return c.more()
}

// Eof implements vtab.Cursor.
//
//lint:ignore ST1003 the interface has that name
func (c *cursor) Eof() bool { return c.done }

// Column implements vtab.Cursor.
func (c *cursor) Column(i int) (vtab.Value, error) { return c.batch.columns[i].value(c.row), nil }

// Rowid implements vtab.Cursor.
func (c *cursor) Rowid() (int64, error) { return c.id, nil }

// Close implements vtab.Cursor.
func (c *cursor) Close() error {
	c.end()
	return nil
}

// end ends the current scan.
func (c *cursor) end() {
	if c.stop != nil {
		c.stop()
	}
	c.next, c.stop = nil, nil
}
