package bind

import (
	"errors"
	"fmt"

	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
)

// Decoder decodes the records of one recording into the events of generated packages. Bind of such
// a package returns one. E is the type of the container's entries, which have the facts of a record
// that [record.Record] has no field for.
//
// A Decoder is for one goroutine, and for one loop at a time: [Decoder.Clone] makes another. An
// event that it returns is valid until it decodes the next record.
type Decoder[E any] struct {
	_ noCopy
	tables
	container Container[E]
	packages  []Package[E]
	targets   []Target[E] // by package
	opts      options

	stats Stats
	entry *E
	err   error
	loop  bool // one runs

	losses losses
	moved  scratch // the relocated record
	said   scratch // the relocated record of the text
}

// noCopy is what go vet takes for a lock.
type noCopy struct{}

// Lock is never called.
func (*noCopy) Lock() {}

// Unlock is never called.
func (*noCopy) Unlock() {}

// Container is a recording as a Decoder reads it. The function Of in the package layout beside a
// container returns one.
type Container[E any] struct {
	// Recording is asked for damage at the end of a walk. It may be nil.
	Recording record.Recording
	// Source describes the records.
	Source Source
	// Merge begins to read records in the order of time.
	Merge func(record.Options) *record.Merger[E]
	// Slices cuts the records into slices that several goroutines can read at the same time: in the
	// order of time, or one stream after the other.
	Slices func(o record.Options, streams bool) []record.Slice[E]
}

// Sliced is a recording of a container with slices.
type Sliced[E any] interface {
	record.Recording
	Merge(record.Options) *record.Merger[E]
	Slices(o record.Options, size int64) []record.Slice[E]
	StreamSlices(o record.Options, size int64) []record.Slice[E]
}

// ContainerOf returns r, whose records src describes, as a Decoder reads it.
func ContainerOf[E any](r Sliced[E], src Source) Container[E] {
	return Container[E]{
		Recording: r,
		Source:    src,
		Merge:     r.Merge,
		Slices: func(o record.Options, streams bool) []record.Slice[E] {
			if streams {
				return r.StreamSlices(o, 0)
			}
			return r.Slices(o, 0)
		},
	}
}

// As returns rec as a recording of one container: rec itself or the one that it wraps, as that of
// package tracec does.
func As[R record.Recording](rec record.Recording) (R, error) {
	for {
		if r, ok := rec.(R); ok {
			return r, nil
		}
		w, ok := rec.(interface{ Unwrap() record.Recording })
		if !ok {
			var want R
			return want, fmt.Errorf("a %T cannot be decoded as a %T", rec, want)
		}
		rec = w.Unwrap()
	}
}

// Option is an argument of Bind: an event of the package (*[Event]), which is then decoded, or one
// of the options below. Without an event, all of the package are decoded that the recording has.
type Option interface {
	set(o *options)
}

// options are the options of a Decoder.
type options struct {
	events   []*Event
	optional bool
	narrow   bool
	all      bool
	env      *render.Env
	unfit    func(event string, err error)
}

type option func(o *options)

func (f option) set(o *options) { f(o) }

func (e *Event) set(o *options) { o.events = append(o.events, e) }

// Optional lets Bind pass over events that the recording does not have.
func Optional() Option { return option(func(o *options) { o.optional = true }) }

// Narrow allows numbers to be cut that are wider in the recording than in the generated struct, and
// texts that are longer than its field of a constant length. Without it, a record with such a text
// is no event: a *[Short].
func Narrow() Option { return option(func(o *options) { o.narrow = true }) }

// All has loops yield every record: with a nil event where the Decoder decodes none, and with a
// *[Short] where the record ends before its event does.
func All() Option { return option(func(o *options) { o.all = true }) }

// WithEnv supplies what some events depend on and records do not hold, such as the process.
func WithEnv(env *render.Env) Option { return option(func(o *options) { o.env = env }) }

