package main

import (
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"

	"github.com/tracec/tracec/cmd/internal/report"
)

// patience is how long work may take before a progress bar appears.
const patience = time.Second

// watch shows a progress bar on the terminal once the work takes longer than patience. It does so only when
// standard error is a terminal and the output goes elsewhere, so that the two do not mix.
func watch(cmd *cobra.Command, job *report.Job) (stop func()) {
	errOut, ok := report.TerminalFile(cmd.ErrOrStderr())
	if !ok {
		return func() {}
	}
	if !isFile(cmd.OutOrStdout()) { // a terminal, or a test
		return func() {}
	}
	begin := time.Now()
	var bar *progressbar.ProgressBar
	job.Progress = func(done, total int64) {
		if bar == nil {
			if time.Since(begin) < patience {
				return
			}
			if total <= 0 {
				total = -1 // a spinner
			}
			bar = progressbar.NewOptions64(total,
				progressbar.OptionSetWriter(errOut),
				progressbar.OptionSetDescription(job.Path),
				progressbar.OptionShowBytes(true),
				progressbar.OptionThrottle(100*time.Millisecond),
				progressbar.OptionClearOnFinish())
		}
		if max := bar.GetMax64(); max > 0 {
			done = min(done, max-1) // headers of pages are not counted; the end is when it ends
		}
		bar.Set64(done) // a bar that cannot be drawn harms nobody
	}
	return func() {
		if bar != nil {
			bar.Finish()
		}
	}
}
