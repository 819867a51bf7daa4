package tracec

import "iter"

// Types returns an iterator over the selected types that the recording or a template describes,
// including types without events. It serves callers that need all fields before the first event.
// Events without a description have other types, without fields. Types compiles and numbers the
// types. Do not call it while events are read.
func (r *Reader) Types() iter.Seq[*Type] {
	return func(yield func(*Type) bool) {
		r.source.described(r.chosen.named, func(t *Type) bool { return !t.chosenBy(&r.chosen) || yield(t) })
	}
}

// Labels reports whether [Type.Label] may differ from [Type.Name] in recordings of the system.
func (r *Reader) Labels() bool { labels, _ := r.source.kinds(); return labels }

// Exits reports whether recordings of the system have events that are returns from functions:
// [Type.Exit].
func (r *Reader) Exits() bool { _, exits := r.source.kinds(); return exits }
