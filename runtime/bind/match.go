package bind

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
)

// Bind compares every compiled event with the recording's description of it and prepares dispatch. It may be
// called again, for another recording or other callbacks. Errors are *Error, joined.
func (b *Binding[E]) Bind(src Source, opts Options[E], parts ...Part[E]) error {
	like := b.like
	*b = Binding[E]{opts: opts, moved: b.moved, said: b.said}
	for i := range parts {
		if err := b.add(&parts[i]); err != nil {
			return err
		}
	}
	if b.take(like) {
		return nil
	}
	m := newMatcher(b)
	m.matchAll(src)
	m.fill()
	return m.report()
}

// asked is what of a part is to be bound.
type asked struct {
	events []Event
	wanted []bool // by event: it has a callback
	text   bool   // events without one are bound, too
}

func (a asked) equal(o asked) bool {
	return len(a.events) == len(o.events) && (len(a.events) == 0 || &a.events[0] == &o.events[0]) && a.text == o.text && slices.Equal(a.wanted, o.wanted)
}

// add adds a part.
func (b *Binding[E]) add(p *Part[E]) error {
	if len(b.targets) > never>>slotBits || len(p.Events) > slotMask+1 {
		return errors.New("too many events for one decoder")
	}
	renderer, text := p.Target.(Renderer[E])
	b.targets, b.renderers = append(b.targets, p.Target), append(b.renderers, renderer)
	callbacks, wanted := reflect.ValueOf(p.Callbacks).Elem(), make([]bool, len(p.Events))
	for slot := range wanted {
		wanted[slot] = !callbacks.Field(slot).IsNil()
	}
	b.asked = append(b.asked, asked{p.Events, wanted, text})
	return nil
}

// Like has the next Bind take the tables of another Binding, which is of the same recording, if the same is asked for. They may be on two goroutines.
func (b *Binding[E]) Like(other *Binding[E]) { b.like = other }

// take takes the tables of o. It returns false where these would be others, or there is something to report.
func (b *Binding[E]) take(o *Binding[E]) bool {
	if o == nil || !o.whole || o.opts.Narrow != b.opts.Narrow || !slices.EqualFunc(o.asked, b.asked, asked.equal) {
		return false
	}
	b.tables, b.whole = o.tables, true
	return true
}

// compiled is an event of a Decoder while it is bound.
type compiled struct {
	*Event
	slot   uint32
	count  int // events of its part
	wanted bool
	found  bool
	err    error // why a recorded event of its name does not fit
	own    bool  // of its very group
}

// matcher finds the compiled event of each recorded one.
type matcher[E any] struct {
	b      *Binding[E]
	names  []string // of events, in the order of the parts
	byName map[string][]*compiled
	order  []*compiled
	byID   map[uint32]*compiled
	found  []match
}

// match is a recorded event with its compiled one.
type match struct {
	id uint32
	bound
	*compiled
	have *Event
}

// newMatcher returns one that looks for the events that have a callback or a text.
func newMatcher[E any](b *Binding[E]) *matcher[E] {
	m := &matcher[E]{b: b, byName: map[string][]*compiled{}, byID: map[uint32]*compiled{}}
	for number, a := range b.asked {
		for slot, wanted := range a.wanted {
			if wanted || a.text {
				m.want(&compiled{Event: &a.events[slot], slot: uint32(number<<slotBits | slot), count: len(a.events), wanted: wanted})
			}
		}
	}
	return m
}

// want adds one compiled event.
func (m *matcher[E]) want(c *compiled) {
	if m.byName[c.Name] == nil {
		m.names = append(m.names, c.Name)
	}
	m.byName[c.Name] = append(m.byName[c.Name], c)
	m.order = append(m.order, c)
}

// matchAll finds the compiled events of all recorded ones.
func (m *matcher[E]) matchAll(src Source) {
	for _, name := range m.names {
		recorded := src(name)
		for i := range recorded {
			m.match(&recorded[i], m.byName[name])
		}
	}
}

