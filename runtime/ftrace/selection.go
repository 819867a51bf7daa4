package ftrace

import "github.com/tracec/tracec/runtime/internal/choice"

// selection is the part of the options that a stream observes while it reads.
type selection struct {
	choice *choice.Choice // nil if all records are selected
	kinds  *kindSet       // of choice
	sought bool
	since  uint64
	until  uint64 // 0 means no end
}

// kindSet is a set of ids of events, which have 16 bits. It needs no check of bounds.
type kindSet [1 << 16 / 64]uint64

// newKindSet returns nil for all kinds.
func newKindSet(k *choice.Kinds) *kindSet {
	if k == nil {
		return nil
	}
	set := new(kindSet)
	bits, _ := k.Bits()
	copy(set[:], bits)
	return set
}

func (k *kindSet) has(id uint16) bool { return k[id>>6]>>(id&63)&1 != 0 }
