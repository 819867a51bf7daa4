package dynamic

import (
	"errors"
	"fmt"
	"iter"
	"math"

	"github.com/tracec/tracec/compiler/filter"
	"github.com/tracec/tracec/compiler/trcfmt"
	"github.com/tracec/tracec/runtime/aix"
	"github.com/tracec/tracec/runtime/aix/facts"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/lttng"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// Reader reads the events of a recording. It is for one goroutine.
type Reader struct {
	rec           record.Recording
	source        source
	records       record.Options
	chosen        chooser   // of the events
	call          *Event    // of Call
	passing       *subjects // of Passes
	wanted, after []uint32  // the cached result of ids
	asked         bool
	err           error
}

// A source adapts one kind of container to a Reader.
type source interface {
	// names calls yield for all events that the recording describes, by system, name and another
	// name that may be empty, until that returns false.
	names(yield func(system, name, alias string) bool)
	// described calls yield for the types that the recording describes under names that match,
	// until that returns false.
	described(match func(system, name, alias string) bool, yield func(*Type) bool)
	// ids returns the ids of all records that may be selected, and perhaps others; nil is all.
	// Records with ids of after matter only directly after one of ids.
	ids(chosen *chooser) (ids, after []uint32)
	// typeFor returns the type of a record that another reader has read, with its entry.
	typeFor(r *record.Record, entry any) *Type
	// commOf returns the name of its thread.
	commOf(r *record.Record, entry any) string
	// kinds returns the results of Reader.Labels and Reader.Exits.
	kinds() (labels, exits bool)
	// open begins to walk through the selected events. There is one walk at a time.
	open(o record.Options, chosen *chooser) walker
	// prepare has ev take events of walks. Any goroutine may call it, and use its event.
	prepare(ev *Event)
	// entries returns an empty list for the targets of Event.Entry, or nil without entries.
	entries() entries
	// successive reports whether texts depend on earlier events. Texts are then rendered while the
	// walk is at their event.
	successive() bool
}

// An Option configures a Reader.
type Option func(*options)

type options struct {
	templates *trcfmt.Result
	layouts   []aix.Layout
	records   record.Options
	events    []string
	filters   []string
	facts     *facts.Facts
	threads   bool
	tasks     *ofThreads
	stacks    bool
	limit     int64
	eager     bool
}

// WithTemplates sets the templates of an AIX recording, which does not hold its own. Built-in
// templates describe the hooks of the trace facility and others that t lacks. Hooks without a
// template have no fields.
func WithTemplates(t *trcfmt.Result) Option { return func(o *options) { o.templates = t } }

// WithLayouts sets the places of processes, processors and system calls in hooks of an AIX
// recording, which are not published. Texts that need them, Event.Process and Event.Comm use these
// places.
func WithLayouts(list ...aix.Layout) Option { return func(o *options) { o.layouts = list } }

// WithRecords chooses which records are read: processors, threads, a window of time. Its context
// ends All.
func WithRecords(o record.Options) Option { return func(opts *options) { opts.records = o } }

// WithEvents selects the events that All yields: events that match one of the patterns, as with
// tracec report -e. A pattern is a glob for a name, such as sys_enter_*, or for system and name,
// such as sched:*. Labels of AIX hooks and simple names of functions count as names. All other
// events are skipped.
func WithEvents(patterns ...string) Option {
	return func(o *options) { o.events = append(o.events, patterns...) }
}

// WithStacks also yields the stacks after the events that patterns of WithEvents or filters select.
// Such stacks exist in ftrace.
func WithStacks() Option { return func(o *options) { o.stacks = true } }

// WithLimit ends each walk after that many events, and reads no further. 0 is unlimited.
func WithLimit(events int64) Option { return func(o *options) { o.limit = events } }

// NewReader returns a Reader of rec, which must stay open while the Reader is in use. It returns an
// error if the type of rec is unknown, if a pattern of WithEvents is invalid or matches nothing
// that the recording or a template describes, or if a filter is wrong. A *[filter.SyntaxError] of
// package grammar/filter holds the position.
func NewReader(rec record.Recording, opts ...Option) (*Reader, error) {
	var o options
	for _, set := range opts {
		set(&o)
	}
	if w, ok := rec.(interface{ Unwrap() record.Recording }); ok { // of tracec.Open
		rec = w.Unwrap()
	}
	r := &Reader{rec: rec, records: o.records, chosen: chooser{eager: o.eager, stacks: o.stacks && len(o.events)+len(o.filters) > 0}}
	if r.chosen.most = o.limit; o.limit <= 0 {
		r.chosen.most = math.MaxInt64
	}
	r.chosen.left = r.chosen.most
	var err error
	if r.chosen.filters, err = filter.Parse(o.filters); err != nil {
		return nil, err
	}
	r.chosen.threads = o.tasks
	o.threads = o.threads || o.tasks != nil || asksComm(r.chosen.filters)
	switch rec := rec.(type) {
	case *ftrace.Recording:
		r.source, r.chosen.hold = newFtrace(rec, &o), rec.HoldOnce
	case *aix.Recording:
		r.source, r.chosen.hold = newAIX(rec, &o), rec.HoldOnce
	case *uftrace.Recording:
		r.source, r.chosen.hold = newUftrace(rec, &o), rec.HoldOnce
	case *lttng.Recording:
		r.source, r.chosen.hold = newLTTng(rec, &o), rec.HoldOnce
	default:
		return nil, fmt.Errorf("dynamic: unsupported recording type %T", rec)
	}
	if err := r.choose(rec.Name(), o.events); err != nil {
		return nil, err
	}
	if err := r.filter(); err != nil {
		return nil, err
	}
	return r, nil
}

// open begins to walk through the selected events.
func (r *Reader) open() walker {
	o := r.records
	r.chosen.left = r.chosen.most
	if ids, after := r.ids(); ids != nil && o.IDs == nil {
		o.IDs, o.After = ids, after
	}
	return r.source.open(o, &r.chosen)
}

// All returns an iterator over all events in time order. It drops a stream that fails, and Err
// reports that after the loop. Unreadable parts are in the recording's Damage.
func (r *Reader) All() iter.Seq[*Event] {
	return func(yield func(*Event) bool) {
		w := r.open()
		defer func() {
			w.close()
			r.err = errors.Join(r.err, w.err())
		}()
		w.all(r.NewEvent(), yield)
	}
}

// NewEvent returns an event for [Events.All], which one goroutine may use at a time.
func (r *Reader) NewEvent() *Event {
	ev := new(Event)
	r.source.prepare(ev)
	return ev
}

// Err returns the errors of streams that All has met, joined. It also returns an error if a filter
// takes more memory than the recording may use.
func (r *Reader) Err() error { return errors.Join(r.err, r.chosen.refused) }
