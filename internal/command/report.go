package command

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/all"
)

const reportHelp = `Print a recording as text, in the way of the tool that records that kind.

FILE is a trace.dat, a directory that is a copy of tracefs, a stream or log file of AIX trace, a directory of uftrace
or of LTTng before CTF or an archive of one, or - for standard input. The options mean the same for every kind of recording.

Examples:
  tracec report trace.dat
  tracec report -e 'sched:*,irq:irq_handler_entry' --cpu 0,2-3 trace.dat
  tracec report --since 12.5 --until 12.75 --pid 1234 trace.dat
  tracec report --last 100ms trace.dat
  tracec report -R -e sched_switch trace.dat        the fields as they are
  tracec report -F 'sched_switch: prev_prio < 100 && next_comm ~ "bash*"' trace.dat
  tracec report -F 'parse.*: arg1 > 4096' -F 'read: retval < 0' uftrace.data
  zstdcat trace.dat.zst | tracec report -
  tracec report -t my.trcfmt -e '010,1B*' trcfile   hooks of AIX: by id or by label
  tracec report -e 'parse*' uftrace.data            functions of uftrace, and what they call
  tracec report -e 'kernel.sched_*' traces/t1       markers of LTTng: by name, or channel.name
  tracec report --follow trace.raw                  what is still being written, until Ctrl-C
  ssh HOST cat /sys/kernel/tracing/per_cpu/cpu0/trace_pipe_raw | tracec report --formats copy-of-tracefs -

Times choose a part of the recording:
  12.5            as they are printed, in seconds
  +0.5s, +500ms   after the first event of the recording, chosen or not
  -1s             before its last event
  --last 1s       the same as --since -1s
Clocks that do not count time (counter, x86-tsc) have numbers, as they are printed, and no durations. Of AIX, times count from the first event in all commands.
What is read once, from standard input or with --follow, has no known end. Times find their place without reading all of a recording, except the end of one of AIX,
and miss events of a CPU whose times go back there.
What happens at the time of --since is printed, what happens at that of --until is not. A time means what is written,
to the nanosecond; only where a report rounds to microseconds, a time with up to six digits after the point is that of
the first event that is printed so.

GLOBS are of the names that tracec list prints, with or without what is before the colon (of LTTng, the point). One
that chooses nothing is an error, and so is a processor or a thread that the recording cannot have. That nothing
matches an option that is possible is a message.

A FILTER is EVENTS or EVENTS: CONDITION, in the language of trace-cmd report -F. EVENTS are regular expressions with commas between, of whole names:
NAME, SYSTEM or SYSTEM/NAME. A condition compares fields, as tracec list --fields names them, with numbers (== != < <= > >=), texts
(== != and ~ with a glob, =~ and !~ with a regular expression) or each other, with + - * / % & | ^ ~, and joins that by && || ! and parentheses.
All events have COMM (the thread's name), CPU, TIMESTAMP and common_pid. What compares with a field that an event
lacks is false. Of several filters an event must pass one. A call of uftrace and its return are two events: one has arg1, arg2, ..., the other retval;
report shows the end of a call that passes, too.

--follow waits at the end for what is still being written and prints it as it comes, until SIGINT (Ctrl-C) or SIGTERM: what is there then is printed, and the exit
code is that of a recording that was printed to its end. FILE is a stream of AIX trace, a directory laid out as tracefs to which files of processors are
copied (cat per_cpu/cpu0/trace_pipe_raw), such a file with --formats, a directory of uftrace, or one of LTTng; it is not packed.
Events of several files are printed in the order of time if they are written within --delay. uftrace writes what a thread has recorded when its buffer is
full, and at its end: --delay 10s orders threads whose buffers fill within 10 seconds, and shows them that much later. It writes the file info last, without which the length
of arguments is unknown.

Standard input is printed as it comes where that can be: streams of AIX trace, and with --formats the data of a processor. A trace.dat has the places of its data at the end, a
log file of AIX the order of its buffers at the beginning and their rest anywhere, and an archive files one after the other that belong together by time: they are copied to a temporary
file first, and printed when they have come.
A file that is renamed or truncated, as rotation does, is reported, and what takes its place is printed as a recording of its own.`

