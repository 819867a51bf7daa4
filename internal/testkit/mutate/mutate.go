// Package mutate damages recordings and descriptions for tests: blindly, as disks and networks do,
// and with knowledge of their formats, as an attacker would. All changes follow a random source, so
// that a seed gives the same mutant again.
package mutate

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
)

// Tree is an input: its files by path. A single file has the path "".
type Tree map[string][]byte

// Clone copies a tree, but not the bytes of its files, which mutators replace.
func (t Tree) Clone() Tree { return maps.Clone(t) }

func (t Tree) names() []string { return slices.Sorted(maps.Keys(t)) }

// Size returns the number of bytes of all files.
func (t Tree) Size() (n int) {
	for _, b := range t {
		n += len(b)
	}
	return n
}

// Place is a number in a file that determines how the rest is read: a size, a count, an offset, a
// header.
type Place struct {
	File  string
	Off   int
	Len   int // 1, 2, 4 or 8 bytes
	Order binary.ByteOrder
	What  string
}

// Sample is an intact input and its known places.
type Sample struct {
	Name   string
	Tree   Tree
	Places []Place
	Texts  []string // paths of text files
}

// Mutant is a damaged input.
type Mutant struct {
	Tree  Tree
	Steps []string       // names of the changes, in order
	First map[string]int // offset of the first different byte, by file
}

// Mutate makes a mutant with one to four changes. It may use bytes of other samples.
func (s *Sample) Mutate(r *rand.Rand, others []*Sample) *Mutant {
	m := &Mutant{Tree: s.Tree.Clone(), First: map[string]int{}}
	for range 1 + steps(r) {
		switch n := r.IntN(10); {
		case n < 5 && len(s.Places) > 0:
			m.number(r, s.Places[r.IntN(len(s.Places))])
		case n < 7 && len(s.Texts) > 0:
			m.text(r, s.Texts[r.IntN(len(s.Texts))])
		case n == 9 && len(m.Tree) > 1:
			m.files(r)
		default:
			m.blind(r, others)
		}
	}
	return m
}

// steps is usually 0, since the loss of a single change can be checked.
func steps(r *rand.Rand) int { return max(0, r.IntN(8)-4) }

func (m *Mutant) note(file string, off int, format string, args ...any) {
	if first, ok := m.First[file]; !ok || off < first {
		m.First[file] = off
	}
	step := fmt.Sprintf(format, args...)
	if file != "" {
		step = file + ": " + step
	}
	m.Steps = append(m.Steps, fmt.Sprintf("%s at %d", step, off))
}

// number changes the value of a number.
func (m *Mutant) number(r *rand.Rand, p Place) {
	b := m.Tree[p.File]
	if p.Off+p.Len > len(b) {
		return
	}
	b = slices.Clone(b)
	field := b[p.Off : p.Off+p.Len]
	old := get(field, p.Order)
	v := Number(r, old, p.Len)
	put(field, p.Order, v)
	m.Tree[p.File] = b
	m.note(p.File, p.Off, "%s %#x for %#x", p.What, get(field, p.Order), old)
}

func get(b []byte, order binary.ByteOrder) uint64 {
	switch len(b) {
	case 1:
		return uint64(b[0])
	case 2:
		return uint64(order.Uint16(b))
	case 4:
		return uint64(order.Uint32(b))
	}
	return order.Uint64(b)
}

func put(b []byte, order binary.ByteOrder, v uint64) {
	switch len(b) {
	case 1:
		b[0] = byte(v)
	case 2:
		order.PutUint16(b, uint16(v))
	case 4:
		order.PutUint32(b, uint32(v))
	default:
		order.PutUint64(b, v)
	}
}

// Number returns a value that readers may not expect instead of old, a number of size bytes.
func Number(r *rand.Rand, old uint64, size int) uint64 {
	bits := uint(8 * size)
	switch r.IntN(12) {
	case 0:
		return 0
	case 1:
		return 1<<bits - 1
	case 2:
		return 1 << (bits - 1)
	case 3:
		return 1<<(bits-1) - 1
	case 4:
		return old + 1
	case 5:
		return old - 1
	case 6:
		return old * 2
	case 7:
		return old / 2
	case 8:
		return old ^ 1<<r.UintN(bits)
	case 9:
		return old + uint64(r.IntN(64)) - 32
	case 10:
		return 1 << r.UintN(bits)
	}
	return r.Uint64()
}

// files adds, removes or exchanges files.
func (m *Mutant) files(r *rand.Rand) {
	names := m.Tree.names()
	a, b := names[r.IntN(len(names))], names[r.IntN(len(names))]
	switch r.IntN(4) {
	case 0:
		delete(m.Tree, a)
		m.note(a, 0, "removed")
	case 1:
		m.Tree[a] = nil
		m.note(a, 0, "emptied")
	case 2:
		m.Tree[a] = m.Tree[b]
		m.note(a, 0, "has the content of %s", b)
	case 3:
		m.Tree[a], m.Tree[b] = m.Tree[b], m.Tree[a]
		m.note(a, 0, "changed places with %s", b)
		m.note(b, 0, "changed places with %s", a)
	}
}
