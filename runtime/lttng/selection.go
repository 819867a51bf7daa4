package lttng

import (
	"github.com/tracec/tracec/runtime/internal/choice"

	"github.com/tracec/tracec/runtime/index"
)

// selection is the part of the options that a stream observes while it reads.
type selection struct {
	choice       *choice.Choice  // nil selects all
	kinds        []uint64        // a bit for each selected Marker.Index; if nil, fill does not check
	since, until uint64          // bounds of choice; an until of 0 means no end
	unwanted     *index.Unwanted // parts to skip, by the index; may be nil
}

// wants reports whether events of a kind are selected, as far as fill checks.
func (s *selection) wants(id uint32) bool {
	w := int(id >> 6)
	return s.kinds == nil || w < len(s.kinds) && s.kinds[w]>>(id&63)&1 != 0
}

// kindBits returns a bit for each kind of a set. It returns nil for all kinds, and for a set that
// fill cannot check.
func kindBits(k *choice.Kinds) []uint64 {
	bits, complete := k.Bits()
	switch {
	case !complete:
		return nil
	case bits == nil: // no kind is selected
		return []uint64{}
	}
	return bits
}
