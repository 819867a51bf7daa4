package dynamic

import (
	"fmt"
	"iter"
	"strings"

	"github.com/tracec/tracec/compiler/ftrace/recorded"
	"github.com/tracec/tracec/compiler/interp"
	"github.com/tracec/tracec/compiler/ir"
	markers "github.com/tracec/tracec/compiler/lttng/recorded"
	"github.com/tracec/tracec/compiler/trcfmt"
	"github.com/tracec/tracec/runtime/aix"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/lttng"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
)

// merged is a merge of any container.
type merged[E any] interface {
	All() iter.Seq2[*record.Record, *E]
	Err() error
	Close()
}

// walk yields the events of m that are chosen; typ says what one is.
func walk[E any](m merged[E], ev *Event, typ func(*record.Record, *E) *Type, yield func() bool) error {
	defer m.Close()
	for r, x := range m.All() {
		t := typ(r, x)
		if t.choice == undecided {
			t.choose(ev.chosen)
		}
		if t.choice == passed {
			continue
		}
		ev.next(r, t)
		if _, none := any(x).(*record.None); !none {
			ev.Entry = x
		}
		if !yield() {
			break
		}
	}
	return m.Err()
}

// unknown is the type of events that nothing describes.
func unknown(system, format string, args ...any) *Type {
	name := fmt.Sprintf(format, args...)
	return &Type{System: system, Name: name, Label: name, Err: errorString("nothing describes it")}
}

// run gives an event the machine that its programs run on.
func (e *Event) run(env *render.Env) {
	e.outcome = &render.Outcome{}
	env.Outcome = e.outcome
	e.machine = interp.NewMachine(env)
	e.machine.Keep = e.keep // once: a method value is allocated
}

// ftraceSource reads recordings of ftrace.
type ftraceSource struct {
	rec     *ftrace.Recording
	target  ir.Target
	formats map[uint32]*ftrace.Format
	types   []*Type // by id
}

func newFtrace(rec *ftrace.Recording) *ftraceSource {
	s := &ftraceSource{rec: rec, target: recorded.Target(rec.Info()), formats: map[uint32]*ftrace.Format{}}
	for _, f := range rec.Formats() {
		s.formats[uint32(f.ID)] = f
	}
	return s
}

func (s *ftraceSource) names(yield func(system, name, alias string) bool) bool {
	for _, f := range s.rec.Formats() {
		if !yield(f.System, f.Name, "") {
			break
		}
	}
	return true
}

func (s *ftraceSource) each(o record.Options, ev *Event, yield func() bool) error {
	ev.run(recorded.Env(s.rec, s.target))
	return walk(s.rec.Merge(ftrace.StreamOptions{Options: o}), ev, s.typeOf, yield)
}

func (s *ftraceSource) typeOf(r *record.Record, _ *record.None) *Type {
	if r.ID > maxID {
		return unknown("", "%d", r.ID)
	}
	return known(&s.types, r.ID, func() *Type {
		if f := s.formats[r.ID]; f != nil {
			return newType(recorded.Compile(f, s.target), s.target)
		}
		return unknown("", "%d", r.ID)
	})
}

// maxID bounds tables by id: common_type has 16 bits, as hook ids have. A damaged description can say otherwise.
const maxID = 1<<16 - 1

// known returns the type of an id or of a position, which is made when it first comes.
func known(types *[]*Type, id uint32, make func() *Type) *Type {
	for uint32(len(*types)) <= id {
		*types = append(*types, nil)
	}
	t := &(*types)[id]
	if *t == nil {
		*t = make()
	}
	return *t
}

// aixSource reads AIX traces.
type aixSource struct {
	rec       *aix.Recording
	templates *trcfmt.Result
	types     [4][]*Type // by environment and hook id
}

func newAIX(rec *aix.Recording, templates *trcfmt.Result) *aixSource {
	return &aixSource{rec: rec, templates: templates}
}

// names knows the hooks that templates describe. Events of others have numbers for names.
func (s *aixSource) names(yield func(system, name, alias string) bool) bool {
	if s.templates != nil {
		for _, t := range s.templates.Templates {
			if !yield("trcfmt", t.Stanza.Hook.Text, t.Label) {
				break
			}
		}
	}
	return false
}

func (s *aixSource) each(o record.Options, ev *Event, yield func() bool) error {
	ev.run(&render.Env{BigEndian: true, WordSize: 8})
	return walk(s.rec.Merge(o), ev, s.typeOf, yield)
}

func (s *aixSource) typeOf(r *record.Record, x *aix.Entry) *Type {
	env := x.Env()
	return known(&s.types[env], r.ID, func() *Type {
		if s.templates != nil {
			if t := s.templates.Hook(uint16(r.ID)); t != nil {
				ev := *t.Events[env]
				ev.Name, ev.Label = t.Stanza.Hook.Text, t.Label
				return newType(&ev, trcfmt.Envs[env].Target())
			}
		}
		return unknown("trcfmt", "%s", strings.TrimSuffix(fmt.Sprintf("%04X", r.ID), "0")) // ids of three digits end with it
	})
}

// lttngSource reads traces of LTTng.
type lttngSource struct {
	rec   *lttng.Recording
	types []*Type // by Marker.Index
	none  *Type
}

func newLTTng(rec *lttng.Recording) *lttngSource {
	return &lttngSource{rec: rec, none: unknown("", "unknown")}
}

func (s *lttngSource) names(yield func(system, name, alias string) bool) bool {
	for _, m := range s.rec.Markers() {
		if !yield(m.Channel, m.Name, "") {
			break
		}
	}
	return true
}

func (s *lttngSource) each(o record.Options, ev *Event, yield func() bool) error {
	t := markers.Target(s.rec.Traces()[0].Info())
	ev.run(&render.Env{BigEndian: t.BigEndian, WordSize: t.WordSize})
	return walk(s.rec.MergeTasks(o), ev, s.typeOf, yield)
}

func (s *lttngSource) typeOf(_ *record.Record, x *lttng.Entry) *Type {
	m := x.Marker
	if m == nil {
		return s.none
	}
	return known(&s.types, uint32(m.Index), func() *Type {
		ev, err := markers.Compile(m, markers.Rules(m.Trace().Info()))
		t := newType(ev, markers.Target(m.Trace().Info()))
		if err != nil {
			t.Err = err
		}
		return t
	})
}
