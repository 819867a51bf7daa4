package exports

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	front "github.com/tracec/tracec"
	"github.com/tracec/tracec/export/tables"
	"github.com/tracec/tracec/export/tables/sums"
	"github.com/tracec/tracec/internal/command"
	"github.com/tracec/tracec/internal/selection"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/facts"
	"github.com/tracec/tracec/report/totals"
	"github.com/tracec/tracec/runtime/aix"
	"github.com/tracec/tracec/runtime/record"
)

// A question is a command that sums up a derived table.
type question struct {
	name  string
	table string
}

var questions = []question{
	{"latency", "sched_latency"},
	{"syscalls", "syscalls"},
	{"irq", "interrupts"},
	{"io", "block_io"},
	{"locks", "locks"},
	{"calls", "calls"},
	{"curt", "cpu_modes"},
}

// askOptions are the flags of a question.
type askOptions struct {
	question
	rows  command.RowOptions
	by    []string
	worst int
	hist  bool
	csv   bool
	diff  bool
	sort  string
	curt  *totals.Curt // for the current recording; nil without summaries
}

// newCommand returns the command of a question.
func (q question) newCommand() *cobra.Command {
	o := &askOptions{question: q}
	cmd := &cobra.Command{
		Use:  q.name,
		Args: command.Some("recording", "tracec "+q.name+" FILE"),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args) },
	}
	f, by := cmd.Flags(), strings.Join(sums.By(tables.Named(q.table)), ",")
	f.StringSliceVar(&o.by, "by", nil, "`LIST` sum by these columns (default "+by+")")
	f.Var(command.OneOf(&o.sort, sums.Sorts), "sort", "`KEY` total, count, mean, p50, p95, p99, max, self, errors")
	f.IntVar(&o.worst, "worst", 0, "print the `N` longest rows with their times")
	f.BoolVar(&o.hist, "hist", false, "print a histogram")
	f.BoolVar(&o.diff, "diff", false, "compare two recordings, OLD and NEW")
	f.BoolVar(&o.csv, "csv", false, "print the sums as CSV, times in nanoseconds")
	f.Lookup("worst").DefValue = "0"
	command.OutputFlags(cmd, command.LimitPart, command.JSONPart)
	command.RowFlags(cmd, &o.rows)
	columns := []string{}
	for _, c := range tables.Named(q.table).Columns() {
		columns = append(columns, c.Name+"\t"+c.Doc)
	}
	command.CompleteList(cmd, "by", columns)
	return cmd
}

func (o *askOptions) run(cmd *cobra.Command, args []string) error {
	if len(o.by) == 0 {
		o.by = sums.By(tables.Named(o.table))
	}
	switch {
	case o.diff && len(args) != 2:
		return report.Usagef("--diff: two recordings, OLD and NEW")
	case o.diff && (o.hist || o.worst > 0 || o.csv || command.AsJSON(cmd)):
		return report.Usagef("--diff prints groups as text: leave out --hist, --worst, --csv and --json")
	case o.csv && (o.hist || o.worst > 0 || command.AsJSON(cmd)):
		return report.Usagef("--csv prints groups: leave out --hist, --worst and --json")
	}
	doc := facts.Document[*totals.JSON]{Schema: facts.Schema(o.name), Tracec: command.Version(),
		Recordings: []*totals.JSON{}}
	rows, _ := command.Limit(cmd)
	var old *sums.Totals
	first := true
	err := command.EachFile(cmd, args, func(ctx context.Context, job *report.Job) error {
		t, text, rec, err := o.sum(ctx, cmd, job)
		if missing := (*tables.MissingError)(nil); len(args) > 1 && errors.As(err, &missing) {
			job.Warn(missing) // other recordings may have the events
			return report.ErrDamaged
		}
		if t == nil {
			return err
		}
		var out []byte
		switch {
		case command.AsJSON(cmd):
			doc.Recordings = append(doc.Recordings, totals.JSONOf(t, rec, int(rows)))
			doc.Limited = doc.Limited || rows > 0 && len(t.Groups) > int(rows)
			return err
		case o.csv:
			failed := totals.WriteCSV(t, job.Out, job.Path, first, int(rows))
			first = false
			return errors.Join(failed, err)
		case o.diff && old == nil:
			old = t
			return err
		case o.diff:
			out = text.AppendDiff(out, old, t)
		default:
			if len(args) > 1 {
				err = errors.Join(err, command.PrintHeading(cmd, job.Path, !first))
				first = false
			}
			out = o.append(out, text, t)
		}
		_, failed := job.Out.Write(out)
		return errors.Join(failed, err)
	})
	if command.AsJSON(cmd) && (len(doc.Recordings) > 0 || err == nil) {
		err = errors.Join(facts.Write(cmd.OutOrStdout(), doc), err)
	}
	return err
}

