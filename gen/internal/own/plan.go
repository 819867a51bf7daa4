package own

import (
	"errors"
	"slices"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/grammar/diag"
)

// Target is a struct, its event, and the values for its fields.
type Target struct {
	Struct *Struct
	Event  *ir.Event
	Fills  []*Fill
}

// FromPayload reports whether the struct has a field for a value in the data of a record.
func (t *Target) FromPayload() bool {
	return slices.ContainsFunc(t.Fills, func(f *Fill) bool { return f.From.Member == "" })
}

// Takes reports whether the struct has a field for a value.
func (t *Target) Takes(name string) bool {
	return slices.ContainsFunc(t.Fills, func(f *Fill) bool { return f.From.Member == "" && f.From.Name == name })
}

// Targets finds the event of each struct and the value for each field. known are the names of all
// events of the input, for messages. valuesOf returns the values of an event.
//
// Mistakes are in messages, with their places in the user's source. They include the mistakes that
// Read found. If there is a message, there are no targets.
func (s *Structs) Targets(
	u *ir.Unit, known []string, valuesOf func(*Struct, *ir.Event) ([]*Value, error),
) (list []*Target, messages diag.List, err error) {
	messages = slices.Clone(s.messages)
	filled := map[*ir.Event]*Struct{}
	for _, x := range s.list {
		ev := s.find(u, x, known, &messages)
		if ev == nil || !s.chooses(x, ev) {
			continue
		}
		if other := filled[ev]; other != nil {
			s.report(&messages, x.at, "into-event",
				"%s already fills %s: select structs by -e, and give each decoder a prefix by --stem", x.Event,
				other.Name)
			continue
		}
		filled[ev] = x
		has, err := valuesOf(x, ev)
		if err != nil {
			s.report(&messages, x.at, "into-event", "%s", err)
			continue
		}
		list = append(list, &Target{x, ev, s.fills(x, append(has, OfRecord...), &messages)})
	}
	switch {
	case len(messages) > 0:
		return nil, Sorted(messages), nil
	case len(s.list) == 0:
		return nil, nil, s.none()
	case len(list) == 0:
		return nil, nil, errors.New("no struct is for a selected event")
	}
	return list, nil, nil
}

// Sorted sorts messages and removes duplicates. If several structs embed one struct, its messages
// occur several times.
func Sorted(messages diag.List) diag.List {
	messages.Sort()
	return slices.Compact(messages)
}

// fills finds the value for each field of a struct.
func (s *Structs) fills(x *Struct, has []*Value, messages *diag.List) (fills []*Fill) {
	for _, f := range x.fields {
		g := s.value(f, has, messages)
		if g == nil {
			continue
		}
		if goal := s.goal(f, messages); goal != nil && s.allows(f, g, goal, messages) {
			fills = append(fills, &Fill{From: g, to: f, goal: goal})
		}
	}
	s.optional(fills, messages)
	return fills
}
