package command

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	front "github.com/tracec/tracec"
	"github.com/tracec/tracec/internal/fileset"
	"github.com/tracec/tracec/internal/suggest"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/runtime/record"
)

// ExportFormat is a format of tracec export.
type ExportFormat struct {
	Name, Ext, Help string
	Text            bool     // written to standard output by default
	Joins           bool     // several outputs can be concatenated
	Flags           []string // flags of only some formats
	Shows           string   // the command that shows the output file
	Reader          []front.Option
	Write           func(w io.Writer, r *front.Reader, o *ExportOptions) error
	// Folder writes all recordings to one folder. It is used instead of Write.
	Folder func(cmd *cobra.Command, paths []string, o *ExportOptions) error
}

// ExportOptions are the options of tracec export.
type ExportOptions struct {
	Choice  report.Options
	To      string
	Output  string
	Workers int
	Value   string

	Time, Fields         string
	Quote64, Spreadsheet bool

	Text, Wide, Resume bool
	Tables             bool
	Host               string
	CTFVersion         string

	Tool string // name and version of tracec
	Warn func(error)

	follow followFlags
}

func newExport() *cobra.Command {
	var o ExportOptions
	cmd := &cobra.Command{
		Use:     "export",
		Aliases: []string{"convert"},
		Args:    Some("recording", "tracec export --to perfetto FILE"),
		RunE:    func(cmd *cobra.Command, args []string) error { return exportAll(cmd, args, &o) },
	}
	f := cmd.Flags()
	f.StringVar(&o.To, "to", "", "`FORMAT` parquet, perfetto, ctf, chrome, ndjson, csv, pprof, folded or speedscope")
	f.StringVarP(&o.Output, "output", "o", "", "`FILE` file or directory to write; - is standard output")
	f.StringVar(&o.Value, "value", "", ValueUsage)
	f.Var(oneOf{&o.Time, []string{"recorded", "wall"}}, "time", "`FORM` ndjson, csv: times, recorded or wall")
	f.Var(oneOf{&o.Fields, []string{"auto", "columns", "json"}}, "csv-fields", "`HOW` csv: auto, columns or json")
	f.BoolVar(&o.Quote64, "quote64", false, "ndjson: write 64-bit integers as strings")
	f.BoolVar(&o.Spreadsheet, "spreadsheet", false, "csv: write no formulas, end lines with CR LF")
	f.BoolVar(&o.Text, "text", false, "add the text of each event")
	f.BoolVar(&o.Wide, "wide", false, "parquet: write one table of all events, with texts")
	f.BoolVar(&o.Tables, "tables", false, "parquet: add tables of waits, system calls and so on")
	f.BoolVar(&o.Resume, "resume", false, "parquet: continue an interrupted export")
	f.StringVar(&o.Host, "host", "", "`NAME` parquet: host of recordings without one")
	o.CTFVersion = "2"
	f.Var(oneOf{&o.CTFVersion, []string{"2", "1.8"}}, "ctf-version", "`N` ctf: write version 2 or 1.8")
	for name, formats := range formatsWith() {
		OnlyWith(f, name, formats...)
	}
	excludes(f, "tables", "wide")
	alias(f, "fields", "csv-fields")
	o.follow.define(f)
	OutputFlags(cmd, LimitPart)
	ChooseFlags(cmd, &o.Choice)
	completeFormats(cmd, func(*ExportFormat) bool { return true })
	return cmd
}

// completeFormats completes --to with the formats for which has returns true.
func completeFormats(cmd *cobra.Command, has func(*ExportFormat) bool) {
	var names []string
	for i := range exportFormats {
		if f := &exportFormats[i]; has(f) {
			names = append(names, f.Name+"\t"+f.Help)
		}
	}
	completeFlag(cmd, "to", cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp))
}

// formatsWith returns the formats that support each of the Flags, as "to=NAME".
func formatsWith() map[string][]string {
	with := map[string][]string{}
	for _, f := range exportFormats {
		for _, name := range f.Flags {
			with[name] = append(with[name], "to="+f.Name)
		}
	}
	return with
}

// findFormat returns the format with that name.
func findFormat(name string) (*ExportFormat, error) {
	var names []string
	for i := range exportFormats {
		if f := &exportFormats[i]; f.Name == name {
			return f, nil
		}
		names = append(names, exportFormats[i].Name)
	}
	list := strings.Join(names, ", ")
	if name == "" {
		return nil, usagef("which format? --to FORMAT, one of %s", list)
	}
	return nil, usagef("--to %s: no such format: %s%s", name, list, suggest.DidYouMean(name, names))
}

