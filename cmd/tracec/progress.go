package main

import (
	"io"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"

	"github.com/tracec/tracec/cmd/internal/report"
)

// patience is how long work may take before a progress bar appears. It is drawn anew every tick.
const (
	patience = time.Second
	tick     = 100 * time.Millisecond
)

// watch shows a progress bar on the terminal once the work takes longer than patience. It does so only when
// standard error is a terminal and the output goes elsewhere, so that the two do not mix.
func watch(cmd *cobra.Command, job *report.Job) (stop func()) {
	if !isFile(cmd.OutOrStdout()) { // a terminal, or a test
		return func() {}
	}
	return watchSilent(cmd, job)
}

// watchSilent is watch for work that prints nothing before its end. The terminal is clear when stop returns.
func watchSilent(cmd *cobra.Command, job *report.Job) (stop func()) {
	errOut, ok := report.TerminalFile(cmd.ErrOrStderr())
	if !ok {
		return func() {}
	}
	return follow(errOut, job.Path, job.Position)
}

// follow draws a bar until stop is called.
func follow(w io.Writer, name string, position func() (report.Stage, int64, int64)) (stop func()) {
	m := newMeter(w, name)
	ticker := time.NewTicker(tick)
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-ticker.C:
				m.update(position())
			case <-done:
				m.end()
				return
			}
		}
	}()
	return func() {
		ticker.Stop()
		close(done)
		<-ended
	}
}

// meter is a progress bar that counts from the beginning of the work and is shown later.
type meter struct {
	out   *late
	name  string
	bar   *progressbar.ProgressBar
	stage report.Stage
	max   int64
}

func newMeter(w io.Writer, name string) *meter {
	m := &meter{out: &late{w: w, from: time.Now().Add(patience)}, name: name}
	m.begin(report.Opening)
	return m
}

// begin begins to count a stage: the rate of one says nothing about the next.
func (m *meter) begin(s report.Stage) {
	name := m.name
	if s == report.Opening {
		name += ": opening"
	}
	m.stage, m.max = s, -1
	m.bar = progressbar.NewOptions64(-1, // a spinner, as long as nobody knows how much there is
		progressbar.OptionSetWriter(m.out),
		progressbar.OptionSetDescription(name),
		progressbar.OptionShowBytes(true),
		progressbar.OptionShowCount(),
		progressbar.OptionSetSpinnerChangeInterval(0), // it would draw from a goroutine of its own
		progressbar.OptionThrottle(tick),
		progressbar.OptionClearOnFinish())
}

// update draws done of total bytes; total 0 is unknown. A bar that cannot be drawn harms nobody.
func (m *meter) update(s report.Stage, done, total int64) {
	if s != m.stage {
		m.end()
		m.begin(s)
	}
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
