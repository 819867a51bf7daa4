package command

import (
	"cmp"
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/tracec/tracec/internal/selection"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/facts"
	"github.com/tracec/tracec/report/textdump"
	"github.com/tracec/tracec/runtime/lttng"
)

// formulas holds the formulas by the values of the option.
var formulas = map[string]lttng.Formula{"era": lttng.EraFormula, "old": lttng.OldFormula, "new": lttng.NewFormula,
	"exact": lttng.ExactFormula}

// textdumpFlags are the options of textdump.
type textdumpFlags struct {
	textdump.Options
	formula    string
	time       string // recorded or wall; or a formula, as in earlier versions
	list, info bool
}

func newTextdump() *cobra.Command {
	o := &textdumpFlags{}
	cmd := &cobra.Command{
		Use:  "textdump",
		Args: One("trace", "tracec textdump TRACE"),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args[0]) },
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.BoolVarP(&o.Plain, "plain", "N", false, "print events without the columns of the process")
	f.StringSliceVar(&o.Filter.Channels, "channel", nil, "`GLOBS` only these channels")
	choice := &o.Filter.Choice
	f.StringSliceVarP(&choice.Events, "marker", "e", nil, "`GLOBS` only these markers, or channel.marker")
	filterFlag(f, choice)
	f.Var(cpuFlag{&choice.CPUs}, "cpu", cpuUsage)
	f.StringSliceVar(&choice.Tasks, "pid", nil, "`LIST` only while these processes run, by id or name")
	completeFrom(cmd, "marker", ofReport, (*selection.Catalog).Patterns)
	completeFrom(cmd, "cpu", ofReport, cpusOf)
	timeFlags(f, choice)
	neverEmpty(f, "channel", "marker", "pid")
	f.Var(oneOf{&o.formula, []string{"era", "old", "new", "exact"}}, "formula",
		"`NAME` formula of times: era, old, new or exact")
	f.Var(oneOf{&o.time, []string{"recorded", "wall", "era", "old", "new", "exact"}}, "time",
		"`FORM` times: recorded or wall")
	f.Var(oneOf{new(string), []string{"auto", "seed"}}, "dialect", "`NAME` LTTng 0.x: auto or seed")
	f.String("eventdefs", "", "LTTng 0.7, 0.8: read the XML descriptions in `DIR`")
	f.StringVar(&o.Name, "name", "", "print `PATH` as the path of the trace")
	f.BoolVar(&o.list, "list", false, "list the markers and their fields instead of events")
	f.BoolVar(&o.info, "info", false, "print the header of the trace instead of events")
	alias(f, "event", "marker")
	f.Lookup("list").Hidden, f.Lookup("info").Hidden = true, true // replaced by tracec list and tracec info
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
	return Work(cmd, path, func(ctx context.Context, job *report.Job) error {
		switch {
		case o.list:
			return textdump.List(ctx, job, how, &report.ListOptions{Events: f.Choice.Events, Fields: true,
				Each: func(e *facts.Event) error {
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

// times returns the options for computing times.
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
