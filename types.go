package tracec

import (
	"iter"

	"github.com/tracec/tracec/runtime/aix"
	"github.com/tracec/tracec/runtime/uftrace"
)

// Types returns an iterator over the selected types that the recording or a template describes,
// even without such events. It serves callers that need all fields before the first event. Events
// without a description have other types, without fields. Types compiles and numbers the types. Do
// not call it while events are read.
func (r *Reader) Types() iter.Seq[*Type] {
	return func(yield func(*Type) bool) {
		r.source.described(r.chosen.named, func(t *Type) bool { return !t.chosenBy(&r.chosen) || yield(t) })
	}
}

// Labels reports whether Type.Label may differ from Type.Name in recordings of this kind. Exits
// reports whether some events are returns from functions.
func (r *Reader) Labels() bool { labels, _ := r.source.kinds(); return labels }

// Exits is described with Labels.
func (r *Reader) Exits() bool { _, exits := r.source.kinds(); return exits }

func (s *ftraceSource) kinds() (labels, exits bool)  { return false, false }
func (s *aixSource) kinds() (labels, exits bool)     { return true, false }
func (s *uftraceSource) kinds() (labels, exits bool) { return true, true }
func (s *lttngSource) kinds() (labels, exits bool)   { return false, false }

func (s *ftraceSource) described(match func(system, name, alias string) bool, yield func(*Type) bool) {
	for _, f := range s.rec.Formats() {
		if f.ID >= 0 && match(f.System, f.Name, "") && !yield(s.newType(uint32(f.ID))) {
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

func (s *lttngSource) described(match func(system, name, alias string) bool, yield func(*Type) bool) {
	for _, m := range s.rec.Markers() {
		if match(m.Channel, m.Name, "") && !yield(s.markerType(m)) {
			return
		}
	}
}

func (s *uftraceSource) described(match func(system, name, alias string) bool, yield func(*Type) bool) {
	for _, y := range s.rec.Symbols() {
		if match(y.Module.Name, y.Name, y.Shown()) && (!yield(s.function(y, uftrace.Enter)) || !yield(s.function(y, uftrace.Leave))) {
			return
		}
	}
	for id := range s.eventIDs() {
		if !yield(s.event(id)) {
			return
		}
	}
}
