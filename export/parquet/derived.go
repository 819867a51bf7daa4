package parquet

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	pq "github.com/parquet-go/parquet-go"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/tables"
	"github.com/tracec/tracec/runtime/record"
)

// derive writes the tables that a walk computes from the recording. It omits tables that need
// events which the recording lacks.
func (w *writer) derive(walk *tables.Walk) error {
	var missing *tables.MissingError
	var failed, err error
	for _, t := range tables.All() {
		d := newDerived(w, walk, t)
		err = t.Each(walk, func(get func(int) tables.Value) bool {
			failed = d.add(get)
			return failed == nil
		})
		if err != nil && !errors.As(err, &missing) {
			break
		}
		err = nil
	}
	if err == nil {
		err = walk.Run(w.ctx)
	}
	if failed = errors.Join(failed, w.ctx.Err()); failed != nil {
		return failed
	}
	if err != nil && w.runErr == nil { // it is often the error from reading events
		w.runErr = err
		w.options.warn(err)
	}
	for _, note := range walk.Notes() {
		w.options.warn(fmt.Errorf("%s: %s", w.reader.Recording().Name(), note))
	}
	return nil
}

// derived writes the rows of a derived table, in the order of their ends. Their begins may be in
// another order, so the tables of several days are open at once.
type derived struct {
	w       *writer
	walk    *tables.Walk
	name    string // name of the partition
	columns []tables.Column
	fields  []*field
	ts, end int // indexes of columns; -1 for none
	days    []derivedDay

	get func(int) tables.Value // values of the current row
	row tracec.Event           // only its time is used
}

// derivedDay holds the rows of a day.
type derivedDay struct {
	day
	table *table
}

func newDerived(w *writer, walk *tables.Walk, t tables.Any) *derived {
	d := &derived{w: w, walk: walk, name: "tracec." + t.Name(), columns: t.Columns(),
		row: tracec.Event{Record: &record.Record{}}}
	named := func(name string) int {
		return slices.IndexFunc(d.columns, func(c tables.Column) bool { return c.Name == name })
	}
	d.ts, d.end = named("ts"), named("ts_end")
	for i := range d.columns {
		d.fields = append(d.fields, d.field(i))
	}
	d.fields[0].owner = w.shape.recording
	return d
}

// field returns the field of a column. Any column may be null.
func (d *derived) field(i int) *field {
	c := &d.columns[i]
	f := &field{name: c.Name, optional: true, bits: ofPut}
	switch {
	case c.Kind == tables.Text:
		f.shape(tracec.Text, 0)
	case c.Kind == tables.Address:
		f.shape(tracec.Uint, 8)
	case c.Kind == tables.Bool:
		f.node = pq.Leaf(pq.BooleanType)
	case c.Kind == tables.Integer && isID(c.Name):
		f.shape(tracec.Int, 4)
	default:
		f.shape(tracec.Int, 8)
	}
	if i == d.ts {
		f.wall, f.hasWall = d.w.shape.wall, d.w.shape.hasWall
	}
	f.put = func(_ *tracec.Event, to *column) bool {
		switch v := d.get(i); {
		case v.Null:
			to.putNull()
		case f.storage == text:
			to.putString(v.Text)
		default:
			to.putBits(uint64(v.Int))
		}
		return true
	}
	return f
}

// isID reports whether a column holds ids of threads, processes or processors, which have 32 bits.
func isID(name string) bool {
	last := name[strings.LastIndexByte(name, '_')+1:]
	return last == "tid" || last == "pid" || last == "cpu"
}

// add adds a row.
func (d *derived) add(get func(int) tables.Value) error {
	d.get, d.row.Time = get, d.time(get)
	return d.w.add(d.table(d.row.Time), &d.row)
}

// time returns the begin of a row. If that is unknown, it returns the end of the row, or else the
// first time of the walk.
func (d *derived) time(get func(int) tables.Value) uint64 {
	for _, i := range []int{d.ts, d.end} {
		if i >= 0 {
			if v := get(i); !v.Null {
				return uint64(v.Int)
			}
		}
	}
	return d.walk.Extent().First
}

// table returns the table for the day of a time.
func (d *derived) table(at uint64) *table {
	for i := range d.days {
		if x := &d.days[i]; x.first <= at && at <= x.last {
			return x.table
		}
	}
	d.w.day = d.w.dayOf(at, len(d.days)+1)
	t := d.w.newTable(d.name, d.fields)
	d.days = append(d.days, derivedDay{d.w.day, t})
	return t
}
