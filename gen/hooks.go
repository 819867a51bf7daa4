package gen

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/tracec/tracec/compiler"
	"github.com/tracec/tracec/compiler/ir"
)

// Hook is one AIX template to generate code for.
type Hook struct {
	ID    uint16 // in its form of 16 bits
	Label string // of its events, for comments
	// Events are what it does for 32-bit hook words, generic ones, 64-bit hook words, generic ones: the order of aix.Env.
	// Each has one field, the record from its first byte on, which is big-endian.
	Events [4]*ir.Event
}

// hookEnvs are the environments in the order of Hook.Events: suffixes of functions, constants of runtime/aix, word sizes.
var hookEnvs = [4]struct {
	suffix, constant string
	word             int
}{{"In32", "Env32", 4}, {"In32Generic", "Env32Generic", 4}, {"In64", "Env64", 8}, {"In64Generic", "Env64Generic", 8}}

// GenerateHooks writes the Go code of AIX templates, which it does not change; source is named in the first lines. The
// same input gives the same bytes, whatever the order of hooks.
//
// Errors say which templates cannot be generated and why, all of them; there are then no files.
func GenerateHooks(source string, hooks []Hook, opts Options) ([]File, error) {
	if err := opts.check(); err != nil {
		return nil, err
	}
	if opts.Split {
		return nil, errors.New("gen: templates make one package: leave out the split")
	}
	p, err := planHooks(hooks)
	if err != nil {
		return nil, err
	}
	return writeAll(p.files(opts), opts, source)
}

// hookPkg is a package of AIX hooks.
type hookPkg struct {
	hooks []*hook // by id
}

// hook is a Hook with its Go side.
type hook struct {
	Hook
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

func planHooks(hooks []Hook) (*hookPkg, error) {
	if len(hooks) == 0 {
		return nil, errors.New("gen: no templates to generate")
	}
	p := &hookPkg{}
	var errs []error
	for _, h := range hooks {
		k, err := planHook(h)
		errs = append(errs, err)
		p.hooks = append(p.hooks, k)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	slices.SortFunc(p.hooks, func(a, b *hook) int { return cmp.Compare(a.ID, b.ID) })
	for i, h := range p.hooks[1:] {
		if h.ID == p.hooks[i].ID {
			return nil, fmt.Errorf("gen: there are two templates of hook %s: leave one out", hookID(h.ID))
		}
	}
	return p, nil
}

func planHook(h Hook) (*hook, error) {
	k := &hook{Hook: h, goName: "Hook" + hookID(h.ID)}
	for i, ev := range h.Events {
		if err := ir.CheckEvent(ev); err != nil {
			return nil, fmt.Errorf("gen: %w", err)
		}
		if len(ev.Fields) != 1 || ev.Fields[0].Kind != ir.Tail || ev.Fields[0].Offset != 0 {
			return nil, fmt.Errorf("gen: hook %s reads other fields than its record", hookID(h.ID))
		}
		k.events[i] = streamEvent(ev)
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
