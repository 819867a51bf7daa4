package bind

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
)

// compiled is an event of a Decoder while it is bound.
type compiled struct {
	*Event
	slot   uint32
	wanted bool
	text   bool     // it is also bound for its text
	typ    typeWord // of the event if it is in place
	found  bool
	err    error // the reason why a recorded event of its name does not fit
	own    bool  // err is about an event of the same group
}

// matcher finds the compiled event of each recorded event.
type matcher struct {
	narrow bool
	names  []string // of events, in the order of the packages
	byName map[string][]*compiled
	order  []*compiled
	byID   map[uint32]*compiled
	found  []match
}

// match is a recorded event with its compiled event.
type match struct {
	id uint32
	bound
	*compiled
	have *Event
}

func newMatcher(narrow bool) *matcher {
	return &matcher{narrow: narrow, byName: map[string][]*compiled{}, byID: map[uint32]*compiled{}}
}

// want adds one compiled event.
func (m *matcher) want(c *compiled) {
	if m.byName[c.Name] == nil {
		m.names = append(m.names, c.Name)
	}
	m.byName[c.Name] = append(m.byName[c.Name], c)
	m.order = append(m.order, c)
}

// matchAll finds the compiled events of all recorded events.
func (m *matcher) matchAll(src Source) {
	for _, name := range m.names {
		recorded := src(name)
		wanted, others := m.wanted(name)
		for i := range recorded {
			if !m.match(&recorded[i], wanted) {
				m.match(&recorded[i], others)
			}
		}
	}
}

// wanted returns the requested compiled events of a name, and the others, which are bound for their
// text.
func (m *matcher) wanted(name string) (wanted, others []*compiled) {
	for _, c := range m.byName[name] {
		if c.wanted {
			wanted = append(wanted, c)
		} else {
			others = append(others, c)
		}
	}
	return wanted, others
}

// match finds the compiled event of a recorded event, and reports whether there is one. Candidates
// are the events of its group. If there are none, they are the events that match any group. match
// takes the one of the same layout, or else the first to which records can be relocated.
func (m *matcher) match(have *Event, all []*compiled) bool {
	own, same := false, 0
	for _, c := range all {
		if c.Exit == have.Exit {
			own = own || c.Group == have.Group
			same++
		}
	}
	var best *compiled
	var way plan
	for _, c := range all {
		if c.Exit != have.Exit || own && c.Group != have.Group ||
			!own && c.Group != "" && (have.Group != "" || same > 1) {
			continue
		}
		p, err := newPlan(c.Event, have, m.narrow)
		if err != nil {
			c.fail(err, have, own)
			continue
		}
		exact := p == nil && len(c.Fields) == len(have.Fields)
		if best == nil || exact {
			best, way = c, p
		}
		if exact {
			break
		}
	}
	if best == nil {
		return false
	}
	for _, c := range all {
		if c != best && c.slot>>slotBits != best.slot>>slotBits && c.Exit == best.Exit && c.Group == best.Group {
			c.fail(&Error{Event: c.Label(), Err: errTaken}, have, true)
		}
	}
	if other := m.byID[have.ID]; other != nil && other != best { // a record cannot tell two events of one id apart
		best.fail(&Error{Event: best.Label(), Err: errTwice}, have, true)
		return true
	}
	m.byID[have.ID] = best
	m.found = append(m.found, match{have.ID, bound{best.Event, way, have.Size}, best, have})
	return true
}

// errTaken is the error of an event in two packages: a record becomes one event.
var errTaken = errors.New("another of the packages decodes it")

var errTwice = errors.New("the recording gives its id to several events")

// tables makes the tables from the lowest id to the highest one.
func (m *matcher) tables() (t tables) {
	slices.SortStableFunc(m.found, func(x, y match) int { return cmp.Compare(x.id, y.id) })
	end := len(m.found)
	if end > 0 {
		t.first = m.found[0].id
	}
	for end > 0 && m.found[end-1].id-t.first >= maxIDs {
		end-- // only a damaged recording has such ids
	}
	if end > 0 {
		n := int(m.found[end-1].id-t.first) + 1
		t.table, t.bound = empty(n), make([]bound, n)
		if slices.ContainsFunc(m.order, func(c *compiled) bool { return c.text }) {
			t.texts = empty(n)
		}
	}
	for i := range m.found[:end] {
		f := &m.found[i]
		at := int(f.id - t.first)
		f.compiled.found = true
		t.bound[at] = f.bound
		min := uint32(rarely)
		if n := max(f.size, f.event.Struct); f.plan == nil && uint64(n) < rarely {
			min = uint32(n)
		}
		if f.wanted {
			t.ids = append(t.ids, f.id)
			t.table[at] = entry{min, f.slot, f.typ}
		}
		if f.compiled.text {
			t.texts[at] = entry{min, f.slot, f.typ}
		}
	}
	return t
}

// empty returns a table without events.
func empty(n int) []entry {
	t := make([]entry, n)
	for i := range t {
		t[i].min = never
	}
	return t
}

// fail notes the reason why a recorded event does not fit.
func (c *compiled) fail(err error, have *Event, own bool) {
	if have.Source != "" {
		err = fmt.Errorf("%s: %w", have.Source, err)
	}
	if c.err == nil || own && !c.own {
		c.err, c.own = err, own
	}
}

// why returns the reason why a wanted event is not bound, or nil if it is. An optional event may be
// missing.
func (c *compiled) why(optional bool) error {
	switch {
	case !c.wanted || c.found && !c.own:
		return nil
	case c.err != nil || optional:
		return c.err
	}
	return &Error{Event: c.Label(), Err: ErrMissing}
}
