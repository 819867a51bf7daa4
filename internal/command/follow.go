package command

import (
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/runtime/record"
)

// following does something with a recording that is still being written, until a signal ends it: what has been written then is read. A recording that takes
// the place of one is opened in turn.
func following(cmd *cobra.Command, path string, delay time.Duration, do func(context.Context, *report.Job) error) error {
	until := cmd.Context()
	damaged := false
	for {
		job := newJob(cmd, path)
		replaced := false
		job.Workers = 1 // what is printed is to be seen at once
		job.Follow = &record.Follow{Until: until, Delay: delay, Notify: func(err error) {
			replaced = replaced || errors.Is(err, record.ErrReplaced)
			job.Warn(err)
		}}
		err := job.Finish(do(context.WithoutCancel(until), job))
		if errors.Is(err, report.ErrDamaged) {
			damaged, err = true, nil
		}
		if err == nil && replaced && until.Err() == nil {
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
