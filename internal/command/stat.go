package command

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/tracec/tracec/report"
)

const statHelp = `Print what is in a recording, and how often: the number of events of each kind, processor and thread, with the
times of the first and the last one as tracec report prints them, what was lost and what is damaged. The most frequent come first.
All of the recording is read once; nothing is decoded.

Of recordings of uftrace the calls of each function are counted, and events; of LTTng threads are the processes that ran.

Examples:
  tracec stat trace.dat
  tracec stat -e 'sched:*' --cpu 0-3 --since 12.5 trace.dat
  tracec stat --json trace.dat | jq '.buffers[0].events[] | select(.count > 1000) | .name'

--json prints one object:
  file, system            the recording, and ftrace, aix, uftrace or lttng
  damage, skipped         places that could not be read, and bytes left out there
  buffers                 a list: of ftrace the top buffer and the instances, of others one
    name                  of the instance; empty for the top buffer
    count, first, last    of all events; times are texts, and absent without an event
    lost, gaps            events that are missing, and in how many places
    lost_unknown          true when some places do not tell how many
    events, cpus, tasks   lists of id, name, count, first and last, by falling count; ids are those
                          of the event, the processor and the thread, -1 for none`

func newStat() *cobra.Command {
	var o report.Options
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "stat FILE",
		Short: "Count the events of a recording",
		Long:  statHelp,
		Args:  one("recording", "tracec stat FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return work(cmd, args[0], func(ctx context.Context, job *report.Job) error {
				return printStat(ctx, cmd, job, &o, asJSON)
			})
		},
	}
	chooseFlags(cmd, &o)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON, as described above")
	return cmd
}

func printStat(ctx context.Context, cmd *cobra.Command, job *report.Job, o *report.Options, asJSON bool) error {
	s, err := count(ctx, cmd, job, o)
	if s == nil {
		return err
	}
	if s.Total() == 0 && o.Chosen() != "" {
		job.Warn(job.Nothing(ctx, "event", o))
	}
	if e := s.Write(job.Out, asJSON); e != nil {
		return errors.Join(e, err)
	}
	return err
}

// count reads a recording. Its progress is off the terminal before anything is printed.
func count(ctx context.Context, cmd *cobra.Command, job *report.Job, o *report.Options) (*report.Stat, error) {
	defer watchSilent(cmd, job)()
	sys, err := job.Find(ctx)
	if err != nil {
		return nil, err
	}
	if o, err = job.Settle(ctx, sys, o); err != nil {
		return nil, err
	}
	return sys.Stat(ctx, job, o)
}
