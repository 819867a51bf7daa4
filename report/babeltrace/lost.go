package babeltrace

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/runtime/ctf"
)

// lossError is a message about a loss. Babeltrace2 writes it without the name of the tool.
type lossError struct{ text string }

func (e *lossError) Error() string { return e.text }

// IsLoss reports whether an error is a message about lost events or packets. Its text is the line
// that babeltrace2 prints.
func IsLoss(err error) bool { return errors.As(err, new(*lossError)) }

// tellLosses prints the losses of a recording that was read (docs/spec/ctf.md 7.4).
func (l *lines) tellLosses(job *report.Job) {
	dir, err := filepath.Abs(job.Path)
	if err != nil || len(job.More) > 0 { // paths of files begin with a path of the command line
		dir = ""
	}
	times := l.opts.Times
	times.NoDelta, times.Cycles = true, false // babeltrace2 prints no cycles here
	clock := newClock(times, false)
	list, more := l.rec.Losses()
	for _, x := range list {
		if clip(&x, l.limits(x.File.Trace())) {
			job.Warn(&lossError{l.loss(&x, dir, &clock)})
		}
	}
	if more > 0 {
		job.Warn(fmt.Errorf("%s: %d more losses of events or packets are not listed", l.rec.Name(), more))
	}
}

// clip cuts a loss to bounds. The number of events lost inside is then unknown. It reports whether
// any of the loss is inside.
func clip(x *ctf.Loss, b bounds) bool {
	if !x.Timed {
		return true
	}
	if x.From < b.from || x.To > b.to {
		x.From, x.To, x.Count = max(x.From, b.from), min(x.To, b.to), 0
	}
	return x.From <= x.To
}

func (l *lines) loss(x *ctf.Loss, dir string, clock *clockText) string {
	what := "event"
	if x.Packets {
		what = "packet"
	}
	if x.Count != 1 {
		what += "s"
	}
	lost := fmt.Sprintf("discarded %d", x.Count)
	if x.Count == 0 {
		lost = "may have discarded"
	}
	when := "(unknown time range)"
	if x.Timed {
		from := strings.TrimSpace(string(clock.append(nil, x.From, uint64(l.opts.Times.Offset), 0)))
		to := strings.TrimSpace(string(clock.append(nil, x.To, uint64(l.opts.Times.Offset), 0)))
		when = "between " + from + " and " + to
	}
	word, t := "UID", x.File.Trace()
	if l.opts.Bare { // 2.0
		word = "UUID"
	}
	id := "no " + word
	if t.UUID != "" {
		id = word + ": " + t.UUID
	}
	return fmt.Sprintf("WARNING: Tracer %s %s %s in trace %q (%s) within stream %q (stream class ID: %d, stream ID: %d).",
		lost, what, when, l.rec.TraceName(t), id, streamName(dir, x.File), x.Class, x.Stream)
}

// streamName returns the name of a stream: the whole path of its first file. dir is the directory
// of the recording, or empty.
func streamName(dir string, f *ctf.File) string {
	name := filepath.Join(dir, filepath.FromSlash(f.Path))
	if whole, err := filepath.Abs(name); err == nil {
		return whole
	}
	return name
}
