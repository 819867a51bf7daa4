package command

import (
	"errors"
	"io"

	"github.com/tracec/tracec/compiler/dynamic"
	"github.com/tracec/tracec/export/chrome"
	"github.com/tracec/tracec/export/columns"
	"github.com/tracec/tracec/export/csv"
	"github.com/tracec/tracec/export/ndjson"
	"github.com/tracec/tracec/export/perfetto"
	"github.com/tracec/tracec/export/profile"
	"github.com/tracec/tracec/report"
)

// exportFormats are the formats of tracec export.
var exportFormats = []exportFormat{
	{name: "parquet", help: "a data set of Parquet files for SQL, with a manifest: -o is its folder", flags: []string{"wide", "resume", "host", "text"}},
	{
		name: "perfetto", ext: ".perfetto-trace", help: "a trace for ui.perfetto.dev and Perfetto's trace processor",
		shows: "tracec open FILE shows it",
		write: func(w io.Writer, r *dynamic.Reader, o *exportOptions) error {
			return perfetto.Write(w, r, perfetto.Options{Workers: o.workers})
		},
	},
	{
		name: "chrome", ext: ".json", help: "JSON for chrome://tracing, DevTools and other viewers",
		write: func(w io.Writer, r *dynamic.Reader, o *exportOptions) error {
			return chrome.Write(w, r, chrome.Options{Workers: o.workers})
		},
	},
	{
		name: "ndjson", ext: ".ndjson", help: "a line of JSON for each event", text: true, joins: true, flags: []string{"time", "text", "quote64"},
		write: func(w io.Writer, r *dynamic.Reader, o *exportOptions) error {
			return asked(ndjson.Write(w, r, ndjson.Options{Options: o.columns(), Quote64: o.quote64, Workers: o.workers}))
		},
	},
	{
		name: "csv", ext: ".csv", help: "comma-separated values; the fields of one kind of event are columns, see --csv-fields", text: true,
		flags: []string{"time", "text", "csv-fields", "spreadsheet"},
		write: func(w io.Writer, r *dynamic.Reader, o *exportOptions) error {
			return asked(csv.Write(w, r, csv.Options{
				Options: o.columns(), Fields: csvFields[o.fields], Spreadsheet: o.spreadsheet, CRLF: o.spreadsheet, Workers: o.workers,
			}))
		},
	},
	profileFormat("pprof", ".pb.gz", "a profile of calls and stack samples for go tool pprof", "go tool pprof OUTPUT", profile.Pprof, false),
	profileFormat("folded", ".folded", "the same as folded stacks, for flame graphs", "", profile.Folded, true),
	profileFormat("speedscope", ".speedscope.json", "the same for speedscope", "tracec open --flame FILE", profile.Speedscope, false),
}

// csvFields are the values of --csv-fields.
var csvFields = map[string]csv.Fields{"auto": csv.Auto, "columns": csv.Single, "json": csv.Object}

// columns are the options of ndjson and csv.
func (o *exportOptions) columns() columns.Options {
	c := columns.Options{Text: o.set.Text}
	if o.time == "wall" {
		c.Time = columns.Wall
	}
	return c
}

// profileFormat returns one of the formats of package profile.
func profileFormat(name, ext, help, shows string, format profile.Format, text bool) exportFormat {
	if shows != "" {
		shows += " shows it"
	}
	return exportFormat{
		name: name, ext: ext, help: help, shows: shows, text: text, joins: name == "folded", flags: []string{"value"}, reader: []dynamic.Option{dynamic.WithStacks()},
		write: func(w io.Writer, r *dynamic.Reader, o *exportOptions) error {
			return asked(profile.Write(w, r, profile.Options{Format: format, Value: o.value, Warn: func(message string) {
				o.warn(&report.Note{Err: errors.New(message)})
			}}))
		},
	}
}

// asked makes errors that say that options ask for too much usage errors.
func asked(err error) error {
	if errors.Is(err, columns.ErrWall) || errors.Is(err, profile.ErrNothing) || errors.Is(err, csv.ErrColumns) {
		return usageError(err)
	}
	return err
}
