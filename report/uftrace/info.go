package uftrace

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/uftrace/about"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// printInfo is tracec info: what uftrace info prints, and what a walk over all records finds.
func printInfo(ctx context.Context, job *report.Job) error {
	rec, err := open(ctx, job)
	if err != nil {
		return err
	}
	defer rec.Close()
	style, _ := StyleOf(rec.Info().Recorder)
	if err := about.Run(ctx, rec, about.Options{Style: style}, job.Out); err != nil {
		return report.Tell(job, rec, err)
	}
	out := []byte("# records\n# =======\n")
	for _, f := range files(rec, record.Options{}, nil) {
		c, err := count(ctx, f)
		if err != nil {
			return report.Tell(job, rec, err)
		}
		out = c.appendTo(out, f.File())
	}
	stats := rec.DamageStats()
	out = fmt.Appendf(out, "# %-20s: %d places, %d bytes left out\n", "damage", stats.Count, stats.Skipped)
	_, err = job.Out.Write(out)
	return report.Tell(job, rec, err)
}

// counts are what is printed about a file.
type counts struct {
	enter, leave, events, gaps, lost int64
	unknown                          bool // how many are lost
	first, last                      uint64
}

// count walks one file.
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
				continue // without a time
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
		plus := ""
		if c.unknown {
			plus = "+"
		}
		out = fmt.Appendf(out, ", lost %d%s in %d gaps", c.lost, plus, c.gaps)
	}
	return append(out, '\n')
}
