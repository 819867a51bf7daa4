package sql

import (
	"context"
	"errors"
	"fmt"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/columns"
	"github.com/tracec/tracec/export/tables"
	"github.com/tracec/tracec/runtime/record"
)

// derived is a table of package tables.
type derived struct {
	db    *Database
	table tables.Any
	list  []Column
}

func newDerived(db *Database, t tables.Any) *derived {
	d := &derived{db: db, table: t, list: []Column{{"recording", "TEXT", "the recording"}}}
	for _, c := range t.Columns() {
		kind := "INTEGER"
		if c.Kind == tables.Text {
			kind = "TEXT"
		}
		d.list = append(d.list, Column{c.Name, kind, c.Doc})
	}
	return d
}

// columns implements relation.
func (d *derived) columns() []Column { return d.list }

// rule implements relation. It selects no events, since without some events rows would be wrong.
func (d *derived) rule(column int) rule {
	if column == 0 {
		return byRecording
	}
	return noRule
}

// scan implements relation.
func (d *derived) scan(s *scan) error {
	if s.bounds.none {
		return nil
	}
	var missing []error
	asked := 0
	for _, src := range d.db.sources {
		if !allows(s.bounds.recording, src.Name) {
			continue
		}
		asked++
		more, err := d.scanSource(s, src)
		if lacks := new(tables.MissingError); errors.As(err, &lacks) {
			missing = append(missing, err)
			continue
		}
		if err != nil || !more {
			return err
		}
	}
	if len(missing) == asked {
		return errors.Join(missing...)
	}
	for _, err := range missing {
		d.db.warn(err)
	}
	return nil
}

func (d *derived) scanSource(s *scan, src Source) (more bool, err error) {
	var r *tracec.Reader
	w := tables.WalkOf(func(ctx context.Context, opts ...tracec.Option) (*tracec.Reader, error) {
		var err error
		r, err = src.Open(record.Options{Context: ctx}, opts...)
		return r, err
	})
	more = true
	err = d.table.Each(w, func(get func(int) tables.Value) bool {
		for i := range s.batch.columns {
			if v := &s.batch.columns[i]; v.used && i == 0 {
				v.putText(src.Name)
			} else if v.used {
				v.putValue(get(i - 1))
			}
		}
		more = s.end()
		return more
	})
	if err != nil {
		return false, err
	}
	if err := w.Run(s.ctx); err != nil {
		if r.Err() == nil || s.ctx.Err() != nil {
			return false, err
		}
		d.db.warn(fmt.Errorf("%s: %w", src.Name, err))
	}
	if more {
		for _, note := range w.Notes() {
			d.db.warn(fmt.Errorf("%s: %s", src.Name, note))
		}
	}
	return more, nil
}

func (v *vector) putValue(x tables.Value) {
	switch {
	case x.Null:
		v.putNull()
	case v.kind == texts:
		v.data = columns.AppendValid(v.data, x.Text)
		v.endBytes(true)
	default:
		v.putInt(x.Int)
	}
}
