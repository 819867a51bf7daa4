package tracec

import (
	"errors"
	"fmt"

	"github.com/tracec/tracec/compiler/filter"
	"github.com/tracec/tracec/internal/pattern"
	"github.com/tracec/tracec/runtime/record"
)

// choice is the decision whether All yields the events of a type.
type choice uint8

const (
	undecided choice = iota
	yielded
	passed
	following // stacks of yielded events
)

// leftOut is the type of skipped events, and outside the type of events outside the time window.
var (
	leftOut = &Type{choice: passed}
	outside = &Type{choice: passed}
)

// within reports whether a record is in the window of time.
func within(o *record.Options, r *record.Record) bool {
	return r.Time >= o.Since && (o.Until == 0 || r.Time < o.Until)
}

// leaves returns the type for a record that the options skip, or nil for a selected record. The
// container has not applied these options. o may be nil.
func leaves(o *record.Options, r *record.Record) *Type {
	if o == nil {
		return nil
	}
	return leavesIn(o, r, within(o, r))
}

// leavesIn is leaves with the time already checked: inside reports whether the record is in the
// window.
func leavesIn(o *record.Options, r *record.Record, inside bool) *Type {
	switch {
	case !inside:
		return outside
	case o.CPUs != nil && (r.CPU < 0 || !o.HasCPU(r.CPU)), o.Tasks != nil && (r.Task < 0 || !o.HasTask(r.Task)),
		!o.HasID(r.ID):
		return leftOut
	}
	return nil
}

// chosenBy reports whether c selects events of a type, if they pass its filter. It matches the
// names once and caches the result.
func (t *Type) chosenBy(c *chooser) bool {
	if t.choice == undecided {
		t.choice = passed
		if c.patterns.Matches(t.System, t.Name, t.Label) && c.passable(t) {
			c.yield(t)
		} else if c.stacks && t.stack != nil {
			c.yield(t)
			t.choice = following
		}
	}
	return t.choice == yielded
}

// chooser selects types of events, and numbers the selected ones.
type chooser struct {
	patterns pattern.List
	filters  filter.List                          // if empty, all events pass
	hold     func(what string, bytes int64) error // takes memory for compiled filters
	refused  error                                // error of the first filter without memory
	types    int
	most     int64 // maximum number of events to yield
	left     int64 // number of events still to yield
	stacks   bool  // also yield the stacks of yielded events
	threads  *ofThreads
	eager    bool   // end a block where the next read may wait
	shown    []bool // by Record.Stream: the last event other than a stack was yielded
}

// follows reports whether an event that patterns do not select is the stack of a selected event.
// That event is the previous one of its stream.
func (c *chooser) follows(r *record.Record, t *Type) bool {
	if !c.stacks {
		return false
	}
	if t.choice == following {
		return int(r.Stream) < len(c.shown) && c.shown[r.Stream]
	}
	c.show(r.Stream, false)
	return false
}

// show notes whether an event other than a stack is yielded.
func (c *chooser) show(stream int32, shown bool) {
	for len(c.shown) <= int(stream) {
		c.shown = append(c.shown, false)
	}
	c.shown[stream] = shown
}

// yield notes that events of a type are yielded.
func (c *chooser) yield(t *Type) {
	if t.choice != yielded {
		t.choice, t.Number = yielded, c.types
		c.types++
	}
}

// choose prepares the patterns. Each must match something.
func (r *Reader) choose(name string, patterns []string) error {
	var err error
	if r.chosen.patterns, err = pattern.ParseList(patterns); err != nil {
		return fmt.Errorf("pattern %w", err)
	}
	r.chosen.patterns = r.chosen.patterns.In(r.source.names)
	for _, p := range r.chosen.patterns {
		found := false
		r.source.names(func(system, name, alias string) bool {
			found = p.Matches(system, name, alias)
			return !found
		})
		if !found {
			err = errors.Join(err, fmt.Errorf("%s has no event that matches %s", name, p))
		}
	}
	return err
}
