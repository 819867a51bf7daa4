package tracec

import (
	"context"

	"github.com/tracec/tracec/compiler/trcfmt"
	"github.com/tracec/tracec/internal/selection"
	"github.com/tracec/tracec/runtime/aix"
	"github.com/tracec/tracec/runtime/aix/facts"
	"github.com/tracec/tracec/runtime/record"
)

// Option selects events: an option of [Recording.Events], [Recording.Reader] and [NewReader].
type Option func(*options)

type options struct {
	selection.Options
	cpus      string
	records   record.Options
	templates *trcfmt.Result
	layouts   []aix.Layout
	facts     *facts.Facts
	tasks     *ofThreads // set if the names are only in events
	threads   bool
	stacks    bool
	eager     bool
}

func newOptions(opts []Option) (*options, error) {
	var o options
	for _, set := range opts {
		set(&o)
	}
	if o.cpus == "" {
		return &o, nil
	}
	var err error
	o.CPUs, err = selection.ParseCPUs(o.cpus)
	return &o, err
}

// WithEvents selects events by name: a glob such as sys_enter_*, or one for system and name such as
// sched:*. Labels of AIX hooks and simple names of functions count as names. Several patterns, or a
// list with commas, select the events that match any of them.
func WithEvents(patterns ...string) Option {
	return func(o *options) { o.Events = append(o.Events, patterns...) }
}

// WithFilter selects events by the values of their fields, in the language of trace-cmd report -F:
//
//	sched_switch: prev_prio < 100 && next_comm ~ "bash*"
//
// If several filters name the type of an event, it must pass one of them. Names of events are
// regular expressions for SYSTEM/NAME, for the system or for the name. Package grammar/filter
// describes the language, and compiler/filter defines its meaning for events of all systems.
func WithFilter(filters ...string) Option {
	return func(o *options) { o.Filters = append(o.Filters, filters...) }
}

// WithTasks selects the events of threads, by their ids, or by their names at the time of the
// event. If a name is only in events, the reader follows names as with [WithThreads].
func WithTasks(tasks ...string) Option {
	return func(o *options) { o.Tasks = append(o.Tasks, tasks...) }
}

// WithCPUs selects the events of processors: a list such as 0,3-5.
func WithCPUs(list string) Option {
	return func(o *options) { o.cpus = list }
}

// WithWindow selects the events in a window of time. A bound is a time as reports print it (12.5),
// a time after the first event or before the last one with a unit (+20ms, -1s), or empty. since is
// inclusive, until is exclusive. [Reader.Records] has the window in the units of Record.Time.
func WithWindow(since, until string) Option {
	return func(o *options) { o.Since, o.Until = since, until }
}

// WithLimit ends each loop after that many events, and reads no further. 0 means no limit.
func WithLimit(events int64) Option {
	return func(o *options) { o.Limit = events }
}

// WithThreads follows the names and processes of threads, for [Event.Comm] and [Event.Process].
// Some recordings must be read completely for that.
func WithThreads() Option { return func(o *options) { o.threads = true } }

// WithStacks also selects the stacks after the events that WithEvents or WithFilter select. Such
// stacks exist in ftrace.
func WithStacks() Option { return func(o *options) { o.stacks = true } }

// WithRecords also limits which records are read: processors, threads, a window of time in the
// units of [record.Record]. Its context ends the reading.
func WithRecords(r record.Options) Option { return func(o *options) { o.records = r } }

// WithoutDelay is for a recording that arrives through a pipe while it is written. A block of
// [Ordered] then ends where the next read may wait for the writer, as in a growing recording.
func WithoutDelay() Option { return func(o *options) { o.eager = true } }

// WithHooks sets the templates and layouts of an AIX recording that was opened with package aix.
// For other recordings see [WithTemplates] and [WithLayouts]. templates may be nil. Built-in
// templates describe the hooks of the trace facility, and all hooks that templates lack. Hooks
// without a template have no fields.
func WithHooks(templates *trcfmt.Result, layouts ...aix.Layout) Option {
	return func(o *options) { o.templates, o.layouts = templates, layouts }
}

// WithFacts makes templates of AIX use f. The caller updates f for each record that it passes to a
// [Matcher]. It is for Matchers only.
func WithFacts(f *facts.Facts) Option { return func(o *options) { o.facts = f } }

// of returns the options for the records of a container, limited to the given choice.
func (o *options) of(ctx context.Context, r *Recording) (*options, error) {
	c, err := r.choice.Select(ctx, r.job, r.source, &o.Options)
	if err != nil {
		return nil, err
	}
	chosen := *o
	chosen.records = c.Within(o.records)
	chosen.Events, chosen.Filters, chosen.Limit, chosen.tasks = c.Events, c.Filters, c.Limit, ofThreadsNamed(c.Tasks)
	if o.templates == nil {
		chosen.templates, chosen.layouts = c.Templates, c.Layouts
	}
	return &chosen, nil
}
