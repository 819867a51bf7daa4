package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tracec/tracec/report"
	native "github.com/tracec/tracec/report/uftrace"
	"github.com/tracec/tracec/report/uftrace/color"
	"github.com/tracec/tracec/report/uftrace/values"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

const uftraceHelp = `The commands of uftrace that read recordings, with its own options. An alias makes it a replacement:

  alias uftrace='tracec uftrace'
  uftrace replay -t 1us -F main -d app.data

The recording may also be a .tar, .tar.gz, .tar.xz or .tar.zst archive of the directory.

Every command takes all options; those that concern another command do nothing. Options of uftrace record
are refused. Long options may be shortened.

Where it differs from uftrace:
  - a value that makes no sense is an error (exit code 2); uftrace warns and goes on without it
  - what uftrace ignores of filters and triggers (a word that is no action, a pattern that matches nothing) is named
    on standard error
  - conditions such as -F 'f@if:arg1<0' compare signed numbers, and no call whose argument was not recorded
    meets one; uftrace 0.19 takes an int of -1 for 4294967295 and a missing argument for 0
  - the text is that of the version that recorded, 0.13 for recordings up to 0.13 and 0.19 for later ones;
    --like takes another
  - --format=html is not there, nor are the commands script and tui
  - patterns are those of Go's regular expressions where POSIX and Go differ (leftmost-longest is kept)`

func newUftrace() *cobra.Command {
	u := &uftraceFlags{}
	cmd := &cobra.Command{
		Use:   "uftrace",
		Short: "Take the arguments of uftrace",
		Long:  uftraceHelp,
		Args:  subcommand,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	for name, instead := range map[string]string{
		"record": "record with uftrace, read with tracec",
		"live":   "record with uftrace, read with tracec uftrace replay",
		"recv":   "receive with uftrace, read with tracec",
		"script": "tracec export --to ndjson DIR",
		"tui":    "tracec view DIR",
	} {
		cmd.AddCommand(&cobra.Command{
			Use: name, Hidden: true, DisableFlagParsing: true,
			RunE: func(*cobra.Command, []string) error { return usagef("uftrace %s: not here\n  %s", name, instead) },
		})
	}
	u.define(cmd.PersistentFlags())
	nativeResources(cmd.PersistentFlags())
	cmd.SetGlobalNormalizationFunc(u.abbreviate)
	for _, d := range uftraceSubcommands {
		command := &cobra.Command{
			Use:   d.use,
			Short: d.short,
			Long:  d.long,
			Args:  none("uftrace "+strings.Fields(d.use)[0], d.args),
			RunE:  func(cmd *cobra.Command, args []string) error { return u.run(cmd, args, d.run) },
		}
		command.SetUsageFunc(u.usage)
		cmd.AddCommand(command)
	}
	return cmd
}

// uftraceCommand is one command: what it prints, and how.
type uftraceCommand struct {
	use, short, long string
	args             int
	run              func(context.Context, *uftraceCall) error
}

// uftraceCall is what a command works on.
type uftraceCall struct {
	*uftraceFlags
	job   *report.Job
	rec   *uftrace.Recording
	name  string // of the recording, for headings
	style values.Style
	color *color.Palette // nil: none
	args  []string
	out   io.Writer
}

// run opens the recording and hands it to a command.
func (u *uftraceFlags) run(cmd *cobra.Command, args []string, do func(context.Context, *uftraceCall) error) error {
	path, err := u.dataPath()
	if err != nil {
		return err
	}
	return work(cmd, path, func(ctx context.Context, job *report.Job) error {
		defer watch(cmd, job)()
		return u.runJob(cmd, job, args, do)
	})
}

func (u *uftraceFlags) runJob(cmd *cobra.Command, job *report.Job, args []string, do func(context.Context, *uftraceCall) error) error {
	ctx, path := cmd.Context(), job.Path
	rec, err := u.open(ctx, job, path, u.share(cmd))
	if err != nil {
		return err
	}
	defer rec.Close()
	call := &uftraceCall{uftraceFlags: u, job: job, rec: rec, name: path, args: args}
	if err := u.addDefaults(rec.DefaultOptions()); err != nil {
		call.job.Warn(fmt.Errorf("%s/default.opts: %w", path, err))
	}
	if call.style, err = styleOf(rec, u.like); err != nil {
		return err
	}
	for _, doubt := range callstack.Doubts(rec, &u.play) {
		call.job.Warn(errors.New(doubt))
	}
	_, terminal := report.TerminalFile(cmd.OutOrStdout())
	if u.when == "yes" || u.when == "" && terminal {
		call.color = color.New(report.MarkOf(cmd.OutOrStdout()))
	}
	out, closePager := u.pager(cmd.OutOrStdout())
	call.out = out
	err = report.Tell(call.job, rec, do(ctx, call))
	return errors.Join(err, closePager())
}

// share returns the memory for one of the recordings that are compared.
func (u *uftraceFlags) share(cmd *cobra.Command) int64 {
	if u.diff != "" {
		return memory(cmd) / 2
	}
	return memory(cmd)
}

func (u *uftraceFlags) open(ctx context.Context, job *report.Job, path string, memory int64) (*uftrace.Recording, error) {
	var opts []uftrace.Option
	if u.symbols != "" {
		opts = append(opts, uftrace.WithSymbols(u.symbols))
	}
	job.Opening.Demangle = u.form
	return native.Open(ctx, job, path, memory, opts...)
}

// dataPath returns the recording that uftrace would read (uftrace.md 2).
func (u *uftraceFlags) dataPath() (string, error) {
	if u.data != "" {
		return u.data, nil
	}
	for _, c := range [][2]string{{"uftrace.data", ""}, {".", "/info"}, {"ftrace.dir", ""}} {
		if _, err := os.Stat(c[0] + c[1]); err == nil {
			return c[0], nil
		}
	}
	return "", errors.New("uftrace.data: no recording here, and none is given by -d")
}

// styleOf returns the version whose text is printed: the one asked for, else that of the recorder.
func styleOf(rec *uftrace.Recording, like string) (values.Style, error) {
	if like != "" {
		style, ok := native.StyleOf(like)
		if !ok {
			return style, usagef("--like: %q is not a version such as 0.13 or 0.19", like)
		}
		return style, nil
	}
	style, _ := native.StyleOf(rec.Info().Recorder)
	return style, nil
}

// choosing are the options that choose what is shown.
var choosing = []string{
	"filter", "notrace", "caller-filter", "hide", "loc-filter", "trigger", "depth", "time-filter", "size-filter", "time-range", "tid",
	"disable", "trace", "kernel-only",
}

// noteNothing reports that options chose and nothing was shown; err is that of the work.
func (c *uftraceCall) noteNothing(shown bool, err error) error {
	var given []string
	for _, name := range choosing {
		if c.set.Changed(name) {
			given = append(given, "--"+name)
		}
	}
	if c.defaultTime != "" {
		given = append(given, "-t "+c.defaultTime+" of default.opts")
	}
	if !shown && err == nil && len(given) > 0 {
		c.job.Warn(report.Nothing(c.name, "call", strings.Join(given, " ")))
	}
	return err
}
