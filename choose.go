package tracec

import (
	"errors"
	"fmt"
	"iter"

	"github.com/tracec/tracec/compiler/filter"
	"github.com/tracec/tracec/internal/pattern"
	"github.com/tracec/tracec/runtime/aix"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// choice is the decision whether All yields the events of a type.
type choice uint8

const (
	undecided choice = iota
	yielded
	passed
	following // stacks of events that are yielded
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

// leaves returns the type for a record that options skip above the container, or nil for selected
// records. o may be nil.
func leaves(o *record.Options, r *record.Record) *Type {
	if o == nil {
		return nil
	}
	return leavesIn(o, r, within(o, r))
}

// leavesIn is leaves for a record that is in the window of time, or is not.
func leavesIn(o *record.Options, r *record.Record, inside bool) *Type {
	switch {
	case !inside:
		return outside
	case o.CPUs != nil && (r.CPU < 0 || !o.HasCPU(r.CPU)), o.Tasks != nil && (r.Task < 0 || !o.HasTask(r.Task)), !o.HasID(r.ID):
		return leftOut
	}
	return nil
}

// chosenBy reports whether events of a type are selected, if they pass its filter. It matches the
// names once.
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
	filters  filter.List // if empty, all events pass
	types    int
	most     int64 // events that are yielded
	left     int64 // of them
	stacks   bool  // also yield the stacks of yielded events
	threads  *ofThreads
	eager    bool   // blocks end where reading on may wait
	shown    []bool // by Record.Stream: the last event other than a stack was yielded
}

// follows reports whether an event that patterns do not select is the stack of a selected event,
// which is the previous one of its stream.
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

func (s *ftraceSource) names(yield func(system, name, alias string) bool) {
	for _, f := range s.rec.Formats() {
		if !yield(f.System, f.Name, "") {
			return
		}
	}
}

// names calls yield for all ids that a hook may have, since a trace may hold events that no
// template describes.
func (s *aixSource) names(yield func(system, name, alias string) bool) {
	for id := range 1 << 16 {
		name, label := aix.HookName(uint16(id)), ""
		if t := s.hooks.Template(uint16(id)); t != nil {
			name, label = t.Stanza.Hook.Text, t.Label
		}
		if !yield("aix", name, label) {
			return
		}
	}
}

func (s *lttngSource) names(yield func(system, name, alias string) bool) {
	for _, m := range s.rec.Markers() {
		if !yield(m.Channel, m.Name, "") {
			return
		}
	}
}

func (s *uftraceSource) names(yield func(system, name, alias string) bool) {
	for _, y := range s.rec.Symbols() {
		if !yield(y.Module.Name, y.Name, y.Shown()) {
			return
		}
	}
	for id := range s.eventIDs() {
		if t := s.event(id); !yield(t.System, t.Name, t.Label) {
			return
		}
	}
	for _, name := range otherNames {
		if !yield("", name, "") {
			return
		}
	}
}

// eventIDs returns an iterator over the events that the recording describes, and the events that
// every recording may have.
func (s *uftraceSource) eventIDs() iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for id := range s.rec.Events() {
			if !yield(id) {
				return
			}
		}
		for _, r := range [...][2]uint32{
			{uftrace.EventReadStatm, uftrace.EventCallsite}, {uftrace.EventSchedIn, uftrace.EventSchedPre}, {uftrace.EventExtern, uftrace.EventExtern},
		} {
			for id := r[0]; id <= r[1]; id++ {
				if !yield(id) {
					return
				}
			}
		}
	}
}
