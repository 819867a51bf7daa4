package tracec

import (
	"slices"

	"github.com/tracec/tracec/internal/programs"
	"github.com/tracec/tracec/runtime/ctf"
	"github.com/tracec/tracec/runtime/record"
)

// ctfSource reads traces in the Common Trace Format.
type ctfSource struct {
	rec    *ctf.Recording
	events *programs.CTF
	types  programs.Table[Type] // by Event.Index
}

func newCTF(rec *ctf.Recording) *ctfSource {
	return &ctfSource{rec: rec, events: programs.NewCTF(rec)}
}

func (s *ctfSource) open(o record.Options, chosen *chooser) walker {
	return newWalk(s, s.rec.Merge(o), chosen, s.typeOf, nil)
}

func (s *ctfSource) prepare(ev *Event) {
	ev.use(plainText, programs.NewPrinter(s.events.Env()))
}

func (s *ctfSource) entries() entries { return &list[ctf.Entry]{} }

func (s *ctfSource) successive() bool { return false }

func (s *ctfSource) typeOf(_ *record.Record, x *ctf.Entry) *Type { return s.eventType(x.Event) }

func (s *ctfSource) typeFor(_ *record.Record, entry any) *Type {
	return s.eventType(entry.(*ctf.Entry).Event)
}

func (s *ctfSource) eventType(e *ctf.Event) *Type {
	return s.types.At(uint32(e.Index), func() *Type { return newType(s.events.Program(e)) })
}

func (s *ctfSource) names(yield func(system, name, alias string) bool) {
	for _, e := range s.rec.Events() {
		system, name := e.Title()
		if !yield(system, name, "") {
			return
		}
	}
}

func (s *ctfSource) described(match func(system, name, alias string) bool, yield func(*Type) bool) {
	for _, e := range s.rec.Events() {
		if system, name := e.Title(); match(system, name, "") && !yield(s.eventType(e)) {
			return
		}
	}
}

func (s *ctfSource) ids(c *chooser) (ids, after []uint32) {
	ids = []uint32{}
	for _, e := range s.rec.Events() {
		if system, name := e.Title(); c.named(system, name, "") {
			ids = append(ids, uint32(e.Index))
		}
	}
	events := s.rec.Events()
	return slices.Clip(c.narrowed(ids, func(id uint32) *Type { return s.eventType(events[id]) })), nil
}

func (s *ctfSource) kinds() (labels, exits bool) { return false, false }

func (s *ctfSource) commOf(*record.Record, any) string { return "" }
