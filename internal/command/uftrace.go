package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tracec/tracec/internal/selection"
	"github.com/tracec/tracec/report"
	native "github.com/tracec/tracec/report/uftrace"
	"github.com/tracec/tracec/report/uftrace/color"
	"github.com/tracec/tracec/report/uftrace/values"
	"github.com/tracec/tracec/runtime/uftrace"
)

func newUftrace() *cobra.Command {
	u := &uftraceFlags{}
	cmd := &cobra.Command{
		Use:  "uftrace",
		Args: subcommand,
		RunE: briefly,
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
		cmd.AddCommand(&cobra.Command{
			Use:  d.name,
			Args: none("uftrace "+d.name, d.args),
			RunE: func(cmd *cobra.Command, args []string) error { return u.run(cmd, args, d.run) },
		})
	}
	return cmd
}

// uftraceCommand is one command of uftrace and the function that prints its output.
type uftraceCommand struct {
	name string
	args int
	run  func(context.Context, *uftraceCall) error
}

// uftraceCall is the input of a command.
type uftraceCall struct {
	*uftraceFlags
	job   *report.Job
	rec   *uftrace.Recording
	name  string // name of the recording, for headings
	style values.Style
	color *color.Palette // nil for no colours
	args  []string
	out   io.Writer
}

// run opens the recording and passes it to a command.
func (u *uftraceFlags) run(cmd *cobra.Command, args []string, do func(context.Context, *uftraceCall) error) error {
	path, err := u.dataPath()
	if err != nil {
		return err
	}
	if err := u.play.Functions.Check(); err != nil {
		return usagef("%w", err)
	}
	return Work(cmd, path, func(ctx context.Context, job *report.Job) error {
		defer watch(cmd, job)()
		return u.runJob(cmd, job, args, do)
	})
}

func (u *uftraceFlags) runJob(
	cmd *cobra.Command, job *report.Job, args []string, do func(context.Context, *uftraceCall) error,
) error {
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
	if call.style, err = styleOf(rec, u.opening.like); err != nil {
		return err
	}
	u.play.Functions.Name = call.style.Mangled(rec)
	if u.times.overruled != "" {
		call.job.Warn(errors.New(u.times.overruled))
	}
	doubts, err := u.play.Functions.Doubts(rec)
	if err != nil {
		return usageError(err)
	}
	for _, doubt := range doubts {
		call.job.Warn(errors.New(doubt))
	}
	_, terminal := report.TerminalFile(cmd.OutOrStdout())
	if u.terminal.color == "yes" || u.terminal.color == "" && terminal {
		call.color = color.New(report.MarkOf(cmd.OutOrStdout()))
	}
	out, closePager := u.pager(cmd.OutOrStdout())
	call.out = out
	err = report.Tell(call.job, rec, do(ctx, call))
	return errors.Join(err, closePager())
}

// share returns the memory for each of the compared recordings.
func (u *uftraceFlags) share(cmd *cobra.Command) int64 {
	if u.summary.Diff.Dir != "" {
		return memory(cmd) / 2
	}
	return memory(cmd)
}

func (u *uftraceFlags) open(
	ctx context.Context, job *report.Job, path string, memory int64,
) (*uftrace.Recording, error) {
	var opts []uftrace.Option
	if u.opening.symbols != "" {
		opts = append(opts, uftrace.WithSymbols(u.opening.symbols))
	}
	job.Opening.Demangle = u.opening.demangle
	return native.Open(ctx, job, path, memory, opts...)
}

// dataPath returns the recording that uftrace would read (uftrace.md 2).
func (u *uftraceFlags) dataPath() (string, error) {
	if u.opening.data != "" {
		return u.opening.data, nil
	}
	for _, c := range [][2]string{{"uftrace.data", ""}, {".", "/info"}, {"ftrace.dir", ""}} {
		if _, err := os.Stat(c[0] + c[1]); err == nil {
			return c[0], nil
		}
	}
	return "", errors.New("no recording uftrace.data in this directory; name one with -d")
}

// styleOf returns the version of uftrace for the output: the requested version, or the version of
// the recorder.
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

// choosing lists the options that select data.
var choosing = []string{
	"filter", "notrace", "caller-filter", "hide", "loc-filter", "trigger", "depth", "time-filter", "size-filter",
	"time-range", "tid",
	"disable", "trace", "kernel-only",
}

// noteNothing reports that options selected data but nothing was shown. err is the error of the
// work.
func (c *uftraceCall) noteNothing(shown bool, err error) error {
	var given []string
	for _, name := range choosing {
		if c.words.set.Changed(name) {
			given = append(given, "--"+name)
		}
	}
	if c.times.recorded != "" {
		given = append(given, "-t "+c.times.recorded+" of default.opts")
	}
	if !shown && err == nil && len(given) > 0 {
		c.job.Warn(selection.Nothing(c.name, "call", strings.Join(given, " ")))
	}
	return err
}