func newReport() *cobra.Command {
	var o report.Options
	var follow followFlags
	cmd := &cobra.Command{
		Use:   "report FILE",
		Short: "Print the events of a recording",
		Long:  reportHelp,
		Args:  oneReport,
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			print := func(ctx context.Context, job *report.Job) error {
				defer watch(cmd, job)()
				sys, err := job.Find(ctx)
				if err != nil {
					return err
				}
				settled, err := job.Settle(ctx, sys, &o)
				if err != nil {
					return err
				}
				settled.Limit, _ = limit(cmd)
				return sys.Report(ctx, job, settled)
			}
			if err := follow.check(); err != nil {
				return err
			}
			switch {
			case !follow.follow || args[0] == "-":
				return work(cmd, args[0], print)
			case o.Stat:
				return usagef("--follow: statistics are those of a recording that is finished")
			}
			return follow.following(cmd, args[0], true, print)
		},
	}
	f := cmd.Flags()
	f.BoolVarP(&o.Raw, "raw", "R", false, "print the fields, not the text of the event")
	f.BoolVarP(&o.Plain, "plain", "N", false, "print the text that the event describes itself, without the native tool's plugins")
	f.BoolVar(&o.Stat, "stat", false, "print the statistics of the recording's buffers in place of events")
	f.Lookup("stat").Hidden = true // of AIX and uftrace it is what info prints
	follow.define(f)
	outputFlags(cmd, limitPart)
	chooseFlags(cmd, &o)
	return cmd
}

const listHelp = `List the events that a recording describes: id and system:name. That they are described does not
mean that any were recorded.

FILE is a recording as for tracec report, a directory of format files (a tracefs events/ tree or any part
of it), a format file, or a file of AIX templates, of which the ids and labels are listed. Recordings of AIX
describe no events: the hooks that occur in them are listed. Of recordings of uftrace the functions are
listed whose arguments or results were recorded (with the type of the symbol), and the events. Of traces
of LTTng the markers are listed with their formats; ids are those of the channel, in 0.x facility.event.

Examples:
  tracec list trace.dat
  tracec list --fields -e sched_switch trace.dat    offset, size, sign and type of every field
  tracec list /sys/kernel/tracing/events/irq`

func newList() *cobra.Command {
	var o report.ListOptions
	var verbose bool
	cmd := &cobra.Command{
		Use:   "list FILE...",
		Short: "List the events of a recording or of format files",
		Long:  listHelp,
		Args:  some("recording or format file", "tracec list FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Fields = o.Fields || verbose
			return list(cmd, args, o)
		},
	}
	f := cmd.Flags()
	eventsFlag(f, &o.Events)
	f.BoolVar(&o.Fields, "fields", false, "also list the fields")
	f.BoolVarP(&verbose, "verbose", "v", false, "the same as --fields")
	outputFlags(cmd, limitPart, jsonPart)
	recordingFlags(cmd)
	completeFrom(cmd, "event", ofList, (*report.Catalog).Patterns)
	return cmd
}

const infoHelp = `Print what a recording says about itself: kind, byte order, compression, clocks, options, and per
processor the number of events, the time they span and what was lost or is damaged. All of the recording
is read for that. For FILE see tracec report.`

func newInfo() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "info FILE...",
		Short: "Print what recordings say about themselves",
		Long:  infoHelp,
		Args:  some("recording", "tracec info FILE"),
		RunE:  info,
	}
	outputFlags(cmd, jsonPart)
	recordingFlags(cmd)
	return cmd
}

// work does something with what a path leads to, and closes it.
func work(cmd *cobra.Command, path string, do func(context.Context, *report.Job) error) error {
	if path == "" {
		return usagef("the name of the recording is empty")
	}
	job := newJob(cmd, path)
	return job.Finish(do(cmd.Context(), job))
}

// isQuiet reports whether a command prints no notes: -q of the block of output, not what other tools have by that letter.
func isQuiet(cmd *cobra.Command) bool {
	f := cmd.Flags().Lookup("quiet")
	return f != nil && slices.Contains(f.Annotations[blockOf], outputBlock) && f.Value.String() == "true"
}

func newJob(cmd *cobra.Command, path string) *report.Job {
	return &report.Job{
		Path:    path,
		Stdin:   cmd.InOrStdin(),
		Systems: all.Systems(),
		Out:     cmd.OutOrStdout(),
		Opening: openOptions(cmd),
		Memory:  memory(cmd),
		Workers: jobs(cmd),
		Style:   colors(cmd),
		Warn: func(err error) {
			var note *report.Note
			if errors.Is(err, context.Canceled) || isQuiet(cmd) && errors.As(err, &note) { // a signal is reported once
				return
			}
			fmt.Fprintln(cmd.ErrOrStderr(), "tracec: "+sentence(err))
		},
	}
}
