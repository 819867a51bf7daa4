package choice

import "slices"

// members is a set of numbers. Queries often repeat the same number.
type members struct {
	all   bool
	list  []int32 // sorted
	last  int32   // last number queried
	found bool
}

func newMembers(list []int32) members {
	if list == nil {
		return members{all: true}
	}
	m := members{list: slices.Sorted(slices.Values(list)), last: -1}
	m.found = m.find(m.last)
	return m
}

func (m *members) has(x int32) bool {
	if m.all || x == m.last {
		return m.all || m.found
	}
	m.last, m.found = x, m.find(x)
	return m.found
}

// find searches for a number. Negative numbers are never members.
func (m *members) find(x int32) bool {
	_, found := slices.BinarySearch(m.list, x)
	return found && x >= 0
}

// Kinds is a set of values of record.Record.ID.
type Kinds struct {
	all   bool
	list  []uint32 // as given
	bits  []uint64 // of ids below maxBits
	large []uint32 // sorted
}

// maxBits bounds the bits. Ids of most containers have 16 bits.
const maxBits = 1 << 16

func newKinds(list []uint32) Kinds {
	k := Kinds{all: list == nil, list: list}
	for _, id := range list {
		if id >= maxBits {
			k.large = append(k.large, id)
			continue
		}
		for int(id>>6) >= len(k.bits) {
			k.bits = append(k.bits, 0)
		}
		k.bits[id>>6] |= 1 << (id & 63)
	}
	slices.Sort(k.large)
	return k
}

// none reports whether the set is empty.
func (k *Kinds) none() bool { return !k.all && k.bits == nil && k.large == nil }

// Has reports whether a kind is in the set.
func (k *Kinds) Has(id uint32) bool {
	if i := int(id >> 6); i < len(k.bits) {
		return k.bits[i]>>(id&63)&1 != 0
	}
	return k.all || k.hasLarge(id)
}

func (k *Kinds) hasLarge(id uint32) bool {
	_, found := slices.BinarySearch(k.large, id)
	return found
}

// Bits returns a bit for each kind of the set below 1<<16, in as few words as possible. They are
// complete if no other kind is in the set. k may be nil, for all kinds.
func (k *Kinds) Bits() (bits []uint64, complete bool) {
	if k == nil {
		return nil, false
	}
	return k.bits, len(k.large) == 0
}

// List returns the kinds of the set. It returns nil if k is nil, for all kinds.
func (k *Kinds) List() []uint32 {
	if k == nil {
		return nil
	}
	return k.list
}
