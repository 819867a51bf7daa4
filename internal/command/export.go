package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tracec/tracec/compiler/dynamic"
	"github.com/tracec/tracec/internal/fileset"
	"github.com/tracec/tracec/internal/suggest"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/runtime/record"
)

const exportHelp = `Write the events of a recording for other tools: for SQL, for viewers and profilers, for scripts.

FILE is a recording as for tracec report, and so are the options that choose events: their times are those that report prints, also of AIX, whose exports have
those of the clock.

%s
Without --output, texts go to standard output, other formats to a file that is called like the recording, in the current directory. --output names a file, a
directory, which several FILEs need, or - for standard output. A file takes its place when it is whole: an export that fails or is interrupted leaves what
was there before.

--follow waits for what is still being written, as in tracec report: ndjson and csv are written as events come, other formats are complete after the signal that ends it. Only
ndjson goes on with a recording that takes the place of FILE.

Examples:
  tracec export --to perfetto trace.dat                     trace.dat.perfetto-trace, for ui.perfetto.dev: see also tracec open
  tracec export --to ndjson -e 'sched:*' trace.dat | jq 'select(.fields.next_pid == 42)'
  tracec export --to csv -e sched_switch -o switches.csv trace.dat
  tracec export --to pprof -o cpu.pb.gz uftrace.data && go tool pprof -http :0 cpu.pb.gz
  tracec export --to folded trace.dat | flamegraph.pl > flame.svg`

// ExportFormat is one of the formats of tracec export.
type ExportFormat struct {
	Name, Ext, Help string
	Text            bool     // goes to standard output
	Joins           bool     // several may follow each other
	Flags           []string // those that not all formats have
	Shows           string   // what shows a FILE that was written as OUTPUT
	Reader          []dynamic.Option
	Write           func(w io.Writer, r *dynamic.Reader, o *ExportOptions) error
	// Folder writes all recordings to one folder, in place of Write.
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
	Host               string

	Tool string // and the version of what writes
	Warn func(error)

	follow followFlags
}

func newExport() *cobra.Command {
	var o ExportOptions
	cmd := &cobra.Command{
		Use:   "export FILE... --to FORMAT",
		Short: "Write the events of recordings for other tools",
		Long:  fmt.Sprintf(exportHelp, describeFormats()),
		Args:  some("recording", "tracec export --to perfetto FILE"),
		RunE:  func(cmd *cobra.Command, args []string) error { return exportAll(cmd, args, &o) },
	}
	f := cmd.Flags()
	f.StringVar(&o.To, "to", "", "`FORMAT` to write, see above")
	f.StringVarP(&o.Output, "output", "o", "", "`FILE` or directory to write to; - is standard output")
	f.StringVar(&o.Value, "value", "", "of profiles: what is summed up, self (time), calls or an integer `FIELD` of events")
	f.Var(oneOf{&o.Time, []string{"recorded", "wall"}}, "time", "of texts: times as recorded, or by the clock on the `wall`: recorded or wall")
	f.Var(oneOf{&o.Fields, []string{"auto", "columns", "json"}}, "csv-fields", "csv: fields in `FORM`: auto, columns or json")
	f.BoolVar(&o.Quote64, "quote64", false, "of ndjson: integers of 64 bits as strings, for readers with floats")
	f.BoolVar(&o.Spreadsheet, "spreadsheet", false, "of csv: no text that a spreadsheet takes for a formula, and lines that end with CR LF")
	f.BoolVar(&o.Text, "text", false, "also the text of each event")
	f.BoolVar(&o.Wide, "wide", false, "of parquet: one table of all events, with their texts")
	f.BoolVar(&o.Resume, "resume", false, "of parquet: continue a data set; what it has is not done again")
	f.StringVar(&o.Host, "host", "", "of parquet: `NAME` of the host of recordings that do not say it")
	for name, formats := range formatsWith() {
		onlyWith(f, name, formats...)
	}
	alias(f, "fields", "csv-fields")
	o.follow.define(f)
	outputFlags(cmd, limitPart)
	chooseFlags(cmd, &o.Choice)
	cmd.RegisterFlagCompletionFunc("to", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		var names []string
		for _, f := range exportFormats {
			names = append(names, f.Name+"\t"+f.Help)
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	})
	return cmd
}

