package tracec

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"

	"github.com/tracec/tracec/compiler/filter"
	"github.com/tracec/tracec/internal/selection"
	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/runtime/aix"
	"github.com/tracec/tracec/runtime/ctf"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/lttng"
	"github.com/tracec/tracec/runtime/perf"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// Reader reads the selected events of a recording. It is for one goroutine. Most programs need
// [Recording.Events] alone. The packages of export read through a Reader: it has all types before
// the first event, and renders events on several goroutines in the order of time.
type Reader struct {
	rec           record.Recording
	source        source
	records       record.Options
	chosen        chooser   // the selected events
	call          *Event    // the event of Call
	passing       *subjects // the state of Passes
	wanted, after []uint32  // the cached result of ids
	asked         bool
	err           error
}

// A source adapts one kind of container to a Reader.
type source interface {
	// names calls yield for all events that the recording describes, until yield returns false.
	// alias is another name and may be empty.
	names(yield func(system, name, alias string) bool)
	// described calls yield for the described types whose names match, until yield returns false.
	described(match func(system, name, alias string) bool, yield func(*Type) bool)
	// ids returns the ids of all records that may be selected, and perhaps others. Nil means all.
	// Records with an id in after matter only directly after a record with one of ids.
	ids(chosen *chooser) (ids, after []uint32)
	// typeFor returns the type of a record that another reader has read, with its entry.
	typeFor(r *record.Record, entry any) *Type
	// commOf returns the name of the thread of such a record.
	commOf(r *record.Record, entry any) string
	// kinds returns the results of Reader.Labels and Reader.Exits.
	kinds() (labels, exits bool)
	// open begins to walk through the selected events. There is one walk at a time.
	open(o record.Options, chosen *chooser) walker
	// prepare prepares ev for events of walks. Any goroutine may call it, and use its event.
	prepare(ev *Event)
	// entries returns an empty list for copies of Event.Entry. It returns nil if there are no
	// entries.
	entries() entries
	// successive reports whether texts depend on earlier events. Texts are then rendered while the
	// walk is at their event.
	successive() bool
}

// Reader returns a reader of the selected events. It is for callers that need more than the loop of
// [Recording.Events]: all types before the first event, several goroutines, the packages of export.
func (r *Recording) Reader(ctx context.Context, opts ...Option) (*Reader, error) {
	o, err := newOptions(opts)
	if err != nil {
		return nil, err
	}
	if o, err = o.of(ctx, r); err != nil {
		return nil, err
	}
	return newReader(r.Recording, o)
}

// NewReader returns a Reader of a recording that [Open] or a container has opened. The recording
// must stay open while the Reader is in use.
//
// NewReader returns an error if the type of rec is unknown, if a pattern of [WithEvents] is invalid
// or matches nothing that the recording or a template describes, or if another option is wrong. A
// *[filter.SyntaxError] of package grammar/filter holds the position in a filter.
func NewReader(rec record.Recording, opts ...Option) (*Reader, error) {
	o, err := newOptions(opts)
	if err != nil {
		return nil, err
	}
	r, ok := rec.(*Recording)
	if !ok {
		if r, err = opened(rec, o); err != nil {
			return nil, err
		}
	}
	ctx := o.records.Context
	if ctx == nil {
		ctx = context.Background()
	}
	if o, err = o.of(ctx, r); err != nil {
		return nil, err
	}
	return newReader(r.Recording, o)
}

// opened returns the Recording for rec, which a container has opened. Its contents are not known
// yet: unknown names are found when events are selected.
func opened(rec record.Recording, o *options) (*Recording, error) {
	src := sources.Of(rec)
	if src == nil {
		return nil, fmt.Errorf("unsupported recording type %T", rec)
	}
	c := &sources.Choice{Recording: rec, Catalog: selection.Unknown(rec.Name())}
	if o.Since != "" || o.Until != "" {
		c.Times = src.Times(rec)
	}
	job := &sources.Job{Path: rec.Name(), Recording: rec, Rereads: true}
	return &Recording{Recording: rec, source: src, job: job, choice: c}, nil
}

// newReader returns a reader of the recording of a container.
func newReader(rec record.Recording, o *options) (*Reader, error) {
	stacks := o.stacks && len(o.Events)+len(o.Filters) > 0
	r := &Reader{rec: rec, records: o.records, chosen: chooser{eager: o.eager, stacks: stacks}}
	if r.chosen.most = o.Limit; o.Limit <= 0 {
		r.chosen.most = math.MaxInt64
	}
	r.chosen.left = r.chosen.most
	var err error
	if r.chosen.filters, err = filter.Parse(o.Filters); err != nil {
		return nil, err
	}
	r.chosen.threads = o.tasks
	o.threads = o.threads || o.tasks != nil || asksComm(r.chosen.filters)
	switch rec := rec.(type) {
	case *ftrace.Recording:
		r.source, r.chosen.hold = newFtrace(rec, o), rec.HoldOnce
	case *aix.Recording:
		r.source, r.chosen.hold = newAIX(rec, o), rec.HoldOnce
	case *uftrace.Recording:
		r.source, r.chosen.hold = newUftrace(rec, o), rec.HoldOnce
	case *ctf.Recording:
		r.source, r.chosen.hold = newCTF(rec, o), rec.HoldOnce
	case *perf.Recording:
		r.source, r.chosen.hold = newPerf(rec, o), rec.HoldOnce
	case *lttng.Recording:
		r.source, r.chosen.hold = newLTTng(rec, o), rec.HoldOnce
	}
	if err := r.choose(rec.Name(), o.Events); err != nil {
		return nil, err
	}
	if err := r.filter(); err != nil {
		return nil, err
	}
	return r, nil
}

// open begins to walk through the selected events.
func (r *Reader) open() walker { return r.source.open(r.read(), &r.chosen) }

// read returns the options for the records that a walk reads.
func (r *Reader) read() record.Options {
	o := r.records
	r.chosen.left = r.chosen.most
	if ids, after := r.ids(); ids != nil && o.IDs == nil {
		o.IDs, o.After = ids, after
	}
	return o
}

// All returns an iterator over all selected events in time order. It drops a stream that fails, and
// Err reports that after the loop. Unreadable parts are in the recording's Damage.
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

// NewEvent returns an event for [Copies.All], which one goroutine may use at a time.
func (r *Reader) NewEvent() *Event {
	ev := new(Event)
	r.source.prepare(ev)
	return ev
}

// Err returns the joined errors of streams that All has read. It also returns an error if a filter
// takes more memory than the recording may use.
func (r *Reader) Err() error { return errors.Join(r.err, r.chosen.refused) }
