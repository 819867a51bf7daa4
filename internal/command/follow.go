package command

import (
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/runtime/record"
)

// followFlags are the flags of commands that follow a recording.
type followFlags struct {
	follow bool
	delay  time.Duration
}

func (f *followFlags) define(flags *pflag.FlagSet) {
	flags.BoolVar(&f.follow, "follow", false, "keep reading as the recording grows, until a signal")
	flags.DurationVar(&f.delay, "delay", record.DefaultDelay, "`TIME` with --follow: wait for other files")
	OnlyWith(flags, "delay", "follow")
}

// check rejects contradictory options.
func (f *followFlags) check() error {
	if f.delay <= 0 {
		return usagef("--delay %s: want a duration above 0, such as 100ms", f.delay)
	}
	return nil
}

// following calls do with a recording that is still being written. When a signal ends this, the
// data written so far are read. If another recording replaces the first, it is opened next, if the
// output can hold several.
func (f *followFlags) following(
	cmd *cobra.Command, path string, joins bool, do func(context.Context, *report.Job) error,
) error {
	until := cmd.Context()
	damaged := false
	for {
		job := NewJob(cmd, path)
		replaced := false
		job.Workers = 1 // printed text must be visible at once
		job.Follow = &record.Follow{Until: until, Delay: f.delay, Notify: func(err error) {
			replaced = replaced || errors.Is(err, record.ErrReplaced)
			job.Warn(err)
		}}
		err := job.Finish(do(context.WithoutCancel(until), job))
		if errors.Is(err, report.ErrDamaged) {
			damaged, err = true, nil
		}
		if err == nil && replaced && until.Err() == nil && joins {
			continue
		}
		if err == nil && damaged {
			err = report.ErrDamaged
		}
		if until.Err() == nil {
			return err
		}
		return concluded{err}
	}
}
