package tracec

import (
	"github.com/tracec/tracec/compiler/trcfmt"
	"github.com/tracec/tracec/internal/programs"
	"github.com/tracec/tracec/runtime/aix"
	"github.com/tracec/tracec/runtime/aix/facts"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
)

// aixSource reads AIX traces.
type aixSource struct {
	rec     *aix.Recording
	hooks   *programs.Hooks
	layouts *aix.Layouts            // nil: no state from earlier entries
	types   [4]programs.Table[Type] // by environment and hook id

	facts   *facts.Facts
	given   bool // the caller owns and updates facts
	streams []*aix.Stream
	stream  int32           // of the current entry
	threads bool            // follow names of threads
	chosen  *record.Options // the selection to apply above the container; nil selects all
}

func newAIX(rec *aix.Recording, o *options) *aixSource {
	builtin, _ := trcfmt.Compile("", trcfmt.Options{}, trcfmt.Builtin())
	s := &aixSource{rec: rec, hooks: programs.NewHooks(rec.HoldFor, builtin), threads: o.threads, facts: &facts.Facts{}}
	if o.facts != nil {
		s.facts, s.given = o.facts, true
	}
	if o.templates != nil {
		s.hooks = programs.NewHooks(rec.HoldFor, o.templates, builtin)
	}
	if len(o.layouts) > 0 {
		s.layouts = aix.NewLayouts(o.layouts...)
	}
	return s
}

func (s *aixSource) open(o record.Options, chosen *chooser) walker {
	if s.layouts != nil { // skipped entries also carry state for later ones
		own := o
		s.chosen, o = &own, record.Options{Context: o.Context}
	}
	s.begin()
	s.streams, s.stream = s.rec.Streams(o), -1
	list := make([]record.Stream[aix.Entry], len(s.streams))
	for i, st := range s.streams {
		list[i] = s.facts.Count(st)
	}
	return newWalk(s, record.Merge(list, s.close), chosen, s.typeOf,
		asked(s.threads, aix.Names{Context: s.facts.Context}))
}

// begin forgets all entries.
func (s *aixSource) begin() {
	*s.facts = facts.Facts{Info: s.rec.Info(), Context: s.rec.Context(s.layouts)}
}

func (s *aixSource) typeFor(r *record.Record, entry any) *Type {
	x := entry.(*aix.Entry)
	if !s.given {
		if s.facts.Context == nil {
			s.begin()
		}
		s.facts.Next(r, x)
	}
	return s.hookType(r.ID, x.Env())
}

func (s *aixSource) prepare(ev *Event) { ev.use(s.text, programs.HookPrinter(s.facts)) }

func (s *aixSource) entries() entries { return &list[aix.Entry]{} }

// successive: texts depend on the facts of all earlier events, and timers run between texts.
func (s *aixSource) successive() bool { return true }

func (s *aixSource) close() {
	for _, st := range s.streams {
		st.Close()
	}
}

func (s *aixSource) typeOf(r *record.Record, x *aix.Entry) *Type {
	if r.Stream != s.stream {
		s.stream, s.facts.File = r.Stream, s.streams[r.Stream].File().Name
	}
	s.facts.Next(r, x)
	if t := leaves(s.chosen, r); t != nil {
		return t
	}
	return s.hookType(r.ID, x.Env())
}

// hookType returns the type of the events of a hook in an environment.
func (s *aixSource) hookType(id uint32, env aix.Env) *Type {
	return s.types[env].At(id, func() *Type {
		h := s.hooks.Hook(uint16(id))
		if !h.Described {
			t := unknown("aix", "%s", aix.HookName(uint16(id)))
			t.program = h.Program(env)
			return t
		}
		p := *h.Program(env)
		named := *p.Event
		named.Group, named.Name, named.Label = "aix", h.Template.Stanza.Hook.Text, h.Template.Label
		p.Event = &named
		return newType(&p)
	})
}

// text appends the text of the template, which may be empty. If the template reports that the event
// is wrong, it appends that message.
func (s *aixSource) text(e *Event, dst []byte) ([]byte, bool) {
	at := len(dst)
	dst, ok := plainText(e, dst)
	if !ok {
		return dst, false
	}
	switch e.printer().Outcome.Reason {
	case render.ExitSkip:
		return dst[:at], false
	case render.ExitError:
		dst = s.facts.AppendError(dst, at, aix.HookName(uint16(e.ID)))
	}
	if s.hooks.Squeezes() {
		dst = programs.Squeeze(dst, at)
	}
	return programs.TrimLines(dst, at), true
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

func (s *aixSource) described(match func(system, name, alias string) bool, yield func(*Type) bool) {
	for id := range uint32(1 << 16) {
		t := s.hooks.Template(uint16(id))
		if t == nil || !match("aix", t.Stanza.Hook.Text, t.Label) {
			continue
		}
		for env := range s.types {
			if !yield(s.hookType(id, aix.Env(env))) {
				return
			}
		}
	}
}

// ids returns nil: facts come from all earlier events.
func (s *aixSource) ids(*chooser) (ids, after []uint32) { return nil, nil }

func (s *aixSource) kinds() (labels, exits bool) { return true, false }

func (s *aixSource) commOf(r *record.Record, entry any) string {
	return aix.Names{Context: s.facts.Context}.Thread(r, entry.(*aix.Entry)).Comm
}
