package command

import (
	"cmp"
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/facts"
	"github.com/tracec/tracec/report/textdump"
	"github.com/tracec/tracec/runtime/lttng"
)

const textdumpHelp = `Print a trace of LTTng from before CTF (versions 0.7 to 2.6, 2006 to 2011) as LTTV's module textDump did:

  kernel.syscall_entry: 179613.341883562 (/traces/t1/kernel_1), 13575, 13575, ls, , 13566, 0x0, SYSCALL { ip = 0xb77fc430, … }

channel and marker, time in seconds since the processor's counter was 0, file, then of the process that runs: pid, tgid, name,
brand, ppid, function and mode, then the fields. TRACE is the directory, or a .tar, .tar.gz, .tar.xz or .tar.zst of it.

A directory of several traces, such as one of each program, is printed as a set of them: all events in the order of time, with
the path of their trace. Traces of a set are in folders, three deep at most, or linked to.

Examples:
  tracec textdump /traces/t1
  tracec textdump --plain --marker 'kernel.sched_*' trace.tar.gz
  tracec textdump --since 179613.3 --until 179613.4 --pid 13575 trace-2.6.tar.gz

Traces before 1.0 describe their events in XML files, eventdefs/*.xml of the trace; --eventdefs names another directory of them.
Readers of the time computed times in floating point, by one formula up to 2.4 and by another since; --formula chooses.
--time wall counts seconds since 1970 in place of those since the machine started: the order of sets from several machines.`

// formulas by the values of the option.
var formulas = map[string]lttng.Formula{"era": lttng.EraFormula, "old": lttng.OldFormula, "new": lttng.NewFormula, "exact": lttng.ExactFormula}

// textdumpFlags are the options of textdump.
type textdumpFlags struct {
	textdump.Options
	formula    string
	time       string // recorded or wall; or a formula, as it was called before
	list, info bool
}

func newTextdump() *cobra.Command {
	o := &textdumpFlags{}
	cmd := &cobra.Command{
		Use:   "textdump TRACE",
		Short: "Print a trace of LTTng from before CTF: LTTV's textDump",
		Long:  textdumpHelp,
		Args:  one("trace", "tracec textdump TRACE"),
		RunE:  func(cmd *cobra.Command, args []string) error { return o.run(cmd, args[0]) },
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.BoolVarP(&o.Plain, "plain", "N", false, "print the events alone, without the columns of the process")
	f.StringSliceVar(&o.Filter.Channels, "channel", nil, "only channels that match one of the `GLOBS`")
	choice := &o.Filter.Choice
	f.StringSliceVarP(&choice.Events, "marker", "e", nil, "only events whose marker, or channel.marker, matches one of the `GLOBS`")
	filterFlag(f, choice)
	f.Var(cpuFlag{&choice.CPUs}, "cpu", "only these processors: `LIST` such as 0,2-3")
	f.StringSliceVar(&choice.Tasks, "pid", nil, "only while these processes run: `LIST` of ids or names")
	completeFrom(cmd, "marker", ofReport, (*report.Catalog).Patterns)
	completeFrom(cmd, "cpu", ofReport, cpusOf)
	timeFlags(f, choice)
	neverEmpty(f, "channel", "marker", "pid")
	f.Var(oneOf{&o.formula, []string{"era", "old", "new", "exact"}}, "formula", "compute times by `NAME`: era, old, new or exact")
	f.Var(oneOf{&o.time, []string{"recorded", "wall", "era", "old", "new", "exact"}}, "time", "times in `FORM`: recorded or wall")
	f.Var(oneOf{new(string), []string{"auto", "seed"}}, "dialect", "LTTng 0.x: read it as `NAME`: auto or seed")
	f.String("eventdefs", "", "LTTng 0.7, 0.8: read the XML descriptions in `DIR`")
	f.StringVar(&o.Name, "name", "", "print this `PATH` as that of the trace")
	f.BoolVar(&o.list, "list", false, "list the markers, or those of --marker, and their fields in place of events")
	f.BoolVar(&o.info, "info", false, "print what the trace says about itself in place of events")
	alias(f, "event", "marker")
	f.Lookup("list").Hidden, f.Lookup("info").Hidden = true, true // tracec list, tracec info
	excludes(f, "list", "info")
	nativeOutput(cmd)
	nativeResources(f)
	return cmd
}

// run prints one trace.
func (o *textdumpFlags) run(cmd *cobra.Command, path string) error {
	f := &o.Filter
	f.MarkerOption = "--marker"
	how := o.times()
	return work(cmd, path, func(ctx context.Context, job *report.Job) error {
		switch {
		case o.list:
			return textdump.List(ctx, job, how, &report.ListOptions{Events: f.Choice.Events, Fields: true, Each: func(e *facts.Event) error {
				_, err := job.Out.Write(e.Line)
				return err
			}})
		case o.info:
			f, err := textdump.Info(ctx, job, how)
			if f == nil {
				return err
			}
			_, failed := job.Out.Write(f.Text)
			return errors.Join(failed, err)
		}
		defer watch(cmd, job)()
		return textdump.Print(ctx, job, how, o.Options)
	})
}

// times returns how times are computed.
func (o *textdumpFlags) times() []lttng.Option {
	formula := o.formula
	if _, ok := formulas[o.time]; ok && formula == "" {
		formula = o.time
	}
	opts := []lttng.Option{lttng.WithTime(formulas[cmp.Or(formula, "era")])}
	if o.time == "wall" {
		opts = append(opts, lttng.WithWallClock())
	}
	return opts
}
