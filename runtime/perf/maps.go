package perf

import "slices"

// Mapping is a part of a file in the memory of a process, or of the kernel.
type Mapping struct {
	Start, End uint64
	Offset     uint64 // in the file, of Start
	Module     *Module
}

// maps are the mappings of a process, by address. Later ones replace earlier ones at the same
// addresses.
type maps []Mapping

// find returns the mapping of an address.
func (m maps) find(addr uint64) (*Mapping, bool) {
	i, found := slices.BinarySearchFunc(m, addr, func(x Mapping, a uint64) int {
		switch {
		case x.End <= a:
			return -1
		case x.Start > a:
			return 1
		}
		return 0
	})
	if !found {
		return nil, false
	}
	return &m[i], true
}

// add adds a mapping, which replaces the mappings at its addresses.
func (m maps) add(x Mapping) maps {
	if x.End <= x.Start {
		return m
	}
	from, _ := slices.BinarySearchFunc(m, x.Start, func(y Mapping, a uint64) int {
		if y.End <= a {
			return -1
		}
		return 1
	})
	to := from
	var rest []Mapping
	for ; to < len(m) && m[to].Start < x.End; to++ {
		if y := m[to]; y.Start < x.Start {
			y.End = x.Start
			rest = append(rest, y)
		}
	}
	rest = append(rest, x)
	if to > from {
		if y := m[to-1]; y.End > x.End {
			y.Offset += x.End - y.Start
			y.Start = x.End
			rest = append(rest, y)
		}
	}
	return slices.Replace(m, from, to, rest...)
}

// remove removes the mappings that begin at an address.
func (m maps) remove(start uint64) maps {
	return slices.DeleteFunc(m, func(x Mapping) bool { return x.Start == start })
}

// A space is the set of mappings of a process, or of the kernel. Once an Entry refers to it, it
// does not change.
type space struct {
	list   maps
	shared bool // an Entry or another process refers to it
	forked bool // another process refers to it
}

// size returns the memory of its mappings in bytes.
func (s *space) size() int64 { return mappingSize * int64(len(s.list)) }

// share marks the space as shared and returns it.
func (s *space) share() *space {
	if s != nil {
		s.shared = true
	}
	return s
}

// Maps are the mappings at the time of a sample, in its process and in the kernel. They do not
// change, so any goroutine may use them. The zero value has no mappings.
type Maps struct{ kernel, process *space }

// Find returns the mapping of an address. Mode is the mode of the address.
func (m Maps) Find(mode uint16, addr uint64) (*Mapping, bool) {
	s := m.of(mode)
	if s == nil {
		return nil, false
	}
	return s.list.find(addr)
}

func (m Maps) of(mode uint16) *space {
	if mode&modeMask == ModeKernel {
		return m.kernel
	}
	return m.process
}
