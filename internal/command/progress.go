package command

import (
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/rivo/uniseg"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/report"
)

// patience is the time after which a progress bar appears. The bar is redrawn every tick.
const (
	patience = time.Second
	tick     = 100 * time.Millisecond
)

// watch shows a progress bar on the terminal once the work takes longer than patience. It does so
// only if standard error is a terminal and the output is a file, so that the two do not mix. A pipe
// may lead to a pager.
func watch(cmd *cobra.Command, job *report.Job) (stop func()) {
	if !isFile(cmd.OutOrStdout()) { // a terminal, a pipe, or a test
		return func() {}
	}
	return WatchSilent(cmd, job)
}

// WatchSilent is watch for work that prints nothing while the bar is shown. The bar is removed when
// stop returns. Messages of the command appear above the bar.
func WatchSilent(cmd *cobra.Command, job *report.Job) (stop func()) {
	messages := cmd.ErrOrStderr()
	errOut, ok := report.TerminalFile(messages)
	if !ok || quiet(cmd) || os.Getenv("TERM") == "dumb" {
		return func() {}
	}
	l := &line{w: errOut, messages: messages, from: time.Now().Add(patience), columns: func() int {
		columns, _, err := term.GetSize(int(errOut.Fd()))
		if err != nil {
			return 0
		}
		return columns
	}}
	cmd.SetErr(l)
	end := sync.OnceFunc(follow(l, job.Path, job.Position))
	out := job.Out
	if !isFile(out) {
		job.Out = &printed{out, end}
	}
	return func() {
		end()
		cmd.SetErr(messages)
		job.Out = out
	}
}

// printed is an output that removes the bar before the first write.
type printed struct {
	io.Writer
	end func()
}

func (p *printed) Write(b []byte) (int, error) {
	p.end()
	return p.Writer.Write(b)
}

// follow draws a bar until stop is called.
func follow(l *line, name string, position func() (sources.Stage, int64, int64)) (stop func()) {
	m := newMeter(l, name)
	ticker := time.NewTicker(tick)
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-ticker.C:
				m.update(position())
			case <-done:
				l.clear()
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

// line is a text in the last line of a terminal. It is never wider than the terminal, because
// wrapped text cannot be erased. It changes in one write. Messages written to it appear above it.
type line struct {
	w        io.Writer
	messages io.Writer
	from     time.Time
	columns  func() int // width of the terminal, 0 if unknown

	mu    sync.Mutex
	shown int // number of columns in use
}

func (l *line) width() int {
	if n := l.columns(); n > 0 {
		return n
	}
	return 80
}

// draw replaces the shown text.
func (l *line) draw(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if text == "" || time.Now().Before(l.from) {
		return
	}
	used, room := 0, l.width()-1 // text in the last column would wrap on some terminals
	for rest, state := text, -1; rest != ""; {
		_, next, n, after := uniseg.FirstGraphemeClusterInString(rest, state)
		if used+n > room {
			text = text[:len(text)-len(rest)]
			break
		}
		used, rest, state = used+n, next, after
	}
	io.WriteString(l.w, "\r"+text+l.blank(used))
	l.shown = used
}

// blank returns blanks for the shown text after the first columns, as far as it is still on the
// terminal.
func (l *line) blank(from int) string {
	return strings.Repeat(" ", max(0, min(l.shown, l.width()-1)-from))
}

func (l *line) clear() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.wipe()
}

func (l *line) wipe() {
	if l.shown > 0 {
		io.WriteString(l.w, "\r"+l.blank(0)+"\r")
	}
	l.shown = 0
}

// Write implements io.Writer.
func (l *line) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.wipe()
	return l.messages.Write(p)
}
