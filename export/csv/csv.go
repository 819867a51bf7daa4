// Package csv writes the events of a recording as comma-separated values (RFC 4180): a line with
// the names of the columns, then one for each event in the order of time.
//
//	time,cpu,task,process,comm,system,event,lost,common_flags,common_preempt_count,vec,vec_name
//	200235201227,0,757,,trace-cmd,irq,softirq_raise,0,9,0,9,RCU
//
// Package columns describes the columns and their values. The header does not depend on the events
// that occur. It follows from the descriptions in the recording and the selection of the reader:
//
//   - If a single event is selected, as by tracec.WithEvents("sched_switch"), each of its fields
//     is a column. A field with the name of one of the first columns gets the prefix field_:
//     field_comm.
//     Members of structures are columns too: id.x.
//   - If several are selected, the column fields holds an object of JSON with the fields, as in
//     ndjson: a kernel describes more fields than a spreadsheet has columns.
//
// Options.Fields selects one or the other. Columns for all fields of several events are the union
// by name. The column data holds the bytes of events without a description. It exists if such
// events are possible, and always together with fields.
//
// A missing value is an empty cell, and an empty text is "". DuckDB and PostgreSQL distinguish the
// two. Spreadsheets and Python's csv do not. Texts with commas, quotes or line breaks are in
// quotes, with doubled quotes inside. A NUL, which many programs treat as the end, is \x00, like
// bytes that are not UTF-8. Lines end with a newline, as in the files of DuckDB and pandas, or with
// Options.CRLF as in RFC 4180. Readers accept both.
//
// Spreadsheets treat texts that begin with =, +, - or @ as formulas, which may do harm, and a
// thread can have any name. Options.Spreadsheet puts ' before such texts. Without it, do not open
// the file of an untrusted recording in a spreadsheet.
//
//	tracec export --to csv -e sched_switch -o switch.csv trace.dat
//	duckdb -c "select next_comm, count(*) from 'switch.csv' group by all"
//	duckdb -c "select event, avg((fields->>'ret')::bigint) from read_csv('trace.csv', types={fields:'JSON'}) where event like 'sys_exit_%' group by all"
//	python3 -c "import pandas; print(pandas.read_csv('switch.csv').groupby('next_comm').size())"
package csv

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/columns"
)

// Fields is the form of the fields of events.
type Fields uint8

// The forms of fields.
const (
	Auto   Fields = iota // Single for one event, Object for several
	Single               // a column for each field
	Object               // an object of JSON in the column fields
)

// Options select the columns and their form.
type Options struct {
	columns.Options
	Fields Fields
	// Spreadsheet puts ' before texts that spreadsheets treat as formulas.
	Spreadsheet bool
	// CRLF ends lines with a carriage return and a newline.
	CRLF bool
	// Workers is the number of goroutines that make lines. 0 means the number of processors that Go
	// uses. The output does not depend on it.
	Workers int
}

// maxColumns bounds the columns of a file.
const maxColumns = 1 << 16

// ErrColumns reports that the selected events have too many fields for a column each.
var ErrColumns = errors.New("too many columns: select fewer events, or write their fields in one column")

// Write writes the events of r. It returns the first error of w, the error of the context of r, or,
// after all other events are written, the errors of reading the recording.
func Write(w io.Writer, r *tracec.Reader, o Options) error {
	rec := r.Recording()
	if err := o.Check(rec); err != nil {
		return err
	}
	t, err := newTable(r, &o)
	if err != nil {
		return err
	}
	if _, err := w.Write(t.header()); err != nil {
		return err
	}
	return r.Render(o.Workers, func() func([]byte, *tracec.Event) ([]byte, error) {
		var err error
		rows := columns.NewWriter(t.style, rec.Machine().Wall, func(typ *tracec.Type) columns.Layout {
			var l columns.Layout
			l, err = t.layout(typ)
			return l
		})
		return func(dst []byte, ev *tracec.Event) ([]byte, error) { return rows.Append(dst, ev), err }
	}, func(block []byte) error {
		_, err := w.Write(block)
		return err
	})
}

