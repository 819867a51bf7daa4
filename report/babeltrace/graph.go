package babeltrace

import (
	"context"

	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/runtime/ctf"
	"github.com/tracec/tracec/runtime/record"
)

// Count prints the numbers of messages of a recording, as sink.utils.counter does.
func Count(ctx context.Context, job *report.Job, o *CounterOptions, force bool) error {
	return withMessages(ctx, job, false, force, func(_ *ctf.Recording, senders []*sender) error {
		c := &counts{CounterOptions: *o, out: job.Out}
		if err := each(ctx, senders, func(_ *sender, m *message) error { return c.add(m.kind) }); err != nil {
			return err
		}
		return c.end()
	})
}

// withMessages opens the recording of a job for its messages. old orders them as 2.0 does.
func withMessages(ctx context.Context, job *report.Job, old, force bool,
	do func(*ctf.Recording, []*sender) error) error {
	rec, err := sources.OpenCTF(ctx, &job.Job)
	if err != nil {
		return err
	}
	defer rec.Close()
	if err := checkClocks(rec, force); err != nil {
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
	err = do(rec, senders)
	for _, s := range senders {
		if err == nil {
			err = s.err
		}
	}
	return report.Tell(job, rec, err)
}
