package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tracec/tracec/grammar/diag"
	"github.com/tracec/tracec/internal/fileset"
	"github.com/tracec/tracec/internal/selection"
	"github.com/tracec/tracec/internal/trcfiles"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/trcrpt"
)

// trcrptFlags are the options of trcrpt that finish processes further.
type trcrptFlags struct {
	opts       trcrpt.Options
	check      bool   // -c
	cpus       string // -C
	only       []string
	onlyGroups []string
	list       bool // -j
	never      []string
	neverGroup []string
	listGroups bool // -G
	groups     string
	output     string // -o
	processes  []string
	threads    []string
	set        []string // -O
	unknown    []string // options without effect here
}

func newTrcrpt() *cobra.Command {
	f := &trcrptFlags{}
	cmd := &cobra.Command{
		Use: "trcrpt",
		Annotations: map[string]string{
			moreOf: "Rules where IBM has published none, the default first:\n" + trcfiles.RuleList() + "\n",
		},
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	f.define(cmd.Flags())
	nativeOutput(cmd)
	nativeResources(cmd.Flags())
	return cmd
}

func (f *trcrptFlags) define(set *pflag.FlagSet) {
	o := &f.opts
	set.SortFlags = false
	set.Bool("help", false, "print the whole help") // -h has another meaning
	set.BoolVarP(&f.check, "check", "c", false, "check the templates instead of printing a report")
	set.StringVarP(&f.cpus, "cpus", "C", "", "`LIST` only these CPUs, such as 0,2-3 or all; also their files")
	set.StringArrayVarP(&f.only, "only", "d", nil, "`IDS` only these hooks")
	set.StringArrayVarP(&f.onlyGroups, "only-groups", "D", nil, "`GROUPS` only the hooks of these groups")
	set.StringVarP(&o.EndDate, "end", "e", "", "`DATE` only up to this date: MMddhhmmssyy")
	set.BoolVarP(&f.listGroups, "list-groups", "G", false, "list the groups of events instead of printing a report")
	set.StringVar(&f.groups, "groups", "", "read groups of events from `FILE`")
	set.BoolVarP(&o.NoHeading, "no-heading", "h", false, "print no headings")
	set.BoolVarP(&f.list, "list", "j", false, "list ids and labels of templates instead of a report")
	set.StringArrayVarP(&f.never, "except", "k", nil, "`IDS` leave out these hooks")
	set.StringArrayVarP(&f.neverGroup, "except-groups", "K", nil, "`GROUPS` leave out the hooks of these groups")
	set.BoolVarP(&o.Merge, "merge", "m", false, "merge several files by time")
	set.StringVarP(&o.NameList, "names", "n", "", "read the kernel's names and addresses from `FILE`, as of trcnm")
	set.StringVarP(&f.output, "output", "o", "", "write to `FILE`")
	set.StringArrayVarP(&f.set, "option", "O", nil, "`NAME=VALUE` form of the report, see above")
	set.StringSliceVarP(&f.processes, "processes", "p", nil, "`LIST` only these processes, by id or name")
	set.StringSliceVarP(&f.threads, "threads", "T", nil, "`LIST` only these threads, by id")
	set.BoolVarP(&o.Quiet, "quiet", "q", false, "print only the number of mistakes in templates")
	set.BoolVarP(&o.Raw, "raw", "r", false, "write the selected events as a raw stream")
	set.StringArray("rule", nil, "`NAME=VALUE` set a rule that is not published, see below")
	set.StringVarP(&o.StartDate, "start", "s", "", "`DATE` only from this date on: MMddhhmmssyy")
	set.StringVar(&o.Began, "began", "", "`DATE` begin of the trace, for -s and -e")
	set.String("layouts", "", "read places of threads and processes in hooks from `FILE`")
	set.StringArrayP("template", "t", nil, "read templates from `FILE`; later files take precedence")
	set.BoolVarP(&o.Verbose, "verbose", "v", false, "print the names of opened files")
	set.BoolVarP(&o.Values, "paths", "x", false, "print paths of programs instead of names of processes")
	for name, short := range map[string]string{"component-dirs": "M", "components": "l", "wpars": "@"} {
		set.StringArrayVarP(&f.unknown, name, short, nil, "not supported")
		set.Lookup(name).Hidden = true
	}
}

// finish sets values that depend on several options.
func (f *trcrptFlags) finish(cmd *cobra.Command, args []string) (err error) {
	o := &f.opts
	if len(f.unknown) > 0 {
		return usagef("component traces and WPARs (-M, -l, -@) are not there")
	}
	o.Inputs, o.Processes = args, trcrpt.ListItems(f.processes)
	if len(args) == 0 {
		o.Inputs = []string{"/var/adm/ras/trcfile"}
	}
	for _, s := range f.set {
		if err := o.Set(s); err != nil {
			return usageError(err)
		}
	}
	opening := openOptions(cmd)
	if err := o.SetOpening(&opening); err != nil {
		return err
	}
	if o.Threads, err = trcrpt.ParseThreads(f.threads); err != nil {
		return usageError(err)
	}
	if f.cpus != "" {
		o.AllCPUs = true
		if !strings.EqualFold(f.cpus, "all") {
			if o.CPUs, err = selection.ParseCPUs(strings.Join(trcrpt.ListItems([]string{f.cpus}), ",")); err != nil {
				return usageError(err)
			}
		}
	}
	if err := f.readGroups(); err != nil {
		return err
	}
	return f.hooks()
}

func (f *trcrptFlags) readGroups() error {
	if f.groups == "" {
		if f.listGroups || len(f.onlyGroups)+len(f.neverGroup) > 0 {
			return usagef("-D, -G and -K need a file of groups: --groups FILE")
		}
		return nil
	}
	file, err := os.Open(f.groups)
	if err != nil {
		return err
	}
	defer file.Close()
	f.opts.Groups, err = trcrpt.ParseGroups(f.groups, file)
	return err
}

// hooks makes sets from the ids and groups.
func (f *trcrptFlags) hooks() error {
	o := &f.opts
	for _, add := range []struct {
		lists []string
		to    *trcfiles.HookSet
		group bool
	}{{f.only, &o.Only, false}, {f.onlyGroups, &o.Only, true}, {f.never, &o.Never, false},
		{f.neverGroup, &o.Never, true}} {
		for _, l := range add.lists {
			var err error
			if add.group {
				*add.to, err = trcrpt.AddGroups(*add.to, o.Groups, l)
			} else {
				*add.to, err = trcfiles.ParseHooks(*add.to, l)
			}
			if err != nil {
				return usageError(err)
			}
		}
	}
	return nil
}

func (f *trcrptFlags) run(cmd *cobra.Command, args []string) (err error) {
	if err := f.finish(cmd, args); err != nil {
		return err
	}
	if f.check {
		return f.vet(cmd)
	}
	if len(args) == 0 && !f.list && !f.listGroups {
		if err := defaultFile(f.opts.Inputs[0], "tracec trcrpt FILE"); err != nil {
			return err
		}
	}
	out := cmd.OutOrStdout()
	if f.output != "" {
		if err := checkOutput(cmd, "-o", f.output,
			append(slices.Clone(f.opts.Inputs), f.groups, f.opts.NameList)...); err != nil {
			return err
		}
		file, cerr := fileset.Create(f.output)
		if cerr != nil {
			return cerr
		}
		defer func() { err = endOutput(file, err) }()
		out = file
	}
	switch {
	case f.listGroups:
		_, err = out.Write(trcrpt.AppendGroups(nil, f.opts.Groups))
		return err
	case f.list:
		return f.listTemplates(cmd, out)
	}
	return Work(cmd, f.opts.Inputs[0], func(ctx context.Context, job *report.Job) error {
		job.Out, job.Style = out, colorsOf(cmd, out)
		defer watch(cmd, job)()
		return trcrpt.Run(ctx, &f.opts, job)
	})
}

// endOutput ends a file that a command writes instead of standard output. If the recording is
// damaged or cannot be read to its end, the file has everything that could be printed. The previous
// file remains if nothing could be printed, or if the work was interrupted or writing failed.
func endOutput(file *fileset.Pending, err error) error {
	if err != nil && (file.Written() == 0 || errors.Is(err, context.Canceled)) {
		file.Discard()
		return err
	}
	if e := file.Commit(); e != nil && !errors.Is(err, e) {
		err = errors.Join(err, e)
	}
	return err
}

// least returns the minimum severity of messages for -c.
func (f *trcrptFlags) least() diag.Severity {
	if f.opts.Verbose {
		return diag.Note
	}
	return diag.Warning
}

// vet implements -c.
func (f *trcrptFlags) vet(cmd *cobra.Command) error {
	if len(f.opts.Templates) == 0 {
		return usagef("-c: name the file to check by -t")
	}
	v, err := trcrpt.Vet(f.opts.Templates, f.opts.Rules.Compile, "-d", nil)
	if err != nil {
		return err
	}
	return v.Write(cmd.OutOrStdout(), f.least(), f.opts.Quiet)
}

// listTemplates implements -j. It lists the templates of the files, or the built-in ones.
func (f *trcrptFlags) listTemplates(cmd *cobra.Command, out io.Writer) error {
	stanzas, faults, err := trcfiles.Stanzas(f.opts.Templates)
	if err != nil {
		return err
	}
	var text []byte
	for _, e := range trcrpt.List(stanzas, nil) {
		text = append(text, e.Line...)
	}
	if _, err = out.Write(text); err != nil {
		return err
	}
	fails := faults.Worst(diag.Error)
	for _, e := range fails {
		fmt.Fprintln(cmd.ErrOrStderr(), "tracec: "+sentence(e))
	}
	if len(fails) > 0 {
		return report.ErrDamaged
	}
	return nil
}
