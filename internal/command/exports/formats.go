package exports

import (
	"errors"
	"io"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/chrome"
	"github.com/tracec/tracec/export/columns"
	"github.com/tracec/tracec/export/csv"
	"github.com/tracec/tracec/export/ndjson"
	"github.com/tracec/tracec/export/perfetto"
	"github.com/tracec/tracec/export/profile"
	"github.com/tracec/tracec/internal/command"
	"github.com/tracec/tracec/internal/selection"
	"github.com/tracec/tracec/report"
)

// formats are the formats of tracec export.
var formats = []command.ExportFormat{
	{Name: "parquet", Help: "a data set of Parquet files for SQL, with a manifest: -o is its folder",
		Flags: []string{"wide", "tables", "resume", "host", "text"}, Folder: writeParquet},
	{
		Name: "perfetto", Ext: ".perfetto-trace", Help: "a trace for ui.perfetto.dev and Perfetto's trace processor",
		Shows: "tracec open FILE shows it",
		Write: func(w io.Writer, r *tracec.Reader, o *command.ExportOptions) error {
			return perfetto.Write(w, r, perfetto.Options{Workers: o.Workers})
		},
	},
	{Name: "ctf", Help: "a trace in the Common Trace Format for Trace Compass and babeltrace2: -o is its folder",
		Flags: []string{"ctf-version", "text"}, Folder: writeCTF},
	{
		Name: "chrome", Ext: ".json", Help: "JSON for chrome://tracing, DevTools and other viewers",
		Write: func(w io.Writer, r *tracec.Reader, o *command.ExportOptions) error {
			return chrome.Write(w, r, chrome.Options{Workers: o.Workers})
		},
	},
	{
		Name: "ndjson", Ext: ".ndjson", Help: "a line of JSON for each event", Text: true, Joins: true,
		Flags: []string{"time", "text", "quote64"},
		Write: func(w io.Writer, r *tracec.Reader, o *command.ExportOptions) error {
			return asked(ndjson.Write(w, r, ndjson.Options{Options: columnOptions(o), Quote64: o.Quote64,
				Workers: o.Workers}))
		},
	},
	{
		Name: "csv", Ext: ".csv", Help: "comma-separated values; the fields of one kind of event are columns, see --csv-fields", Text: true,
		Flags: []string{"time", "text", "csv-fields", "spreadsheet"},
		Write: func(w io.Writer, r *tracec.Reader, o *command.ExportOptions) error {
			return asked(csv.Write(w, r, csv.Options{
				Options: columnOptions(o), Fields: csvFields[o.Fields], Spreadsheet: o.Spreadsheet, CRLF: o.Spreadsheet,
				Workers: o.Workers,
			}))
		},
	},
	profileFormat("pprof", ".pb.gz", "a profile of calls and stack samples for go tool pprof", "go tool pprof OUTPUT",
		profile.Pprof, false),
	profileFormat("folded", ".folded", "the same as folded stacks, for flame graphs", "", profile.Folded, true),
	profileFormat("speedscope", ".speedscope.json", "the same for speedscope", "tracec open --flame FILE",
		profile.Speedscope, false),
}

// csvFields are the values of --csv-fields.
var csvFields = map[string]csv.Fields{"auto": csv.Auto, "columns": csv.Single, "json": csv.Object}

// columnOptions returns the options of ndjson and csv.
func columnOptions(o *command.ExportOptions) columns.Options {
	c := columns.Options{Text: o.Text}
	if o.Time == "wall" {
		c.Time = columns.Wall
	}
	return c
}

// profileFormat returns one of the formats of package profile.
func profileFormat(name, ext, help, shows string, format profile.Format, text bool) command.ExportFormat {
	if shows != "" {
		shows += " shows it"
	}
	return command.ExportFormat{
		Name: name, Ext: ext, Help: help, Shows: shows, Text: text, Joins: name == "folded", Flags: []string{"value"},
		Reader: []tracec.Option{tracec.WithStacks()},
		Write: func(w io.Writer, r *tracec.Reader, o *command.ExportOptions) error {
			return asked(profile.Write(w, r, profile.Options{Format: format, Value: o.Value,
				Warn: func(message string) {
					o.Warn(&selection.Note{Err: errors.New(message)})
				}}))
		},
	}
}

// asked converts errors about options that require too much to usage errors.
func asked(err error) error {
	if errors.Is(err, columns.ErrWall) || errors.Is(err, profile.ErrNothing) || errors.Is(err, csv.ErrColumns) {
		return &report.UsageError{Err: err}
	}
	return err
}
