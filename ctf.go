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

	naming  *ctf.Names
	threads bool            // follow names of threads
	chosen  *record.Options // the selection to apply above the container; nil selects all
}

func newCTF(rec *ctf.Recording, o *options) *ctfSource {
	return &ctfSource{rec: rec, events: programs.NewCTF(rec), naming: rec.Names(), threads: o.threads}
}

func (s *ctfSource) open(o record.Options, chosen *chooser) walker {
	s.naming, s.chosen = s.rec.Names(), nil
	if s.threads && o.After == nil && !s.rec.OwnNames() { // skipped events also carry names of threads
		own := o
		s.chosen, o = &own, record.Options{Until: o.Until, LostSince: o.Since, Workers: o.Workers, Context: o.Context}
	}
	return newWalk(s, s.rec.MergeTasks(o), chosen, s.typeOf, asked(s.threads, s.naming))
}

func (s *ctfSource) prepare(ev *Event) {
	ev.use(plainText, programs.NewPrinter(s.events.Env()))
}

func (s *ctfSource) entries() entries { return &list[ctf.Entry]{} }

func (s *ctfSource) successive() bool { return false }

func (s *ctfSource) typeOf(r *record.Record, x *ctf.Entry) *Type {
	if s.threads {
		s.naming.Follow(r, x)
	}
	if t := leaves(s.chosen, r); t != nil {
		return t
	}
	return s.eventType(x.Event)
}

func (s *ctfSource) typeFor(r *record.Record, entry any) *Type {
	return s.typeOf(r, entry.(*ctf.Entry))
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

func (s *ctfSource) commOf(r *record.Record, entry any) string {
	return s.naming.Thread(r, entry.(*ctf.Entry)).Comm
}