// append appends sums, or all summaries of curt.
func (o *askOptions) append(out []byte, text *totals.Text, t *sums.Totals) []byte {
	if o.curt != nil && len(t.Groups) > 0 {
		return text.AppendCurt(out, t, o.curt)
	}
	return text.Append(out, t)
}

// summarizes reports whether all summaries of curt are printed: no other option selects.
func (o *askOptions) summarizes(cmd *cobra.Command) bool {
	changed := func(name string) bool { return cmd.Flags().Changed(name) }
	return o.name == "curt" && !slices.ContainsFunc([]string{
		"by", "sort", "worst", "hist", "diff", "csv", "json", "filter", "pid", "cpu",
	}, changed)
}

// sum reads a recording. The progress bar is removed before anything is printed.
func (o *askOptions) sum(
	ctx context.Context, cmd *cobra.Command, job *report.Job,
) (t *sums.Totals, text *totals.Text, about facts.Recording, err error) {
	defer command.WatchSilent(cmd, job)()
	c, err := job.Choose(ctx, &o.rows.Choice)
	if err != nil {
		return nil, nil, about, err
	}
	defer func() { err = errors.Join(err, c.Recording.Close()) }()
	w := walkOf(job, c)
	where := append(o.conditions(), onCPUs(c)...)
	finish, err := sums.Add(w, tables.Named(o.table),
		sums.Options{By: o.by, Where: where, Worst: o.worst, Sort: o.sort})
	if err != nil {
		return nil, nil, about, usage(err)
	}
	summaries := func() *totals.Curt { return nil }
	if o.summarizes(cmd) {
		if summaries, err = totals.AddCurt(w); err != nil {
			return nil, nil, about, usage(err)
		}
	}
	var failed error
	if err := w.Run(ctx); err != nil {
		if ctx.Err() != nil {
			return nil, nil, about, err
		}
		job.Warn(err)
		failed = report.ErrDamaged
	}
	t, o.curt = finish(), summaries()
	for _, n := range t.Notes {
		job.Note("%s: %s", job.Path, n)
	}
	if t.All.Count() == 0 {
		job.Warn(fmt.Errorf("%s: no rows of %s", job.Path, o.table))
	}
	t.Ticks = c.Recording.Machine().Ticks
	text = &totals.Text{Style: command.Colors(cmd), Hist: o.hist, Time: func(time uint64) string {
		return string(selection.AppendTime(nil, time-min(c.Origin, time), c.Form))
	}}
	rows, said := command.Limit(cmd)
	if text.Rows = int(rows); !said {
		if _, ok := report.TerminalFile(cmd.OutOrStdout()); ok {
			text.Rows = command.TableRows
		}
	}
	src, err := job.Find(ctx)
	if err != nil {
		return nil, nil, about, err
	}
	return t, text, facts.Of(job.Path, src.Name, c.Recording), report.Tell(job, c.Recording, failed)
}

// usage converts an error to a usage error.
func usage(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return &report.UsageError{Err: err}
}

// walkOf returns a walk over the recording of a choice, with its processors and its time. It
// includes all threads and all events, since a row needs events of others. For AIX see onCPUs.
func walkOf(job *report.Job, c *report.Choice) *tables.Walk {
	whole := c.Whole()
	if isAIX(c) {
		whole.Records.CPUs = nil
	}
	return tables.WalkOf(func(ctx context.Context, opts ...front.Option) (*front.Reader, error) {
		r, err := whole.Reader(record.Options{Context: ctx}, opts...)
		if err == nil && !job.Reading() {
			job.Reads(r)
		}
		return r, err
	})
}

// isAIX reports whether a recording is from AIX. Tables need all its processors, since a thread may
// continue a system call on another one.
func isAIX(c *report.Choice) bool {
	_, ok := c.Recording.(*aix.Recording)
	return ok
}

// onCPUs returns the condition for rows of the selected processors of a recording of AIX.
func onCPUs(c *report.Choice) []string {
	if !isAIX(c) || c.Records.CPUs == nil {
		return nil
	}
	any := []string{"cpu < 0"} // matches no row
	for _, cpu := range c.Records.CPUs {
		any = append(any, fmt.Sprintf("cpu == %d", cpu))
	}
	return []string{strings.Join(any, " || ")}
}

// conditions returns the conditions on rows.
func (o *askOptions) conditions() []string {
	list := slices.Clone(o.rows.Filters)
	if len(o.rows.Tasks) == 0 {
		return list
	}
	var any []string
	for _, task := range o.rows.Tasks {
		if id, err := strconv.ParseInt(task, 10, 32); err == nil {
			any = append(any, fmt.Sprintf("tid == %d", id))
		} else {
			any = append(any, "thread == "+strconv.Quote(task))
		}
	}
	return append(list, strings.Join(any, " || "))
}
