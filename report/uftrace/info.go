package uftrace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/facts"
	"github.com/tracec/tracec/report/uftrace/about"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// info implements tracec info: the output of uftrace info, and results of reading all records.
func info(ctx context.Context, job *report.Job) (*facts.Info, error) {
	rec, err := open(ctx, job)
	if err != nil {
		return nil, err
	}
	defer rec.Close()
	in := rec.Info()
	style, _ := StyleOf(in.Recorder)
	var text bytes.Buffer
	if err := about.Run(ctx, rec, about.Options{Style: style}, &text); err != nil {
		return nil, report.Tell(job, rec, err)
	}
	f := facts.NewInfo(fmt.Sprintf("directory of uftrace, version %d", in.Version), rec)
	f.Kernel, f.Recorder, f.Described = in.Kernel, in.Recorder, int64(len(rec.Symbols()))
	out := append(text.Bytes(), "# records\n# =======\n"...)
	for _, file := range files(rec, record.Options{}, nil) {
		c, err := count(ctx, file)
		if err != nil {
			f.Text, f.Recording = text.Bytes(), facts.Of(job.Path, "uftrace", rec)
			return f, report.Tell(job, rec, err)
		}
		out = c.appendTo(out, file.File())
		f.Add(c.stream(rec, file.File()))
	}
	f.Recording = facts.Of(job.Path, "uftrace", rec)
	f.Text = fmt.Appendf(out, "# %-20s: %d places, %d bytes left out\n", "damage", f.DamagePlaces, f.Skipped)
	return f, report.Tell(job, rec, nil)
}

// printInfo prints the facts for report --stat.
func printInfo(ctx context.Context, job *report.Job) error {
	f, err := info(ctx, job)
	if f == nil {
		return err
	}
	_, failed := job.Out.Write(f.Text)
	return errors.Join(failed, err)
}

// stream returns the facts about a file.
func (c *counts) stream(rec *uftrace.Recording, name string) facts.Stream {
	s := facts.Stream{
		File: name, Events: c.enter + c.leave + c.events, Calls: facts.Number(c.enter), Returns: facts.Number(c.leave),
		Lost: c.lost, LostUnknown: c.unknown, Gaps: c.gaps,
	}
	for _, t := range rec.Tasks() {
		if t.File == name {
			s.TID = facts.Number(t.TID)
		}
	}
	if s.Events > 0 {
		s.Span = facts.SpanOf(c.first, c.last, false)
	}
	return s
}

// counts holds the counts of a file.
type counts struct {
	enter, leave, events, gaps, lost int64
	unknown                          bool // the size of some gaps is unknown
	first, last                      uint64
}

// count counts the records of one file.
func count(ctx context.Context, f uftrace.Reader) (c counts, err error) {
	for {
		batch, err := f.Next()
		if err != nil {
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return c, err
		}
		for i, e := range batch.Entries {
			switch e.Kind {
			case uftrace.Enter:
				c.enter++
			case uftrace.Leave:
				c.leave++
			case uftrace.Event:
				c.events++
			case uftrace.Lost:
				c.gaps++
				c.lost += max(batch.Records[i].Lost, 0)
				c.unknown = c.unknown || batch.Records[i].Lost < 0
				continue // a record without a time
			}
			if c.first == 0 {
				c.first = batch.Records[i].Time
			}
			c.last = max(c.last, batch.Records[i].Time)
		}
		if err := ctx.Err(); err != nil {
			return c, err
		}
	}
}

func (c *counts) appendTo(out []byte, name string) []byte {
	out = fmt.Appendf(out, "# %-20s: %d calls, %d returns, %d events", name, c.enter, c.leave, c.events)
	if c.first != 0 {
		out = fmt.Appendf(out, ", %d.%09d .. %d.%09d", c.first/1e9, c.first%1e9, c.last/1e9, c.last%1e9)
	}
	if c.gaps > 0 {
		out = facts.AppendLost(append(out, ", "...), c.lost, c.unknown, c.gaps)
	}
	return append(out, '\n')
}
