package uftrace

import (
	"iter"
	"maps"
	"slices"
)

// Events yields the ids and names of the events that the recording describes, in the order of the
// ids: the kernel's tracepoints and the user's own. It omits the events that every recording may
// have (see EventReadStatm and its neighbours).
func (r *Recording) Events() iter.Seq2[uint32, string] {
	return func(yield func(uint32, string) bool) {
		for _, names := range []map[uint32]string{r.meta.tracepoints, r.meta.user} {
			for _, id := range slices.Sorted(maps.Keys(names)) {
				if !yield(id, names[id]) {
					return
				}
			}
		}
	}
}
