// Package report holds the parts of printing that all systems share: the
// options of tracec report, statistics, and messages about damage.
//
// A [System] prints one kind of recording. A separate package prints its
// text: tracecmd, trcrpt, uftrace or textdump. Programs that read events should
// use package tracec at the root of the module.
package report

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/tracec/tracec/internal/selection"
	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/report/facts"
	"github.com/tracec/tracec/report/style"
)

// System prints the recordings of one system in the format of that system's tool.
type System struct {
	*sources.Source
	// Report prints a recording that Detect recognised. ErrDamaged means that all intact events
	// were printed.
	Report func(context.Context, *Job, *Options) error
	// List passes the described events to ListOptions.Each. ErrDamaged means that all intact events
	// were passed.
	List func(context.Context, *Job, *ListOptions) error
	// Info reads the whole recording. With an error it returns the results up to there.
	Info func(context.Context, *Job) (*facts.Info, error)
	// Stat counts events. With ErrDamaged it returns the counts of the intact part.
	Stat func(context.Context, *Job, *Options) (*Stat, error)
	// Catalog returns the catalog for Report and Stat. ForList returns the catalog for List.
	Catalog func(context.Context, *Job) (*selection.Catalog, error)
	ForList func(context.Context, *Job) (*selection.Catalog, error)
}

// Job is a recording and the destination of the output.
type Job struct {
	sources.Job
	Out io.Writer
	// Style has the colours of Out. Reports colour only the names of events.
	Style style.Style
	// AllDamage reports all known damaged places instead of the first few.
	AllDamage bool
}

// Options are the options of tracec report. The zero value prints everything.
type Options struct {
	selection.Options
	Raw   bool // print fields instead of texts
	Plain bool // use the texts of the descriptions, not of plugins
	Stat  bool // statistics of the buffers instead of events
}

// InTurn limits a job with a limit to one worker: it does not read past the last event.
func (o *Options) InTurn(job *Job) {
	if o.Limit > 0 {
		job.Workers = 1
	}
}

// Settle is [sources.Job.Settle] for options of a report.
func (j *Job) Settle(ctx context.Context, src *sources.Source, o *Options) (*Options, error) {
	chosen, err := j.Job.Settle(ctx, src, &o.Options)
	if err != nil {
		return nil, err
	}
	settled := *o
	settled.Options = *chosen
	return &settled, nil
}

// ListOptions are the options of tracec list.
type ListOptions struct {
	Events []string // globs, as in Options
	Fields bool     // also the fields of every event
	// Each receives the events, until it returns an error. ErrEnough stops the list without an
	// error.
	Each func(*facts.Event) error
}

// ErrEnough stops an operation without an error.
var ErrEnough = errors.New("enough")

// All passes events on.
func (o *ListOptions) All(events []*facts.Event) error {
	for _, e := range events {
		if err := o.Each(e); err != nil {
			return err
		}
	}
	return nil
}

// UsageError is an invalid option, for this kind of recording or for all.
type UsageError = selection.UsageError

// Usagef returns a UsageError with a formatted message.
func Usagef(format string, args ...any) error { return &UsageError{Err: fmt.Errorf(format, args...)} }

// ErrDamaged reports that parts of a recording were unreadable and skipped, or that a stream ended
// early. Job.Warn has received the details.
var ErrDamaged = sources.ErrDamaged
