package bind

import (
	"errors"
	"reflect"

	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
)

// Target is the generated dispatch of one package.
type Target interface {
	// Event decodes a record that is known to be long enough and laid out as compiled, and hands it to
	// the callback of slot.
	Event(slot int, r *record.Record)
}

// Renderer is a Target whose package was generated with text.
type Renderer interface {
	// Text renders a record that is long enough and laid out as compiled; false: the event has no text.
	Text(slot int, dst []byte, r *record.Record, env *render.Env) ([]byte, bool)
}

// Part is what one generated package contributes to a Binding.
type Part struct {
	// Events has the compiled layout of every slot.
	Events []Event
	// Target decodes them. If it is a Renderer too, events without a callback are bound all the same.
	Target Target
	// Callbacks points to a struct whose first fields are the callbacks, in the order of Events.
	Callbacks any
}

// Hooks are the callbacks that belong to no event. All of them may be nil.
type Hooks struct {
	// Other, if non-nil, receives the records without a callback, as recorded.
	Other func(r *record.Record)
	// Short gets damaged records: shorter than their event is.
	Short func(r *record.Record)
	// Missing, if non-nil, is called for each wanted event that cannot be bound. If nil, Bind fails.
	Missing func(event string, err error)
}

// Stats counts what the records handed to a Decoder came to.
type Stats struct {
	Other uint64 // records that no callback wanted
	Short uint64 // records shorter than their event
}

// Binding is the dense table from record id to event that a Decoder runs on. It belongs to one recording
// and one goroutine. The zero value has nothing bound: every record is Other.
type Binding struct {
	Stats Stats
	// fast is what the loop looks at: the entry of an event that has a callback and needs no relocation has its
	// length in min; everywhere else min is longer than any record.
	fast  []entry
	bound []bound // parallel to fast
	hooks Hooks
	buf   []byte // the relocated or padded record of the callback at work
	text  []byte // that of AppendText, which a callback may call for any record
}

type entry struct {
	min    int
	slot   int
	target Target // nil: the event has no callback
}

// bound is an event in the form the slow paths need.
type bound struct {
	event *Event // nil: not compiled in
	plan  *plan
	size  int // bytes that every recorded record has
	slot  int
	text  Renderer // nil: generated without text
}

// maxID bounds the table; ids of ftrace are 16 bits wide.
const maxID = 1 << 20

const never = int(^uint(0) >> 1)

// Bind compares every compiled event with the recording's description of it and prepares dispatch. It may be
// called again, for another recording or other callbacks. Errors are *Error, joined.
func (b *Binding) Bind(src *Source, hooks Hooks, parts ...Part) error {
	*b = Binding{hooks: hooks, buf: b.buf, text: b.text}
	recorded := make(map[[2]string]*Event, len(src.Events))
	for i := range src.Events {
		e := &src.Events[i]
		if key := [2]string{e.Group, e.Name}; recorded[key] == nil {
			recorded[key] = e
		}
	}
	var errs []error
	for i := range parts {
		text, _ := parts[i].Target.(Renderer)
		callbacks := reflect.ValueOf(parts[i].Callbacks).Elem()
		for slot := range parts[i].Events {
			wanted := !callbacks.Field(slot).IsNil()
			if !wanted && text == nil {
				continue
			}
			e := &parts[i].Events[slot]
			err := b.add(src, recorded[[2]string{e.Group, e.Name}], bound{event: e, slot: slot, text: text}, wanted, &parts[i])
			switch {
			case err == nil || !wanted:
			case hooks.Missing != nil:
				hooks.Missing(e.Group+":"+e.Name, err)
			case len(errs) < maxErrors:
				errs = append(errs, err)
			}
		}
	}
	return errors.Join(errs...)
}

// add binds one event.
func (b *Binding) add(src *Source, have *Event, e bound, wanted bool, part *Part) error {
	name := e.event.Group + ":" + e.event.Name
	if have == nil || have.ID >= maxID {
		return &Error{Event: name, Err: ErrMissing}
	}
	var err error
	if e.plan, err = newPlan(e.event, have, src); err != nil {
		return err
	}
	for int(have.ID) >= len(b.fast) {
		b.fast = append(b.fast, entry{min: never})
		b.bound = append(b.bound, bound{})
	}
	if b.bound[have.ID].event != nil {
		return &Error{Event: name, Err: errTwice} // two events of one id cannot be distinguished
	}
	e.size = have.Size
	b.bound[have.ID] = e
	if wanted {
		min := never
		if e.plan == nil {
			min = max(have.Size, e.event.Struct)
		}
		b.fast[have.ID] = entry{min, e.slot, part.Target}
	}
	return nil
}

var errTwice = errors.New("the recording gives its id to another event too")
