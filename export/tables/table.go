package tables

import (
	"context"
	"iter"

	"github.com/tracec/tracec"
)

// A Table is a derived table with rows of type R.
type Table[R any] struct {
	name, doc string
	columns   []column[R]
	// need lists the events of which at least one must be described: otherwise the table is empty.
	// also lists further events that the table reads. Both are patterns of package tracec with
	// their system.
	need, also []string
	hooks      []hook // hooks of AIX, which must have templates; nil if AIX has no such table
	collect    func(w *Walk, yield func(*R) bool) collector
	// alone returns the function that reads the recording for this table alone, or a *MissingError
	// if there is nothing to read. It replaces need, also and collect.
	alone func(w *Walk, yield func(*R) bool) (read func(context.Context) error, err error)
}

// Any is a table whose rows are read by column.
type Any interface {
	Name() string
	Doc() string
	Columns() []Column
	// Each adds the table to a walk, which calls yield for each row until yield returns false. get
	// returns the value of a column of the row.
	Each(w *Walk, yield func(get func(column int) Value) bool) error
}

// A Kind is the kind of the values of a column.
type Kind uint8

// The kinds.
const (
	Text     Kind = iota
	Integer       // a signed integer
	Address       // an unsigned integer that people read in hexadecimal
	Time          // nanoseconds, as in record.Record.Time
	Duration      // nanoseconds
	Bool          // 0 or 1
)

// A Column describes a column of a table.
type Column struct {
	Name string
	Doc  string
	Kind Kind
}

// A Value is the value of a column of a row.
type Value struct {
	Null bool
	Int  int64  // for every kind except Text
	Text string // valid until the next row
}

// column is a column and the function that reads it from a row.
type column[R any] struct {
	Column
	value func(*R) Value
}

// Name returns the name of the table in SQL and in files.
func (t *Table[R]) Name() string { return t.name }

// Doc returns a sentence that describes a row.
func (t *Table[R]) Doc() string { return t.doc }

// Columns returns the columns.
func (t *Table[R]) Columns() []Column {
	list := make([]Column, len(t.columns))
	for i, c := range t.columns {
		list[i] = c.Column
	}
	return list
}

// Rows returns an iterator over the rows of a recording. A row is valid until the next one. An
// error comes last, as from [Walk.Run].
func (t *Table[R]) Rows(ctx context.Context, rec *tracec.Recording, opts ...tracec.Option) iter.Seq2[*R, error] {
	return func(yield func(*R, error) bool) {
		w := NewWalk(rec, opts...)
		stopped := false
		err := t.Collect(w, func(row *R) bool {
			stopped = !yield(row, nil)
			return !stopped
		})
		if err == nil {
			err = w.Run(ctx)
		}
		if err != nil && !stopped {
			yield(nil, err)
		}
	}
}

// Collect adds the table to a walk, which calls yield for each row until yield returns false. The
// walk then ends. Collect returns a *MissingError if the recording has none of the events.
func (t *Table[R]) Collect(w *Walk, yield func(*R) bool) error {
	rows := func(row *R) bool {
		if !w.stop && !yield(row) {
			w.stop = true
		}
		return !w.stop
	}
	if t.alone != nil {
		read, err := t.alone(w, rows)
		if err == nil {
			w.alone = append(w.alone, read)
		}
		return err
	}
	return w.add(t.name, t.collect(w, rows), t.need, t.also, t.hooks)
}

// Each implements Any.
func (t *Table[R]) Each(w *Walk, yield func(get func(column int) Value) bool) error {
	var current *R
	get := func(i int) Value { return t.columns[i].value(current) }
	return t.Collect(w, func(row *R) bool {
		current = row
		return yield(get)
	})
}

// All returns all tables.
func All() []Any {
	return []Any{
		ThreadState, SchedLatency, CPUTime, CPUModes, Wakeups, Syscalls, Calls, Interrupts, BlockIO, Locks, PageFaults,
		OSNoise, Noises, TimerLat,
	}
}

// Named returns the table with that name, or nil.
func Named(name string) Any {
	for _, t := range All() {
		if t.Name() == name {
			return t
		}
	}
	return nil
}
