package babeltrace

import (
	"context"
	"time"

	"github.com/tracec/tracec/internal/selection"
	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/runtime/ctf"
	"github.com/tracec/tracec/runtime/record"
)

// Count prints the numbers of messages of a recording, as sink.utils.counter does.
func Count(ctx context.Context, job *report.Job, o *CounterOptions, g *Graph) error {
	return withMessages(ctx, job, g, false, func(_ *ctf.Recording, senders []*sender) error {
		c := &counts{CounterOptions: *o, out: job.Out}
		if err := each(ctx, senders, func(_ *sender, m *message) error { return c.add(m.kind) }); err != nil {
			return err
		}
		return c.end()
	})
}

// Graph holds the options for the messages of a sink that prints more than events.
type Graph struct {
	Window Window
	Zone   *time.Location // of the bounds of the window; nil means time.Local
	Force  bool           // clocks of unknown origins are compared
}

// withMessages opens the recording of a job for its messages. old orders them as 2.0 does.
func withMessages(ctx context.Context, job *report.Job, g *Graph, old bool,
	do func(*ctf.Recording, []*sender) error) error {
	b, err := g.Window.bounds(ctx, job, &Times{Zone: g.Zone})
	if err != nil {
		return err
	}
	rec, err := sources.OpenCTF(ctx, &job.Job)
	if err != nil {
		return err
	}
	defer rec.Close()
	if err := checkClocks(rec, g.Force); err != nil {
		return err
	}
	if old {
		rec.OrderByUUID()
	}
	var senders []*sender
	for _, s := range rec.Streams(record.Options{}) {
		defer s.Close()
		senders = append(senders, newSender(s))
	}
	if err := g.trim(rec, senders, b); err != nil {
		return err
	}
	err = do(rec, senders)
	shown := !g.Window.limited()
	for _, s := range senders {
		if err == nil {
			err = s.err
		}
		shown = shown || s.trim.any
	}
	if !shown {
		job.Warn(selection.Nothing(rec.Name(), "event", windowOptions))
	}
	return report.Tell(job, rec, err)
}

// trim limits the messages of streams to the window.
func (g *Graph) trim(rec *ctf.Recording, senders []*sender, b bounds) error {
	if !g.Window.limited() {
		return nil
	}
	l := lines{rec: rec}
	if err := l.limit(b, g.Window.Overlap); err != nil {
		return err
	}
	for _, s := range senders {
		t := s.stream.File().Trace()
		for _, c := range t.Streams {
			if c.ID != s.stream.Class() {
				continue
			}
			if err := canTrim(t, c); err != nil {
				return err
			}
		}
		s.trim, s.queue = &trimmer{bounds: l.limits(t)}, nil
	}
	return nil
}
