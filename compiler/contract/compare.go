package contract

import (
	"cmp"
	"slices"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/runtime/bind"
)

// Options set how to compare sides.
type Options struct {
	// Layout returns the layout of an event in a package that is generated from it: gen.Layout.
	Layout func(*ir.Unit, *ir.Event) (bind.Event, error)
	// Narrow is the option [bind.Narrow] of decoders: numbers may be cut to their compiled size.
	Narrow bool
	// Optional is the option [bind.Optional] of decoders: recordings may lack events.
	Optional bool
}

// Compare compares two sides.
func Compare(old, new *Side, o Options) *Diff {
	c := &comparison{Options: o, old: old, new: new, byKey: make(map[key]*Event, len(new.Events)),
		taken: make(map[key]bool, len(new.Events))}
	for i := range new.Events {
		c.byKey[keyOf(&new.Events[i].Layout)] = &new.Events[i]
	}
	olds := slices.Clone(old.Events)
	slices.SortStableFunc(olds, byLabel)
	d := &Diff{Old: old, New: new, Results: make([]Result, 0, len(olds))}
	var compiled []bind.Event
	of := make([]int, len(olds)) // index in compiled; -1 for events that cannot be generated
	for i := range olds {
		r := Result{Group: olds[i].Layout.Group, Name: olds[i].Layout.Name, Exit: olds[i].Layout.Exit}
		layout, err := c.layout(&olds[i])
		if of[i] = len(compiled); err != nil {
			of[i], r.Class, r.Err = -1, Unbound, err
		} else {
			compiled = append(compiled, layout)
		}
		d.Results = append(d.Results, r)
	}
	fits := bind.Match(new.Recorded, compiled, o.Narrow)
	for i := range olds {
		var fit *bind.Fit
		if of[i] >= 0 {
			fit = &fits[of[i]]
		}
		c.result(&d.Results[i], &olds[i], fit)
	}
	c.added(d)
	return d
}

// A comparison is the state of a comparison.
type comparison struct {
	Options
	old, new *Side
	byKey    map[key]*Event // events of new
	taken    map[key]bool   // events that the old side has
}

// A key identifies an event on both sides.
type key struct {
	group, name string
	exit        bool
}

func keyOf(e *bind.Event) key { return key{e.Group, e.Name, e.Exit} }

func byLabel(a, b Event) int {
	x, y := &a.Layout, &b.Layout
	exit := 0
	if x.Exit != y.Exit {
		exit = 1
		if y.Exit {
			exit = -1
		}
	}
	return cmp.Or(cmp.Compare(x.Group, y.Group), cmp.Compare(x.Name, y.Name), exit)
}

// layout returns the compiled layout of an old event.
func (c *comparison) layout(e *Event) (bind.Event, error) {
	if e.Compiled != nil {
		return *e.Compiled, nil
	}
	n := c.byKey[keyOf(&e.Layout)]
	if n != nil && (c.same(e, n) || c.old.Unit.Target.SameMachine(c.new.Unit.Target) &&
		inPlace(&e.Layout, &n.Layout)) && c.new.Unit.Target.BigEndian == bind.HostBigEndian() {
		return e.Layout, nil // the layout of all records: use of elements in texts affects only relocation
	}
	ev := e.compile()
	if ev == nil {
		return e.Layout, nil
	}
	return c.Layout(&c.old.Unit, ev)
}

// same reports whether two events have the same description.
func (c *comparison) same(e, n *Event) bool {
	return e.Source != "" && e.Source == n.Source && c.old.Unit.Target.SameMachine(c.new.Unit.Target)
}

// inPlace reports whether two descriptions lay an event out the same way.
func inPlace(a, b *bind.Event) bool {
	return a.Size == b.Size && a.Struct == b.Struct && a.BigEndian == b.BigEndian && a.Sequential == b.Sequential &&
		bind.EqualFields(a.Common, b.Common) && bind.EqualFields(a.Fields, b.Fields)
}

// result finds the class and the changes of an old event.
func (c *comparison) result(r *Result, e *Event, fit *bind.Fit) {
	n := c.counterpart(e)
	if n != nil {
		c.taken[keyOf(&n.Layout)] = true
		if !c.same(e, n) {
			r.Changes = changes(e, n)
		}
		if c.old.IDs && c.new.IDs && e.Layout.ID != n.Layout.ID {
			r.Changes = append(r.Changes, Change{Kind: ID, Old: number(int(e.Layout.ID)),
				New: number(int(n.Layout.ID))})
		}
	} else {
		r.Changes = []Change{{Kind: EventRemoved}}
	}
	if fit == nil {
		return
	}
	r.Err = fit.Err
	switch {
	case n == nil && c.Optional:
		r.Class, r.Err = Absent, nil
	case fit.Err != nil:
		r.Class = Unbound
		if n != nil {
			c.lost(r, fit.Event, &n.Layout)
		}
	case c.new.Undescribed && slices.ContainsFunc(r.Changes, ofValues):
		r.Class = Misreads
	case slices.ContainsFunc(fit.Bound, func(b bind.Bound) bool { return b.Relocates }):
		r.Class = Relocates
	default:
		r.Class = Binds
	}
}

// ofValues reports whether a change affects the values that are read, or their places.
func ofValues(c Change) bool {
	switch c.Kind {
	case ID, Text, EnumAdded, EnumRemoved, EnumChanged:
		return false
	}
	return true
}

// counterpart returns the event of the new side to compare an old one with, or nil. An event
// without a group matches any group.
func (c *comparison) counterpart(e *Event) *Event {
	if n := c.byKey[keyOf(&e.Layout)]; n != nil {
		return n
	}
	for _, have := range c.new.Recorded(e.Layout.Name) {
		if have.Exit != e.Layout.Exit || have.Group != "" && e.Layout.Group != "" && have.Group != e.Layout.Group {
			continue
		}
		if n := c.byKey[keyOf(&have)]; n != nil {
			return n
		}
		if n := c.byKey[key{"", have.Name, have.Exit}]; n != nil {
			return n
		}
		return &Event{Layout: have}
	}
	return nil
}

// lost finds the fields that keep an event from being bound, and whether it binds without them.
func (c *comparison) lost(r *Result, want, have *bind.Event) {
	rest := *want
	rest.Fields = nil
	left := 0
	for _, f := range bind.FitFields(want, have, c.Narrow) {
		switch kept := *f.Field; {
		case f.Err == nil:
			left++
			rest.Fields = append(rest.Fields, kept)
		default:
			r.Lost = append(r.Lost, kept.Name)
			if kept.Skip = true; want.Sequential {
				rest.Fields = append(rest.Fields, kept)
			}
		}
	}
	if left > 0 && len(r.Lost) > 0 && bind.Match(c.new.Recorded, []bind.Event{rest}, c.Narrow)[0].Err == nil {
		r.Class = Loses
	}
}

// added appends the events that only the new side has.
func (c *comparison) added(d *Diff) {
	var added []Event
	for i := range c.new.Events {
		if !c.taken[keyOf(&c.new.Events[i].Layout)] {
			added = append(added, c.new.Events[i])
		}
	}
	slices.SortStableFunc(added, byLabel)
	for i := range added {
		l := &added[i].Layout
		d.Results = append(d.Results, Result{Group: l.Group, Name: l.Name, Exit: l.Exit, Class: Added,
			Changes: []Change{{Kind: EventAdded}}})
	}
}
