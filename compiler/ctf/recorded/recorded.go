// Package recorded compiles the events of an open trace of runtime/ctf, by compiler/ctf.
package recorded

import (
	"fmt"

	compiler "github.com/tracec/tracec/compiler/ctf"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/runtime/bind"
	"github.com/tracec/tracec/runtime/ctf"
	"github.com/tracec/tracec/runtime/ctf/layout"
)

// Unit compiles the events of a recording that match selects. Group is the provider; events of the
// kernel have no Group.
//
// Several traces or streams may describe one event. The code is then for one description: the first
// one into which the events of all other descriptions convert. If there is no such description, it
// is for the first one. The errors name the omitted events, and the events that cannot be
// converted.
func Unit(rec *ctf.Recording, match func(provider, name string) bool) (u *ir.Unit, errs []error) {
	u = &ir.Unit{
		Lang: "ctf", Container: "github.com/tracec/tracec/runtime/ctf", Entries: true, Sequential: true,
		Source: rec.Name(), Target: compiler.Target,
	}
	byName := map[[2]string]*descriptions{}
	var order []*descriptions
	for _, e := range rec.Events() {
		provider, name := e.Title()
		if !match(provider, name) {
			continue
		}
		key := [2]string{provider, name}
		if byName[key] == nil {
			byName[key] = &descriptions{}
			order = append(order, byName[key])
		}
		byName[key].add(e)
	}
	for _, d := range order {
		best, unfit := d.choose()
		ev, err := compiler.Compile(best, compiler.Default)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", best.Name.Name, err))
			continue
		}
		u.Events, errs = append(u.Events, ev), append(errs, unfit...)
	}
	return u, errs
}

// descriptions are the different descriptions of events with one name.
type descriptions struct {
	events  []*ctf.Event
	layouts []bind.Event
}

func (d *descriptions) add(e *ctf.Event) {
	l := layout.Event(e)
	for i := range d.layouts {
		if bind.EqualFields(d.layouts[i].Fields, l.Fields) {
			return
		}
	}
	d.events, d.layouts = append(d.events, e), append(d.layouts, l)
}

// choose returns the description to generate code for, and errors for the descriptions that cannot
// be converted into it.
func (d *descriptions) choose() (*ctf.Event, []error) {
	for i := range d.layouts {
		if d.unfit(i) == nil {
			return d.events[i], nil
		}
	}
	return d.events[0], d.unfit(0)
}

// unfit returns the errors of the descriptions that do not fit into description i.
func (d *descriptions) unfit(i int) (errs []error) {
	for j := range d.layouts {
		if err := bind.Fits(&d.layouts[i], &d.layouts[j], false); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w: the code is for events of %s", where(d.events[j]), err,
				where(d.events[i])))
		}
	}
	return errs
}

// where names the place of an event's description.
func where(e *ctf.Event) string {
	return fmt.Sprintf("%s, stream %d, event %d", e.Trace().Path, e.Stream.ID, e.ID)
}
