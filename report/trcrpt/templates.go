package trcrpt

import (
	"cmp"
	"fmt"
	"slices"

	compiler "github.com/tracec/tracec/compiler/trcfmt"
	grammar "github.com/tracec/tracec/grammar/trcfmt"
	"github.com/tracec/tracec/internal/programs"
	"github.com/tracec/tracec/internal/trcfiles"
	"github.com/tracec/tracec/report/facts"
	"github.com/tracec/tracec/runtime/aix"
	"github.com/tracec/tracec/runtime/record"
)

// hook is the state of a report for a hook id.
type hook struct {
	*programs.Hook
	name   string
	code   uint32 // the id in the form of idCode
	label  string
	level  grammar.Level
	column int  // column of its texts, relative to APPL
	chosen bool // selected by -d, -k and the groups
	// ordinary is set if its events are printed with columns and in full, except events that
	// describe the system.
	ordinary bool
	count    int64
	short    int64   // number of events that are too short for their template
	broken   [4]bool // by aix.Env: the unusable template was reported
	texts    [4]kind // by aix.Env
}

// templates holds the templates of the report with their programs.
type templates struct {
	compiled *compiler.Result
	programs *programs.Hooks
	hooks    []*hook // by id; nil before the first event of the hook
	texts    *programs.Printer
}

// loadTemplates compiles the templates of the report. It reports mistakes and continues. If values
// is set, programs also yield values.
func (p *printer) loadTemplates(values bool) error {
	rules := p.opts.Rules.Compile
	rules.TextOnly = !values
	result, mistakes, unusable, err := trcfiles.Load(p.opts.Templates, rules)
	if err != nil {
		return err
	}
	p.templates.compiled, p.templates.programs = result, programs.NewHooks(p.charge, result)
	if n := len(mistakes); n > 0 && p.opts.Quiet {
		p.damage(fmt.Errorf("%d mistakes in templates; tracec vet shows them", n))
		return nil
	}
	for _, e := range append(mistakes, unusable...) {
		p.damage(e)
	}
	return nil
}

// zero reports whether the hook has its own template with a text outside of the columns (L=0).
func (h *hook) zero(id uint16) bool {
	return h.level == grammar.Zero && h.Described
}

// hook returns the state of a hook id.
func (p *printer) hook(id uint16) *hook {
	if h := p.templates.hooks[id]; h != nil {
		return h
	}
	return p.newHook(id)
}

func (p *printer) newHook(id uint16) *hook {
	h := &hook{Hook: p.templates.programs.Hook(id), name: aix.HookName(id), chosen: p.chosen(id)}
	h.code = idCode(h.name)
	if h.Template != nil {
		h.level = h.Template.Level
		h.column = levelColumn(h.level)
	}
	if h.Described {
		h.label = h.Template.Label
	}
	if p.opts.match != nil && !p.opts.match(h.name, h.label) {
		h.chosen = false
	}
	o := p.opts
	h.ordinary = h.chosen && !h.zero(id) && id != trcfiles.HookHeader && id != trcfiles.HookUtility && !o.Raw &&
		!o.Histogram && !o.RemoveDups && !p.choice.any
	p.templates.hooks[id] = h
	return h
}

// chosen reports whether -d, -k and the groups select a hook.
func (p *printer) chosen(id uint16) bool {
	return (p.opts.Only == nil || p.opts.Only[id]) && !p.opts.Never[id]
}

// appendText appends the text of an event.
func (p *printer) appendText(dst []byte, h *hook, r *record.Record, e *aix.Entry) []byte {
	env := e.Env()
	if p.opts.Words {
		return appendWords(dst, r.Data, env)
	}
	prog := h.Program(env)
	dst = p.templates.texts.Append(dst, prog, r.Data)
	if prog.Err != nil && !h.broken[env] { // the event is printed without text
		h.broken[env] = true
		p.tell(fault{hook: uint16(r.ID), kind: noTemplate, env: env, err: fmt.Errorf("hook %s: %w", h.name, prog.Err)})
	}
	return dst
}

// levelColumn returns the column of the texts of a level, relative to APPL.
func levelColumn(l grammar.Level) int {
	switch l {
	case grammar.SVC:
		return levelWidth
	case grammar.Kern:
		return 2 * levelWidth
	case grammar.Int:
		return 3 * levelWidth
	}
	return 0
}

// List returns the output of -j: id in lower case and label, sorted by id (aix.md 5.3).
func List(stanzas []*grammar.Stanza, match func(name, label string) bool) (events []*facts.Event) {
	byID := map[uint16]*grammar.Stanza{}
	for _, s := range stanzas {
		byID[s.Hook.Value] = s
	}
	var list []*grammar.Stanza
	for _, s := range byID {
		list = append(list, s)
	}
	slices.SortFunc(list, func(a, b *grammar.Stanza) int { return cmp.Compare(a.Hook.Value, b.Hook.Value) })
	for _, s := range list {
		label := s.Label
		if label != "" && label[0] == '@' {
			label = label[1:]
		}
		if match == nil || match(aix.HookName(s.Hook.Value), label) {
			events = append(events, listed(s.Hook.Value, label))
		}
	}
	return events
}

// listed returns the facts about a hook.
func listed(id uint16, label string) *facts.Event {
	dst := fmt.Appendf(nil, "%04x", id)
	if id&0xF == 0 {
		dst = dst[:3]
	}
	if label != "" {
		dst = append(append(dst, ' '), label...)
	}
	return &facts.Event{System: "aix", Name: aix.HookName(id), Label: label, ID: facts.Number(id),
		Line: append(dst, '\n')}
}

// charge reserves memory for the text of an event, from the budget of the first input. All inputs
// share the templates.
func (p *printer) charge(what string, bytes int64) error {
	if len(p.in.inputs) == 0 {
		return nil
	}
	return p.in.inputs[0].rec.HoldFor(what, bytes)
}