// table holds the columns of a file.
type table struct {
	reader  *tracec.Reader
	options *Options
	style   *columns.Style
	names   []string
	common  int            // number of names of columns that all events have
	places  map[string]int // by name of a field: the index of its column in names
	data    int            // index of the column data; -1 without it
	object  bool           // one column holds all fields
	end     string         // end of lines
}

func newTable(r *tracec.Reader, o *Options) (*table, error) {
	t := &table{reader: r, options: o, style: style(o.Spreadsheet), places: map[string]int{}, data: -1, end: "\n"}
	if o.CRLF {
		t.end = "\r\n"
	}
	for _, c := range columns.Common(t.reader, &tracec.Type{}, o.Options) {
		t.names = append(t.names, c.Name)
	}
	t.common = len(t.names)
	if t.object = o.Fields == Object || o.Fields == Auto && several(r); t.object {
		t.names = append(t.names, "fields")
	} else if err := t.spread(r); err != nil {
		return nil, err
	}
	if t.object || t.data >= 0 {
		t.data = len(t.names)
		t.names = append(t.names, "data")
	}
	return t, nil
}

// several reports whether events of more than one name are selected.
func several(r *tracec.Reader) bool {
	var first *tracec.Type
	for t := range r.Types() {
		if first != nil && (t.System != first.System || t.Name != first.Name) {
			return true
		}
		first = t
	}
	return false
}

// spread gives each field a column. Types of one event, such as calls and returns, share columns by
// name. So do several events.
func (t *table) spread(r *tracec.Reader) error {
	taken := map[string]bool{"data": true}
	for _, name := range t.names {
		taken[name] = true
	}
	described := false
	for typ := range r.Types() {
		described = true
		if _, ok := columns.Data(typ); ok {
			t.data = 0
		}
		for _, c := range columns.Members(typ) {
			if _, ok := t.places[c.Name]; ok {
				continue
			}
			name := c.Name
			for taken[strings.ToLower(name)] { // SQL ignores case
				name = "field_" + name
			}
			taken[strings.ToLower(name)] = true
			t.places[c.Name] = len(t.names)
			if t.names = append(t.names, name); len(t.names) > maxColumns {
				return fmt.Errorf("%s: %w", t.reader.Recording().Name(), ErrColumns)
			}
		}
	}
	if !described || several(r) { // other events may occur
		t.data = 0
	}
	return nil
}

// header returns the first line.
func (t *table) header() []byte {
	var b []byte
	for i, name := range t.names {
		if i > 0 {
			b = append(b, ',')
		}
		b = t.style.Text(b, []byte(name))
	}
	return append(b, t.end...)
}

// layout returns the layout of the events of a type. The error reports a field without a column.
func (t *table) layout(typ *tracec.Type) (columns.Layout, error) {
	row := make([]*columns.Column, len(t.names))
	for i, c := range columns.Common(t.reader, typ, t.options.Options) {
		row[i] = &c
	}
	var fields []columns.Column
	if t.object {
		c := columns.Nested("fields", nested(columns.Fields(typ)), nestedStyle)
		row[t.common] = &c
	} else {
		fields = columns.Members(typ)
	}
	for _, c := range fields {
		i, ok := t.places[c.Name]
		if !ok {
			return columns.Layout{}, fmt.Errorf("csv: %s:%s has a field %q that its recording does not describe",
				typ.System, typ.Name, c.Name)
		}
		row[i] = &c
	}
	if data, ok := columns.Data(typ); ok {
		row[t.data] = &data
	}
	return join(row, t.end), nil
}

// join puts commas between the columns of a row. A nil column has no value.
func join(row []*columns.Column, end string) columns.Layout {
	l := columns.Layout{}
	before := ""
	for i, c := range row {
		if i > 0 {
			before += ","
		}
		if c != nil {
			l.Cells = append(l.Cells, columns.Cell{Before: before, Column: *c})
			before = ""
		}
	}
	l.End = before + end
	return l
}