func exportAll(cmd *cobra.Command, args []string, o *ExportOptions) error {
	f, err := findFormat(o.To)
	if err != nil {
		return err
	}
	o.Workers, o.Tool = jobs(cmd), "tracec "+Version()
	o.Choice.Limit, _ = Limit(cmd)
	if err := o.follow.check(); err != nil {
		return err
	}
	if o.follow.follow && (f.Folder != nil || len(args) > 1) {
		return usagef("--follow: want one recording, and a format that is written as it is read")
	}
	if f.Folder != nil {
		return f.Folder(cmd, args, o)
	}
	dir, err := exportDir(o.Output, len(args))
	if err != nil {
		return err
	}
	targets, err := f.targets(args, o.Output, dir)
	if err != nil {
		return err
	}
	for _, to := range targets {
		if _, isTerminal := report.TerminalFile(cmd.OutOrStdout()); to == "-" && isTerminal && !f.Text {
			return usagef("-o -: a terminal; redirect it or name a file")
		}
		if to == "-" {
			continue
		}
		if err := checkOutput(cmd, "-o", to, args...); err != nil {
			return err
		}
	}
	if o.follow.follow && args[0] != "-" {
		return o.follow.following(cmd, args[0], f.Joins && targets[0] == "-",
			func(ctx context.Context, job *report.Job) error {
				return exportOne(ctx, cmd, job, f, o, targets[0])
			})
	}
	var all error
	for i, path := range args {
		err := Work(cmd, path, func(ctx context.Context, job *report.Job) error {
			return exportOne(ctx, cmd, job, f, o, targets[i])
		})
		if all = errors.Join(all, err); err != nil && !errors.Is(err, report.ErrDamaged) {
			return all
		}
	}
	return all
}

// exportDir reports whether the output is a directory. Several recordings need one.
func exportDir(output string, inputs int) (bool, error) {
	st, err := os.Stat(output)
	dir := err == nil && st.IsDir()
	if inputs > 1 && output != "" && output != "-" && !dir {
		return false, usagef("-o %s: no such directory; several recordings need one", output)
	}
	return dir, nil
}

// targets returns the output paths of recordings. Two recordings cannot have the same path, unless
// their outputs can be concatenated there.
func (f *ExportFormat) targets(args []string, output string, dir bool) (list []string, err error) {
	from := map[string]string{}
	for _, path := range args {
		to := f.target(path, output, dir)
		if other, taken := from[to]; taken && !(to == "-" && f.Joins) {
			if to == "-" {
				return nil, usagef("--to %s: several recordings need -o DIR", f.Name)
			}
			return nil, usagef("%s and %s would both be written to %s", other, path, to)
		}
		from[to] = path
		list = append(list, to)
	}
	return list, nil
}

// target returns the output path of a recording. - is standard output.
func (f *ExportFormat) target(path, output string, dir bool) string {
	base := filepath.Base(path)
	if path == "-" {
		base = "stdin"
	}
	switch {
	case dir:
		return filepath.Join(output, base+f.Ext)
	case output != "":
		return output
	case f.Text:
		return "-"
	}
	return base + f.Ext
}

// exportOne writes one recording.
func exportOne(
	ctx context.Context, cmd *cobra.Command, job *report.Job, f *ExportFormat, o *ExportOptions, target string,
) (err error) {
	if target == "-" {
		defer watch(cmd, job)()
	} else {
		defer WatchSilent(cmd, job)()
	}
	opts := append(slices.Clone(f.Reader), front.WithThreads())
	if o.follow.follow {
		opts = append(opts, front.WithoutDelay()) // also write events at once that come through a pipe
	}
	rec, r, err := job.Events(ctx, &o.Choice, opts...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rec.Close()) }()
	o.Warn = job.Warn
	if target == "-" {
		return TellExport(ctx, job, rec, r, &o.Choice, f.Write(job.Out, r, o))
	}
	out, err := fileset.Stage(target)
	if err != nil {
		return err
	}
	// If no event was selected, keep the existing output.
	if err := f.Write(out, r, o); err != nil || o.Choice.Chosen() != "" && r.Count() == 0 {
		out.Discard()
		return TellExport(ctx, job, rec, r, &o.Choice, err)
	}
	if err := out.Commit(); err != nil {
		return errors.Join(err, TellExport(ctx, job, rec, r, &o.Choice, nil))
	}
	err = TellExport(ctx, job, rec, r, &o.Choice, nil)
	sayExported(cmd, job, f, target, r.Count())
	return err
}

// TellExport reports data that could not be read, and that nothing was selected.
func TellExport(
	ctx context.Context, job *report.Job, rec record.Recording, r *front.Reader, o *report.Options, err error,
) error {
	if err == nil && o.Chosen() != "" && r.Count() == 0 {
		job.Warn(job.Nothing(ctx, "event", &o.Options))
	}
	if failed := r.Err(); failed != nil && (err == nil || errors.Is(err, failed)) {
		job.Warn(failed)
		err = report.ErrDamaged
	}
	return report.Tell(job, rec, err)
}
