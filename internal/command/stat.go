package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/all"
	"github.com/tracec/tracec/report/facts"
	"github.com/tracec/tracec/report/style"
)

// statOptions are the flags of stat.
type statOptions struct {
	choice report.Options
	by     string
}

// TableRows is the number of rows of a table on a terminal, unless --limit is given.
const TableRows = 20

func newStat() *cobra.Command {
	var o statOptions
	cmd := &cobra.Command{
		Use:  "stat",
		Args: Some("recording", "tracec stat FILE"),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args) },
	}
	cmd.Flags().Var(oneOf{&o.by, report.By}, "by", "`KEY` print one table: event, cpu, thread or process")
	OutputFlags(cmd, LimitPart, JSONPart)
	ChooseFlags(cmd, &o.choice)
	return cmd
}

func (o *statOptions) run(cmd *cobra.Command, args []string) error {
	doc := facts.Document[*report.Stat]{Schema: facts.Schema("stat"), Tracec: Version(), Recordings: []*report.Stat{}}
	rows, _ := Limit(cmd)
	first := true
	err := EachFile(cmd, args, func(ctx context.Context, job *report.Job) error {
		s, err := count(ctx, cmd, job, &o.choice)
		if s == nil {
			return err
		}
		o.note(ctx, job, s)
		if AsJSON(cmd) {
			doc.Limited = s.Keep(o.by, rows) || doc.Limited
			doc.Recordings = append(doc.Recordings, s)
			return err
		}
		if len(args) > 1 {
			err = errors.Join(err, PrintHeading(cmd, job.Path, !first))
			first = false
		}
		_, failed := job.Out.Write(o.text(cmd).Append(nil, s))
		return errors.Join(failed, err)
	})
	if AsJSON(cmd) && (len(doc.Recordings) > 0 || err == nil) {
		err = errors.Join(facts.Write(cmd.OutOrStdout(), doc), err)
	}
	return err
}

// note reports facts that are not in the counts.
func (o *statOptions) note(ctx context.Context, job *report.Job, s *report.Stat) {
	if s.Count == 0 && o.choice.Chosen() != "" {
		job.Warn(job.Nothing(ctx, "event", &o.choice.Options))
	}
	known := func(r report.StatRow) bool { return r.PID != nil }
	if o.by == "process" && s.Count > 0 && !slices.ContainsFunc(s.Buffers,
		func(b report.StatBuffer) bool { return slices.ContainsFunc(b.ByProcess, known) }) {
		job.Warn(fmt.Errorf("%s: the recording lacks the processes of threads: use --by thread", job.Path))
	}
}

// text returns the options for printing counts.
func (o *statOptions) text(cmd *cobra.Command) *report.StatText {
	t := &report.StatText{By: o.by, Style: Colors(cmd)}
	rows, said := Limit(cmd)
	t.Rows = rows
	if f, ok := report.TerminalFile(cmd.OutOrStdout()); ok {
		t.Width = terminalWidth(f)
		if !said {
			t.Rows, t.Tell = TableRows, true
		}
	}
	return t
}

// terminalWidth returns the columns of a terminal, 0 if unknown.
func terminalWidth(f *os.File) int {
	columns, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return columns
}

// PrintHeading prints the name of one of several recordings before its output. apart adds an empty
// line before it.
func PrintHeading(cmd *cobra.Command, name string, apart bool) error {
	line := Colors(cmd).Paint(style.Heading, name+":") + "\n"
	if apart {
		line = "\n" + line
	}
	_, err := cmd.OutOrStdout().Write([]byte(line))
	return err
}

// EachFile calls do for recordings, one after the other. If there are several, an unreadable one is
// reported and skipped.
func EachFile(cmd *cobra.Command, args []string, do func(context.Context, *report.Job) error) error {
	damaged := false
	for _, path := range args {
		err := Work(cmd, path, do)
		if err == nil {
			continue
		}
		if !errors.Is(err, report.ErrDamaged) {
			if len(args) == 1 || exitCode(err) != exitFailed || cmd.Context().Err() != nil || outputFailed(cmd) {
				return err
			}
			fmt.Fprintln(cmd.ErrOrStderr(), "tracec: "+strings.TrimSpace(err.Error()))
		}
		damaged = true
	}
	if damaged {
		return report.ErrDamaged
	}
	return nil
}

// outputFailed reports whether standard output could not be written.
func outputFailed(cmd *cobra.Command) bool {
	o, ok := cmd.OutOrStdout().(*output)
	return ok && o.err != nil
}

// count reads a recording. The progress bar is removed before anything is printed.
func count(ctx context.Context, cmd *cobra.Command, job *report.Job, o *report.Options) (*report.Stat, error) {
	defer WatchSilent(cmd, job)()
	sys, err := job.Find(ctx)
	if err != nil {
		return nil, err
	}
	if o, err = job.Settle(ctx, sys, o); err != nil {
		return nil, err
	}
	return all.Of(sys).Stat(ctx, job, o)
}

// statOfFile makes "tracec FILE" the same as "tracec stat FILE". A command has priority over a file
// of the same name.
func statOfFile(args []string) []string {
	if len(args) == 0 || strings.HasPrefix(args[0], "-") ||
		slices.ContainsFunc(commands, func(c lazyCommand) bool { return c.name == args[0] }) {
		return args
	}
	if _, err := os.Stat(args[0]); err != nil {
		return args
	}
	if at, _, err := Tree().Find(args); err == nil && at.HasParent() {
		return args
	}
	return append([]string{"stat"}, args...)
}