// Unfit calls fn for each event that cannot be decoded. Bind then returns no error for it.
func Unfit(fn func(event string, err error)) Option {
	return option(func(o *options) { o.unfit = fn })
}

// Short is the event of a damaged record, which ends before its event does.
type Short struct{}

// short is the one value of that type.
var short Short

// Bind compares the compiled events with those of a recording and returns a Decoder. Events are
// found by name. One that has another layout in the recording is relocated to the compiled one.
// Errors are *[Error], joined: events that were asked for and are missing, and events that do not
// fit.
func Bind[E any](c Container[E], packages []Package[E], opts ...Option) (*Decoder[E], error) {
	d := &Decoder[E]{container: c, packages: packages}
	for _, o := range opts {
		o.set(&d.opts)
	}
	m := newMatcher(d.opts.narrow)
	if err := d.ask(m); err != nil {
		return nil, err
	}
	m.matchAll(c.Source)
	d.tables = m.tables()
	if err := d.report(m); err != nil {
		return nil, err
	}
	d.ready()
	return d, nil
}

// To is [Bind] for a recording that a package layout describes: of is the function Of there.
func To[E any](rec record.Recording, of func(record.Recording) (Container[E], error), packages []Package[E],
	opts ...Option) (*Decoder[E], error) {
	c, err := of(rec)
	if err != nil {
		return nil, err
	}
	return Bind(c, packages, opts...)
}

// ready makes what decodes events.
func (d *Decoder[E]) ready() {
	for _, p := range d.packages {
		d.targets = append(d.targets, p.New())
	}
}

// Clone returns a Decoder of the same events, for another goroutine or a loop within a loop. Its
// statistics begin at 0.
func (d *Decoder[E]) Clone() *Decoder[E] {
	c := &Decoder[E]{tables: d.tables, container: d.container, packages: d.packages, opts: d.opts}
	c.ready()
	return c
}

// ask tells m which events are asked for. Others are bound for their text.
func (d *Decoder[E]) ask(m *matcher) error {
	asked := make(map[*Event]bool, len(d.opts.events))
	for _, e := range d.opts.events {
		asked[e] = true
	}
	for number := range d.packages {
		p := &d.packages[number]
		if number > never>>slotBits || len(p.Events) > maxEvents {
			return errors.New("too many events for one decoder")
		}
		for slot := range p.Events {
			e := &p.Events[slot]
			wanted := len(d.opts.events) == 0 || asked[e]
			delete(asked, e)
			if wanted || p.Texts != nil {
				c := &compiled{Event: e, slot: uint32(number<<slotBits | slot), wanted: wanted, text: p.Texts != nil}
				if slot < len(p.InPlace) {
					c.typ = typeOf(p.InPlace[slot])
				}
				m.want(c)
			}
		}
	}
	for e := range asked {
		return fmt.Errorf("no package has the event %q", e.Label())
	}
	return nil
}

// report returns why events cannot be decoded.
func (d *Decoder[E]) report(m *matcher) error {
	optional := d.opts.optional || len(d.opts.events) == 0 && len(d.ids) > 0
	var errs []error
	for _, c := range m.order {
		err := c.why(optional)
		switch {
		case err == nil:
		case d.opts.unfit != nil:
			d.opts.unfit(c.Label(), err)
		default:
			errs = append(errs, err)
		}
	}
	if more := len(errs) - maxErrors; more > 1 {
		errs = append(errs[:maxErrors], fmt.Errorf("and %d more events", more))
	}
	return errors.Join(errs...)
}

// Stats returns the number of records of the last loop that became no event.
func (d *Decoder[E]) Stats() Stats { return d.stats }

// Err returns the error of the last loop: of streams that failed, the end of the context, or a loop
// within the loop. After a loop that came to its end, a *[record.DamageError] reports damaged parts
// of the recording.
func (d *Decoder[E]) Err() error { return d.err }

// Entry returns the container's entry of the current record of a loop, and nil outside of a loop.
// It is valid as long as the record.
func (d *Decoder[E]) Entry() *E { return d.entry }