// match finds the compiled event that a recorded one is: of those of its group, else of those that stand for any group, the one of the same
// layout, else the first that records can be relocated to.
func (m *matcher[E]) match(have *Event, all []*compiled) {
	own := false
	for _, c := range all {
		own = own || c.Exit == have.Exit && c.Group == have.Group
	}
	var best *compiled
	var way plan
	wide := 0
	for _, c := range all {
		if c.Exit != have.Exit || own && c.Group != have.Group || !own && c.Group != "" && (have.Group != "" || len(all) > 1) {
			continue
		}
		p, isWide, err := newPlan(c.Event, have, m.b.opts.Narrow)
		if err != nil {
			c.fail(err, have, own)
			continue
		}
		exact := p == nil && len(c.Fields) == len(have.Fields)
		if best == nil || exact {
			best, way, wide = c, p, 0
			if isWide {
				wide = c.count
			}
		}
		if exact {
			break
		}
	}
	if best == nil {
		return
	}
	if other := m.byID[have.ID]; other != nil && other != best { // two events of one id cannot be distinguished
		best.fail(&Error{Event: best.Label(), Err: errTwice}, have, true)
		return
	}
	m.byID[have.ID] = best
	m.found = append(m.found, match{have.ID, bound{best.Event, way, wide, have.Size}, best, have})
}

var errTwice = errors.New("the recording gives its id to another event too")

// fill makes the table from the lowest id to the highest one.
func (m *matcher[E]) fill() {
	b := m.b
	slices.SortStableFunc(m.found, func(x, y match) int { return cmp.Compare(x.id, y.id) })
	if len(m.found) > 0 {
		b.first = m.found[0].id
	}
	end := len(m.found)
	for end > 0 && m.found[end-1].id-b.first >= maxIDs {
		end-- // no recording has such ids but a damaged one
	}
	if end > 0 {
		n := int(m.found[end-1].id-b.first) + 1
		b.table, b.bound = empty(n), make([]bound, n)
		if slices.ContainsFunc(b.renderers, func(r Renderer[E]) bool { return r != nil }) {
			b.texts = empty(n)
		}
	}
	for i := range m.found[:end] {
		f := &m.found[i]
		at := int(f.id - b.first)
		f.compiled.found = true
		b.bound[at] = f.bound
		min := uint32(rarely)
		if f.plan == nil {
			min = uint32(max(f.size, f.event.Struct))
		}
		if f.wanted {
			b.ids = append(b.ids, f.id)
			b.table[at] = entry{min, f.slot}
			if f.plan == nil && f.event.Sequential {
				for len(b.sequential) <= at {
					b.sequential = append(b.sequential, -1)
				}
				b.sequential[at] = int32(f.slot & slotMask)
			}
		}
		if b.renderers[f.slot>>slotBits] != nil {
			b.texts[at] = entry{min, f.slot}
		}
	}
}

// empty returns a table without events.
func empty(n int) []entry {
	t := make([]entry, n)
	for i := range t {
		t[i].min = never
	}
	return t
}

// fail notes why a recorded event does not fit.
func (c *compiled) fail(err error, have *Event, own bool) {
	if have.Source != "" {
		err = fmt.Errorf("%s: %w", have.Source, err)
	}
	if c.err == nil || own && !c.own {
		c.err, c.own = err, own
	}
}

// report returns the errors of the wanted events that have nothing to bind to, or not all that has their group and name.
func (m *matcher[E]) report() error {
	var errs []error
	m.b.whole = true
	for _, c := range m.order {
		err := m.why(c)
		if err == nil {
			continue
		}
		m.b.whole = false
		switch {
		case m.b.opts.Missing != nil:
			m.b.opts.Missing(c.Label(), err)
		case len(errs) < maxErrors:
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// why returns why an event that is wanted is not bound, nil if it is.
func (m *matcher[E]) why(c *compiled) error {
	switch {
	case !c.wanted || c.found && !c.own:
		return nil
	case c.err != nil || m.b.opts.Optional:
		return c.err
	}
	return &Error{Event: c.Label(), Err: ErrMissing}
}
