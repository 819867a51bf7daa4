package programs

import (
	"slices"

	"github.com/tracec/tracec/compiler/trcfmt"
	"github.com/tracec/tracec/runtime/aix"
	"github.com/tracec/tracec/runtime/aix/facts"
	"github.com/tracec/tracec/runtime/render"
)

// Hooks compiles the hooks of AIX that templates describe. It is for one goroutine.
type Hooks struct {
	hold      Hold
	templates []*trcfmt.Result // the first one with a template for a hook counts
	hooks     []*Hook          // by id
}

// Squeezes reports whether texts of events replace several blanks by one: see [Squeeze].
func (s *Hooks) Squeezes() bool {
	return slices.ContainsFunc(s.templates, func(r *trcfmt.Result) bool { return r.Squeeze })
}

// Squeeze replaces several blanks by one, in dst from the byte text on.
func Squeeze(dst []byte, text int) []byte {
	to := text
	for _, c := range dst[text:] {
		if c == ' ' && to > text && dst[to-1] == ' ' {
			continue
		}
		dst[to] = c
		to++
	}
	return dst[:to]
}

// TrimLines removes the blanks at ends of lines, as reports do (aix.md 4.1 f), from the byte text
// on.
func TrimLines(dst []byte, text int) []byte {
	to, end := text, text // end of the kept part of the line
	for _, c := range dst[text:] {
		if c == '\n' {
			to = end
		}
		dst[to] = c
		to++
		if c != ' ' {
			end = to
		}
	}
	return dst[:end]
}

// A Hook holds the templates of a hook id.
type Hook struct {
	Template  *trcfmt.Template // nil if there is not even one for undefined ids
	Described bool             // the template is for this id
	hold      Hold
	programs  [4]*Program // by aix.Env
}

// Ids of hooks whose templates replace missing ones (aix.md 2.7), in their form of 16 bits.
const (
	hookZero      = 0x0040 // for events with hook id 0
	hookUndefined = 0x0070 // for events without a template
)

// NewHooks returns the Hooks of templates. Of several results, the first with a template for a hook
// counts.
func NewHooks(hold Hold, templates ...*trcfmt.Result) *Hooks {
	return &Hooks{hold: hold, templates: templates, hooks: make([]*Hook, 1<<16)}
}

// Hook returns the Hook for a hook id.
func (s *Hooks) Hook(id uint16) *Hook {
	if h := s.hooks[id]; h != nil {
		return h
	}
	h := &Hook{Template: s.Template(id), hold: s.hold}
	if h.Described = h.Template != nil; !h.Described && id == 0 {
		h.Template = s.Template(hookZero)
	}
	if h.Template == nil {
		h.Template = s.Template(hookUndefined)
	}
	s.hooks[id] = h
	return h
}

// Template returns the template of a hook id, or nil.
func (s *Hooks) Template(id uint16) *trcfmt.Template {
	for _, r := range s.templates {
		if t := r.Hook(id); t != nil {
			return t
		}
	}
	return nil
}

// noTemplate is the program of events without a template.
var noTemplate = new(Program)

// Program returns the program for events of the hook with an environment.
func (h *Hook) Program(env aix.Env) *Program {
	p := h.programs[env]
	if p == nil {
		if p = noTemplate; h.Template != nil {
			p = NewProgram(h.Template.Events[env], trcfmt.Envs[env].Target(), nil, h.hold)
		}
		h.programs[env] = p
	}
	return p
}

// HookPrinter returns a Printer for events. f provides state that is not in the events.
func HookPrinter(f *facts.Facts) *Printer {
	return NewPrinter(&render.Env{BigEndian: true, WordSize: 8, Facts: f, Hooks: f})
}
