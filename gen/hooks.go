package gen

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/tracec/tracec/compiler"
	"github.com/tracec/tracec/compiler/ir"
)

// hookEnvs are the environments in the order of Variants: suffixes of functions, constants of runtime/aix, word sizes.
var hookEnvs = [4]struct {
	suffix, constant string
	word             int
}{{"In32", "Env32", 4}, {"In32Generic", "Env32Generic", 4}, {"In64", "Env64", 8}, {"In64Generic", "Env64Generic", 8}}

// hookPkg is a package of AIX hooks.
type hookPkg struct {
	hooks []*hook // by id
}

// hook is a template with its Go side.
type hook struct {
	id     uint16 // in its form of 16 bits
	label  string // of its events, for comments
	goName string
	fields []*hookField
	events [4]*event // folded
}

// hookID is a hook id as a report prints it: without a trailing zero digit (aix.md 1).
func hookID(id uint16) string {
	if id&15 == 0 {
		return fmt.Sprintf("%03X", id>>4)
	}
	return fmt.Sprintf("%04X", id)
}

func planHooks(events []*ir.Event) (*hookPkg, error) {
	p := &hookPkg{}
	var errs []error
	for _, ev := range events {
		k, err := planHook(ev)
		errs = append(errs, err)
		p.hooks = append(p.hooks, k)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	slices.SortFunc(p.hooks, func(a, b *hook) int { return cmp.Compare(a.id, b.id) })
	for i, h := range p.hooks[1:] {
		if h.id == p.hooks[i].id {
			return nil, fmt.Errorf("gen: there are two templates of hook %s: leave one out", hookID(h.id))
		}
	}
	return p, nil
}

func planHook(ev *ir.Event) (*hook, error) {
	k := &hook{id: uint16(ev.ID), label: ev.Label, goName: "Hook" + hookID(uint16(ev.ID))}
	if len(ev.Variants) != len(k.events) {
		return nil, fmt.Errorf("gen: hook %s has %d variants, want one for each of the %d environments", hookID(k.id), len(ev.Variants), len(k.events))
	}
	for i, v := range ev.Variants {
		if !isStream(v.Fields) {
			return nil, fmt.Errorf("gen: hook %s reads other fields than its record", hookID(k.id))
		}
		k.events[i] = streamEvent(v)
	}
	return k, k.plan()
}

// streamEvent is ev, folded, with the Go side of an event that is one stream of bytes.
func streamEvent(ev *ir.Event) *event {
	folded := *ev
	compiler.Fold(&folded)
	data := ev.Fields[0]
	return &event{Event: &folded, stream: true, byField: map[*ir.Field]*field{data: {Field: data, elem: 1}}}
}
