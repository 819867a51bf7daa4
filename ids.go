package tracec

import (
	"slices"
	"strconv"

	"github.com/tracec/tracec/internal/programs"
	"github.com/tracec/tracec/runtime/lttng"
	"github.com/tracec/tracec/runtime/uftrace"
)

// ids: a stack is of the event before it.
func (s *ftraceSource) ids(c *chooser) (ids, after []uint32) {
	ids = []uint32{}
	described := make([]bool, programs.MaxID+1)
	for _, f := range s.rec.Formats() {
		if f.ID < 0 || f.ID > programs.MaxID {
			continue
		}
		described[f.ID] = true
		if c.named(f.System, f.Name, "") {
			ids = append(ids, uint32(f.ID))
		} else if c.stacks && s.newType(uint32(f.ID)).stack != nil {
			after = append(after, uint32(f.ID))
		}
	}
	if !c.unlike("0", "1", "2", "3", "4", "5", "6", "7", "8", "9") {
		for id, d := range described {
			if !d && c.named("", strconv.Itoa(id), "") {
				ids = append(ids, uint32(id))
			}
		}
	}
	return c.narrowed(ids, s.newType), after
}

// ids returns nil: facts come from all earlier events.
func (s *aixSource) ids(*chooser) (ids, after []uint32) { return nil, nil }

// ids returns the selected ids. open adds the events that record the running process.
func (s *lttngSource) ids(c *chooser) (ids, after []uint32) {
	ids = []uint32{}
	for _, m := range s.rec.Markers() {
		if c.named(m.Channel, m.Name, "") {
			ids = append(ids, uint32(m.Index))
		}
	}
	markers := s.rec.Markers()
	ids = c.narrowed(ids, func(id uint32) *Type { return s.markerType(markers[id]) })
	if c.named("", s.none.Name, "") {
		ids = append(ids, lttng.NoMarker)
	}
	return ids, nil
}

// ids returns nil when patterns may select events without a description, since there is no list of
// them.
func (s *uftraceSource) ids(c *chooser) (ids, after []uint32) {
	if !c.unlike("user_event:", "linux:", "builtin_event:", otherNames[uftrace.Event]) {
		return nil, nil
	}
	ids = []uint32{}
	for _, y := range s.rec.Symbols() {
		if c.named(y.Module.Name, y.Name, y.Shown()) {
			ids = append(ids, y.ID(uftrace.Enter), y.ID(uftrace.Leave))
		}
	}
	for id := range s.eventIDs() {
		if t := s.event(id); c.named(t.System, t.Name, t.Label) {
			ids = append(ids, id)
		}
	}
	if slices.ContainsFunc(otherNames[:], func(name string) bool { return c.named("", name, "") }) {
		ids = append(ids, uftrace.NoSymbol)
	}
	return ids, nil
}
