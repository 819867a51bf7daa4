package command

import (
	"context"
	"github.com/spf13/cobra"

	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/textdump"
	"github.com/tracec/tracec/runtime/lttng"
)

// formulas by the values of the option.
var (
	formulas = map[string]lttng.Formula{"era": lttng.EraFormula, "old": lttng.OldFormula, "new": lttng.NewFormula, "exact": lttng.ExactFormula, "wall": lttng.EraFormula}
)

// textdumpFlags are the options of textdump.
type textdumpFlags struct {
	textdump.Options
	formula    string
	list, info bool
}

func newTextdump() *cobra.Command {
	o := &textdumpFlags{}
	cmd := &cobra.Command{
		Use:  "textdump",
		Args: one("trace", "tracec textdump TRACE"),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args[0]) },
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.BoolVar(&o.Plain, "plain", false, "print events alone, without columns of the process")
	f.StringSliceVar(&o.Filter.Channels, "channel", nil, "`GLOBS` only these channels")
	choice := &o.Filter.Choice
	f.StringSliceVar(&choice.Events, "marker", nil, "`GLOBS` only these markers, or channel.marker")
	filterFlag(f, choice)
	f.Var(cpuFlag{&choice.CPUs}, "cpu", cpuUsage)
	f.StringSliceVar(&choice.Tasks, "pid", nil, "`LIST` only while these processes run, by id or name")
	completeFrom(cmd, "marker", ofReport, (*report.Catalog).Patterns)
	completeFrom(cmd, "cpu", ofReport, cpusOf)
	f.StringVar(&choice.Since, "since", "", "`TIME` only from this time on: 12.5, +0.5s or -1s")
	f.StringVar(&choice.Until, "until", "", "`TIME` only before this time")
	neverEmpty(f, "channel", "marker", "pid", "since", "until")
	f.StringVar(&o.formula, "time", "era", "`NAME` formula of times: era, old, new, exact or wall")
	f.Var(oneOf{new(string), []string{"auto", "seed"}}, "dialect", "`NAME` LTTng 0.x: auto or seed")
	f.String("eventdefs", "", "LTTng 0.7, 0.8: read the XML descriptions in `DIR`")
	f.StringVar(&o.Name, "name", "", "print this `PATH` as that of the trace")
	f.BoolVar(&o.list, "list", false, "list the markers and their fields instead of events")
	f.BoolVar(&o.info, "info", false, "print what the trace says about itself instead of events")
	nativeResources(f)
	return cmd
}

// run prints one trace.
func (o *textdumpFlags) run(cmd *cobra.Command, path string) (err error) {
	f := &o.Filter
	f.MarkerOption = "--marker"
	how, err := lttngOptions(o.formula)
	if err != nil {
		return err
	}
	if o.list && o.info {
		return usagef("--list or --info")
	}
	return work(cmd, path, func(ctx context.Context, job *report.Job) error {
		switch {
		case o.list:
			return textdump.List(ctx, job, how, &report.ListOptions{Events: f.Choice.Events, Fields: true})
		case o.info:
			return textdump.Info(ctx, job, how)
		}
		defer watch(cmd, job)()
		return textdump.Print(ctx, job, how, o.Options)
	})
}

func lttngOptions(formula string) ([]lttng.Option, error) {
	f, ok := formulas[formula]
	if !ok {
		return nil, usagef("--time %s: era, old, new, exact or wall", formula)
	}
	opts := []lttng.Option{lttng.WithTime(f)}
	if formula == "wall" {
		opts = append(opts, lttng.WithWallClock())
	}
	return opts, nil
}
