package tracec

import (
	"context"
	"errors"
	"iter"

	"github.com/tracec/tracec/compiler/dynamic"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/runtime/record"
)

// Option is an option of [Recording.Events].
type Option func(*selection)

type selection struct {
	report.Options
	read []dynamic.Option
	cpus string
}

// WithEvents selects events by name: a glob such as sys_enter_*, or one for system and name such
// as sched:*. Labels of AIX hooks and simple names of functions count as names. Several patterns,
// or a list with commas, select what any of them matches.
func WithEvents(patterns ...string) Option {
	return func(s *selection) { s.Events = append(s.Events, patterns...) }
}

// WithFilter selects events by the values of their fields, in the language of trace-cmd report -F:
// sched_switch: prev_prio < 100 && next_comm ~ "bash*". Of several filters an event must pass one
// of those that speak of it.
func WithFilter(filters ...string) Option {
	return func(s *selection) { s.Filters = append(s.Filters, filters...) }
}

// WithTasks selects the events of threads, by id or by name.
func WithTasks(tasks ...string) Option {
	return func(s *selection) { s.Tasks = append(s.Tasks, tasks...) }
}

// WithCPUs selects the events of processors: a list such as 0,3-5.
func WithCPUs(list string) Option {
	return func(s *selection) { s.cpus = list }
}

// WithWindow selects the events in a window of time. Each bound is as reports print it (12.5),
// after the first event (+0.5s), before the last one (-1s), or empty. An event at since is
// selected, one at until is not.
func WithWindow(since, until string) Option {
	return func(s *selection) { s.Since, s.Until = since, until }
}

// WithLimit ends the loop after that many events. 0 is no limit.
func WithLimit(events int64) Option {
	return func(s *selection) { s.Limit = events }
}

// WithThreads sets the names and processes of threads: see [dynamic.Event.Comm] and
// [dynamic.Event.Process]. They take a look at events that are not selected, too.
func WithThreads() Option {
	return func(s *selection) { s.read = append(s.read, dynamic.WithThreads()) }
}

// WithStacks selects the stacks of the selected events, too.
func WithStacks() Option {
	return func(s *selection) { s.read = append(s.read, dynamic.WithStacks()) }
}

// Events returns an iterator over the selected events, in the order of time. An event is nil where
// the error is not: an option makes no sense, a stream failed, or ctx is done. A
// *[record.DamageError] comes last, when parts of the recording could not be read; everything
// intact has come before it.
func (r *Recording) Events(ctx context.Context, opts ...Option) iter.Seq2[*Event, error] {
	return func(yield func(*Event, error) bool) {
		read, err := r.Reader(ctx, opts...)
		if err != nil {
			yield(nil, err)
			return
		}
		for ev := range read.All() {
			if !yield(ev, nil) {
				return
			}
		}
		err = read.Err()
		if ctx.Err() != nil { // how far was read ahead is chance, and so is the damage met
			if !errors.Is(err, ctx.Err()) {
				err = errors.Join(err, ctx.Err())
			}
			yield(nil, err)
			return
		}
		if err != nil && !yield(nil, err) {
			return
		}
		if err := record.Damaged(r); err != nil {
			yield(nil, err)
		}
	}
}

// Reader returns a reader of the selected events for the packages of export, which write them in
// the formats of other tools. It is for one goroutine.
func (r *Recording) Reader(ctx context.Context, opts ...Option) (*dynamic.Reader, error) {
	var s selection
	for _, set := range opts {
		set(&s)
	}
	if s.cpus != "" {
		var err error
		if s.CPUs, err = selection.ParseCPUs(s.cpus); err != nil {
			return nil, err
		}
	}
	c, err := r.choice.Select(ctx, r.job, r.system, &s.Options)
	if err != nil {
		return nil, err
	}
	return c.Reader(record.Options{}, s.read...)
}
