// Package babeltrace prints traces in the Common Trace Format as babeltrace2 does: one line for
// each event (docs/spec/ctf.md 7).
package babeltrace

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/internal/selection"
	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/runtime/ctf"
)

// System prints traces in the Common Trace Format.
func System() report.System {
	return report.System{Source: sources.CTF(), Report: printReport, List: list, Info: info, Stat: stat,
		Catalog: catalog, ForList: catalog}
}

// printReport is tracec report.
func printReport(ctx context.Context, job *report.Job, o *report.Options) error {
	o.InTurn(job)
	d := Default()
	rec, shown, err := printSelected(ctx, job, o, &d, &Window{}, unbounded, true)
	if rec == nil {
		return err
	}
	defer rec.Close()
	if !shown && err == nil && o.Chosen() != "" {
		job.Warn(job.Nothing(ctx, "event", &o.Options))
	}
	return report.Tell(job, rec, err)
}

// Run prints the recording of a job as babeltrace2 does. Clocks of unknown origins are compared
// only if force is set.
func Run(ctx context.Context, job *report.Job, o *Options, w *Window, force bool) error {
	b, err := w.bounds(ctx, job, &o.Times)
	if err != nil {
		return err
	}
	rec, shown, err := printSelected(ctx, job, b.selected(), o, w, b, force)
	if rec == nil {
		return err
	}
	defer rec.Close()
	if !shown && err == nil && w.limited() {
		job.Warn(selection.Nothing(rec.Name(), "event", windowOptions))
	}
	return report.Tell(job, rec, err)
}

// printSelected prints the selected events. The caller closes the recording. The recording is nil
// if it could not be opened, or if its clocks cannot be compared and force is not set.
func printSelected(ctx context.Context, job *report.Job, selected *report.Options, o *Options, w *Window, b bounds,
	force bool) (*ctf.Recording, bool, error) {
	opened, r, err := job.Events(ctx, selected)
	if err != nil {
		return nil, false, err
	}
	rec := opened.(*ctf.Recording)
	if o.Bare { // 2.0
		rec.OrderByUUID()
	}
	l := newLines(rec, o, job.Style)
	if err := checkClocks(rec, force); err != nil {
		rec.Close()
		return nil, false, err
	}
	if err := l.limit(b, w.Overlap); err != nil {
		rec.Close()
		return nil, false, err
	}
	shown, err := write(r, l, job)
	return rec, shown, err
}

// checkClocks returns an error if the times of clocks cannot be compared and force is not set.
func checkClocks(rec *ctf.Recording, force bool) error {
	if err := rec.Incomparable(); err != nil && !force {
		return fmt.Errorf("%s: %w; --clock-force-correlate compares them", rec.Name(), err)
	}
	return nil
}

// block holds the lines of consecutive events.
type block struct {
	text []byte
	// gap is the place in text where the first line lacks its distance from the previous line. If
	// gap is -1, no line has a distance.
	gap         int
	first, last uint64
	negative    bool // a time was negative
}

// write writes the lines of all events. shown reports whether there are any.
func write(r *tracec.Reader, l *lines, job *report.Job) (shown bool, err error) {
	workers := job.Parallel()
	printers := make([]*printer, workers+1)
	for i := range printers {
		printers[i] = l.newPrinter()
	}
	work := func(worker int, events iter.Seq[*tracec.Event], b block) (block, error) {
		p := printers[worker]
		p.clock.begin()
		text := b.text[:0]
		for e := range events {
			text = p.append(text, e)
		}
		return block{text, p.clock.gap, p.clock.first, p.clock.before, p.clock.negative}, nil
	}
	out := joiner{out: job.Out, clock: &printers[0].clock}
	negative := false
	err = tracec.Sliced(r, workers, work, func(b block) error {
		shown, negative = shown || len(b.text) > 0, negative || b.negative
		return out.write(&b)
	})
	if negative {
		job.Warn(errNegative)
	}
	l.tell(job)
	l.tellLosses(job)
	return shown, err
}

var errNegative = errors.New("times before the origin of the clock are printed in seconds")

// joiner writes blocks one after another.
type joiner struct {
	out    io.Writer
	clock  *clockText
	any    bool // a line had a time
	before uint64
	delta  []byte
}

func (j *joiner) write(b *block) error {
	if b.gap < 0 {
		_, err := j.out.Write(b.text)
		return err
	}
	if j.delta = j.delta[:0]; j.any {
		j.delta = j.clock.delta(j.delta, b.first-j.before)
	} else {
		j.delta = append(j.delta, j.clock.none()...)
	}
	j.any, j.before = true, b.last
	for _, part := range [...][]byte{b.text[:b.gap], j.delta, b.text[b.gap:]} {
		if _, err := j.out.Write(part); err != nil {
			return err
		}
	}
	return nil
}
