package sides

import (
	"github.com/tracec/tracec/compiler/contract"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/gen"
	"github.com/tracec/tracec/runtime/bind"
)

// newSide returns the events of a unit for a comparison. source holds the event types for binding.
// If the recording does not describe its events, source is nil, and events are known by name only.
func newSide(name string, u *ir.Unit, source bind.Source) *contract.Side {
	s := &contract.Side{Name: name, Unit: *u, Recorded: source, Undescribed: source == nil}
	var bare []bind.Event
	for _, ev := range u.Events {
		e := contract.Event{Layout: layoutOf(u, ev), Type: typesOf(ev), Compile: func() *ir.Event { return ev }}
		s.Events = append(s.Events, e)
		bare = append(bare, bind.Event{Name: ev.Name, ID: ev.ID, BigEndian: u.Target.BigEndian, Sequential: true})
	}
	if source == nil {
		s.Recorded = bind.Sources(bare)
	}
	return s
}

func typesOf(ev *ir.Event) func(string) string {
	return func(field string) string {
		for _, f := range ev.Fields {
			if f.Name == field {
				return f.CType
			}
		}
		return ""
	}
}

// layoutOf returns the fields of an event for people. For a hook they are the values that it reads.
func layoutOf(u *ir.Unit, ev *ir.Event) bind.Event {
	e := bind.Event{Group: ev.Group, Name: ev.Name, Exit: ev.Exit, ID: ev.ID, BigEndian: u.Target.BigEndian,
		Sequential: u.Sequential}
	if ev.Variants != nil {
		e.Group = "" // hooks have ids only
		e.Fields = values(ev)
		return e
	}
	fields := ev.Fields
	if u.Sequential {
		fields = ev.Values() // the values, not the whole payload that programs read
	}
	e.Fields = gen.FieldLayouts(fields)
	e.Size = ev.Size
	return e
}

// values returns the values of all variants of a hook, as fields.
func values(ev *ir.Event) (fields []bind.Field) {
	taken := map[string]bool{}
	for _, v := range ev.Variants {
		for _, f := range v.Values() {
			if taken[f.Name] {
				continue
			}
			taken[f.Name] = true
			b := gen.FieldLayouts([]*ir.Field{f})[0]
			b.Text = f.Text
			fields = append(fields, b)
		}
	}
	return fields
}