// describeFormats returns the part of the help that lists the formats.
func describeFormats() string {
	var b strings.Builder
	b.WriteString("FORMAT is one of\n")
	for _, f := range exportFormats {
		fmt.Fprintf(&b, "  %-11s %s\n", f.Name, f.Help)
	}
	return b.String()
}

// formatsWith returns which formats have the flags that not all have, as "to=NAME".
func formatsWith() map[string][]string {
	with := map[string][]string{}
	for _, f := range exportFormats {
		for _, name := range f.Flags {
			with[name] = append(with[name], "to="+f.Name)
		}
	}
	return with
}

// findFormat returns the format of a name.
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
	o.Workers, o.Tool = jobs(cmd), "tracec "+version()
	o.Choice.Limit, _ = limit(cmd)
	if err := o.follow.check(); err != nil {
		return err
	}
	if o.follow.follow && (f.Folder != nil || len(args) > 1) {
		return usagef("--follow: one recording, in a format that is written as it comes")
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
		return o.follow.following(cmd, args[0], f.Joins && targets[0] == "-", func(ctx context.Context, job *report.Job) error {
			return exportOne(ctx, cmd, job, f, o, targets[0])
		})
	}
	var all error
	for i, path := range args {
		err := work(cmd, path, func(ctx context.Context, job *report.Job) error {
			return exportOne(ctx, cmd, job, f, o, targets[i])
		})
		if all = errors.Join(all, err); err != nil && !errors.Is(err, report.ErrDamaged) {
			return all
		}
	}
	return all
}

// exportDir reports whether the output is a directory, which several recordings need.
func exportDir(output string, inputs int) (bool, error) {
	st, err := os.Stat(output)
	dir := err == nil && st.IsDir()
	if inputs > 1 && output != "" && output != "-" && !dir {
		return false, usagef("-o %s: no such directory; several recordings need one", output)
	}
	return dir, nil
}

// targets returns where recordings go. No two may go to one place, unless one can follow the other there.
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

// target returns where a recording goes; - is standard output.
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
func exportOne(ctx context.Context, cmd *cobra.Command, job *report.Job, f *ExportFormat, o *ExportOptions, target string) (err error) {
	if target == "-" {
		defer watch(cmd, job)()
	} else {
		defer watchSilent(cmd, job)()
	}
	rec, r, err := job.Events(ctx, &o.Choice, append(f.Reader, dynamic.WithThreads())...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rec.Close()) }()
	o.Warn = job.Warn
	if target == "-" {
		return tellExport(ctx, job, rec, r, &o.Choice, f.Write(job.Out, r, o))
	}
	out, err := fileset.Stage(target)
	if err != nil {
		return err
	}
	if err := f.Write(out, r, o); err != nil || o.Choice.Chosen() != "" && !r.Any() { // what nothing was chosen for is not written
		out.Discard()
		return tellExport(ctx, job, rec, r, &o.Choice, err)
	}
	if o.Choice.Chosen() != "" && !r.Any() { // what was there before is not given for nothing
		out.Discard()
		return tellExport(ctx, job, rec, r, &o.Choice, nil)
	}
	if err := out.Commit(); err != nil {
		return errors.Join(err, tellExport(ctx, job, rec, r, &o.Choice, nil))
	}
	err = tellExport(ctx, job, rec, r, &o.Choice, nil)
	sayExported(cmd, job, f, target, r.Count())
	return err
}

// tellExport says what could not be read, and that nothing was chosen.
func tellExport(ctx context.Context, job *report.Job, rec record.Recording, r *dynamic.Reader, o *report.Options, err error) error {
	if err == nil && o.Chosen() != "" && !r.Any() {
		job.Warn(job.Nothing(ctx, "event", o))
	}
	if failed := r.Err(); failed != nil && (err == nil || errors.Is(err, failed)) {
		job.Warn(failed)
		err = report.ErrDamaged
	}
	return report.Tell(job, rec, err)
}
