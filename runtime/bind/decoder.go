package bind

import (
	"errors"
	"fmt"

	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
)

// Decoder decodes the records of one recording into the events of generated packages. Bind of such
// a package returns one. E is the type of the container's entries. An entry holds the facts of a
// record for which [record.Record] has no field.
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
	loop  bool // a loop is running

	losses losses
	moved  scratch // the relocated record
	said   scratch // the relocated record of the text
}

// noCopy makes go vet report copies, as it does for a lock.
type noCopy struct{}

// Lock is never called.
func (*noCopy) Lock() {}

// Unlock is never called.
func (*noCopy) Unlock() {}

// Container is a recording in the form that a Decoder reads. The function Of in the package layout
// of a container returns it.
type Container[E any] struct {
	// Recording reports damage at the end of a walk. It may be nil.
	Recording record.Recording
	// Source describes the records.
	Source Source
	// Merge begins to read records in the order of time.
	Merge func(record.Options) *record.Merger[E]
	// Slices cuts the records into slices that several goroutines can read at the same time. The
	// slices are in the order of time, or if streams is set, one stream after the other.
	Slices func(o record.Options, streams bool) []record.Slice[E]
}

// Sliced is a recording of a container that can be cut into slices.
type Sliced[E any] interface {
	record.Recording
	Merge(record.Options) *record.Merger[E]
	Slices(o record.Options, size int64) []record.Slice[E]
	StreamSlices(o record.Options, size int64) []record.Slice[E]
}

// ContainerOf returns r as a Container. src describes its records.
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

// As returns rec as a recording of one container. This is rec itself, or the recording that rec
// wraps, as a recording of package tracec does.
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

// Option is an argument of Bind. It is an event of the package (*[Event]), which is then decoded,
// or one of the options below. Without an event, all events of the package are decoded that are in
// the recording.
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

// Optional lets Bind skip events that are not in the recording.
func Optional() Option { return option(func(o *options) { o.optional = true }) }

// Narrow allows recorded numbers to be truncated to the size of their field, and texts to the
// constant length of their field. Without it, a record with a longer text is a *[Short].
func Narrow() Option { return option(func(o *options) { o.narrow = true }) }

// All makes loops yield every record. The event is nil if the Decoder does not decode it, and a
// *[Short] if the record ends before its event does.
func All() Option { return option(func(o *options) { o.all = true }) }

// WithEnv supplies inputs of some events that are not in the records, such as the process.
func WithEnv(env *render.Env) Option { return option(func(o *options) { o.env = env }) }

// Unfit calls fn for each event that cannot be decoded. Bind then returns no error for it.
func Unfit(fn func(event string, err error)) Option {
	return option(func(o *options) { o.unfit = fn })
}

// Short is the event of a damaged record that ends before its event does.
type Short struct{}

// short is the only value of that type.
var short Short

// Bind compares the compiled events with the events of a recording and returns a Decoder. Events
// are found by name. If an event has another layout in the recording, its records are relocated to
// the compiled layout. The errors are *[Error], joined: requested events that are missing, and
// events that do not fit.
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

// To is [Bind] for a recording that a package layout describes. of is the function Of of that
// package.
func To[E any](rec record.Recording, of func(record.Recording) (Container[E], error), packages []Package[E],
	opts ...Option) (*Decoder[E], error) {
	c, err := of(rec)
	if err != nil {
		return nil, err
	}
	return Bind(c, packages, opts...)
}

// ready makes the targets, which decode events.
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

// ask tells m the requested events. The other events are bound for their text.
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

// report returns the reasons for events that cannot be decoded.
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

// Stats returns the number of records of the last loop that had no event.
func (d *Decoder[E]) Stats() Stats { return d.stats }

// Err returns the error of the last loop: of streams that failed, of the context, or of a loop
// within the loop. After a loop that reached its end, a *[record.DamageError] reports damaged parts
// of the recording.
func (d *Decoder[E]) Err() error { return d.err }

// Entry returns the container's entry of the current record of a loop. Outside of a loop it returns
// nil. The entry is valid as long as the record.
func (d *Decoder[E]) Entry() *E { return d.entry }
