package main

import (
	"io"
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
	m := newMeter(errOut, job.Path)
	job.Progress = m.update
	return m.end
}

// meter is a progress bar that counts from the beginning of the work and is shown later.
type meter struct {
	bar *progressbar.ProgressBar
	max int64
}

func newMeter(w io.Writer, name string) *meter {
	return &meter{max: -1, bar: progressbar.NewOptions64(-1, // a spinner, as long as nobody knows how much there is
		progressbar.OptionSetWriter(&late{w: w, from: time.Now().Add(patience)}),
		progressbar.OptionSetDescription(name),
		progressbar.OptionShowBytes(true),
		progressbar.OptionShowCount(),
		progressbar.OptionSetSpinnerChangeInterval(0), // it would draw from a goroutine of its own
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionClearOnFinish())}
}

// update draws done of total bytes; total 0 is unknown. A bar that cannot be drawn harms nobody.
func (m *meter) update(done, total int64) {
	if total > 0 && total != m.max {
		m.max = total
		m.bar.ChangeMax64(total)
	}
	if m.max > 0 {
		done = min(done, m.max-1) // the end is when it ends
	}
	m.bar.Set64(done)
}

func (m *meter) end() { m.bar.Finish() }

// late drops what is written before a time.
type late struct {
	w     io.Writer
	from  time.Time
	shown bool
}

func (l *late) Write(b []byte) (int, error) {
	if !l.shown && time.Now().Before(l.from) {
		return len(b), nil
	}
	l.shown = true
	return l.w.Write(b)
}
