package gen

import (
	"cmp"
	"errors"
	"slices"

	"github.com/tracec/tracec/compiler"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/grammar/diag"
)

// IntoName is the base name of the file that GenerateInto writes when Options.Base is empty.
const IntoName = "tracec_gen"

// GenerateInto writes a decoder of events of u into the package of s. The decoder fills the structs
// of s. known are the names of all events of the input, for messages. They may include events that
// are not in u.
//
// Faults are in messages, with their places in the user's source. They include the faults that s
// found when it read the package. If a message is an error, there are no files. The error is about
// opts and u. Options.Package, Text, Split, ImportPath and Shared are not used.
func GenerateInto(u *ir.Unit, s *Structs, known []string, opts Options) (files []File, messages diag.List, err error) {
	opts.Package, opts.Base, opts.Shared = s.Package, cmp.Or(opts.Base, IntoName), true
	opts.Text, opts.Split = false, false
	if err := opts.check(); err != nil {
		return nil, nil, err
	}
	if err := ir.Check(u); err != nil {
		return nil, nil, err
	}
	system, err := systemOf(u)
	if err != nil {
		return nil, nil, err
	}
	p := &intoPkg{system: system, structs: s, target: u.Target}
	p.messages = slices.Clone(s.messages)
	p.plan(u, known)
	if len(p.messages) > 0 {
		p.messages.Sort()
		return nil, slices.Compact(p.messages), nil // several structs may embed one
	}
	if len(s.list) == 0 {
		return nil, nil, s.none()
	}
	if len(p.events) == 0 {
		return nil, nil, errors.New("no struct is for any of the events that were chosen")
	}
	files, err = writeAll([]*source{p.file(opts)}, Options{Version: opts.Version, Shared: true}, u.Source)
	if err != nil {
		return nil, nil, err
	}
	if p.messages = s.finish(files, opts.Stem, p.named()); len(p.messages) > 0 {
		p.messages.Sort()
		return nil, slices.Compact(p.messages), nil // several structs may embed one
	}
	return files, nil, nil
}

// intoPkg is a decoder that fills structs of the package that it is generated into.
type intoPkg struct {
	system
	structs  *Structs
	target   ir.Target
	events   []*intoEvent
	messages diag.List
}

// intoEvent is an event and the struct that it fills.
type intoEvent struct {
	*event  // with fields at offsets: the layout of the fields that are used
	into    *Struct
	values  *values // sequential; nil without values
	payload *payload
	fills   []*fill
	wide    *intoEvent // for records that are relocated from wider numbers; nil if no number is wider
	isWide  bool
}

// fill is how a field of a struct is filled.
type fill struct {
	to   *StructField
	from *given
	goal *goal
}

// plan finds the event of each struct and the source of each field.
func (p *intoPkg) plan(u *ir.Unit, known []string) {
	filled := map[*ir.Event]*Struct{}
	for _, s := range p.structs.list {
		ev := p.structs.find(u, s, known, &p.messages)
		if ev == nil || !p.structs.chooses(s, ev) {
			continue
		}
		if other := filled[ev]; other != nil {
			p.structs.report(&p.messages, s.at, "into-event", "%s fills %s already: choose structs by -e, and give each decoder a prefix by --stem", s.Event, other.Name)
			continue
		}
		filled[ev] = s
		e, err := p.planEvent(u, ev, s)
		if err != nil {
			p.structs.report(&p.messages, s.at, "into-event", "%s", err)
			continue
		}
		p.fills(e)
		p.events = append(p.events, e)
		if len(p.messages) == 0 {
			if err := p.widen(e); err != nil {
				p.structs.report(&p.messages, s.at, "into-event", "%s", err)
			}
		}
	}
}

// planEvent prepares an event for a struct.
func (p *intoPkg) planEvent(u *ir.Unit, ev *ir.Event, s *Struct) (*intoEvent, error) {
	if !u.Sequential {
		folded := *ev
		folded.Text, folded.HasText = nil, false // only the fields are used
		compiler.Fold(&folded)
		return &intoEvent{into: s, event: &event{Event: &folded, align: 1, goName: s.Name}}, nil
	}
	v, err := planValues(ev, u.Target, s.Name, payloadLabel(ev))
	if err != nil {
		return nil, err
	}
	return &intoEvent{into: s, event: &event{Event: ev, goName: s.Name}, values: v, payload: &payload{Event: ev, goName: s.Name, typ: s.Name, values: v}}, nil
}

// fills finds the source of each field of the struct.
func (p *intoPkg) fills(e *intoEvent) {
	has := p.givens(e)
	for _, f := range e.into.fields {
		g := p.structs.given(f, has, &p.messages)
		if g == nil {
			continue
		}
		goal := p.structs.goal(f, &p.messages)
		if goal == nil {
			continue
		}
		if p.allows(f, g, goal) {
			e.fills = append(e.fills, &fill{to: f, from: g, goal: goal})
		}
	}
	p.structs.optional(e, &p.messages)
}
