// Package ndjson writes the events of a recording as lines of JSON, one object for each event in
// the order of time:
//
//	{"time":200235201227,"cpu":0,"task":757,"process":null,"comm":"trace-cmd","system":"irq","event":"softirq_raise","lost":0,
//	 "fields":{"common_flags":9,"common_preempt_count":0,"vec":9,"vec_name":"RCU"}}
//
// (in one line). Package columns describes the values and the keys, which are the same for all
// events of a recording and in the same order. Fields are in a separate object, so that their names
// cannot collide with the keys. An event without a description has the key data after its fields.
//
// Lines end with a newline and are UTF-8. Package columns describes the form of other bytes. A line
// contains no newline.
//
// Integers are written with all their digits. JavaScript and jq 1.6 read them as floats, which have
// 53 bits: addresses and times since 1970 lose their last digits there. jq 1.7, Python, Go's
// json.Number and DuckDB keep them. Options.Quote64 writes all integers of 8 bytes, and times, as
// strings.
//
// With jq, DuckDB and pandas:
//
//	tracec export --to ndjson -e softirq_raise trace.dat | jq -r .fields.vec_name | sort | uniq -c
//	duckdb -c "select event, count(*) from read_json('trace.ndjson', columns={event: 'VARCHAR'}) group by all order by 2 desc"
//	duckdb -c "select fields->>'next_comm' c, count(*) from read_json('trace.ndjson', columns={event: 'VARCHAR', fields: 'JSON'})
//	           where event = 'sched_switch' group by all"
//	python3 -c "import pandas; print(pandas.read_json('trace.ndjson', lines=True).event.value_counts())"
//
// DuckDB needs the columns: otherwise it would make a struct of the fields of all events.
package ndjson

import (
	"io"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/columns"
)

// Options select the columns and their form.
type Options struct {
	columns.Options
	// Quote64 writes times and integers of 8 bytes as strings.
	Quote64 bool
	// Workers is the number of goroutines that make lines. 0 means the number of processors that Go
	// uses. The output does not depend on it.
	Workers int
}

// Write writes the events of r. It returns the first error of w, the error of the context of r, or,
// after all other events are written, the errors of reading the recording.
func Write(w io.Writer, r *tracec.Reader, o Options) error {
	rec := r.Recording()
	if err := o.Check(rec); err != nil {
		return err
	}
	style := columns.JSON(o.Quote64)
	layout := func(t *tracec.Type) columns.Layout { return line(columns.Common(r, t, o.Options), t, style) }
	return r.Render(o.Workers, func() func([]byte, *tracec.Event) ([]byte, error) {
		rows := columns.NewWriter(style, rec.Machine().Wall, layout)
		return func(dst []byte, ev *tracec.Event) ([]byte, error) { return rows.Append(dst, ev), nil }
	}, func(block []byte) error {
		_, err := w.Write(block)
		return err
	})
}

// line returns the layout of the events of a type.
func line(common []columns.Column, t *tracec.Type, style *columns.Style) columns.Layout {
	l := columns.Object(append(common, columns.Nested("fields", columns.Object(columns.Fields(t)), style)))
	if data, ok := columns.Data(t); ok {
		l.Cells = append(l.Cells, columns.Cell{Before: `,"data":`, Column: data, Skip: true})
	}
	l.End = "}\n"
	return l
}
