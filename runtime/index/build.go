package index

import (
	"encoding/binary"
	"hash/crc32"
	"slices"
)

// Builder makes an index. Streams come one after the other, parts by rising offset.
type Builder struct {
	kinds   []uint32 // in the order they came
	places  map[uint32]int
	sets    [][]int // places of kinds, sorted
	numbers map[string]int
	streams []built
	key     []byte
}

type built struct {
	name  string
	parts []Part
}

// NewBuilder returns a Builder of an index without parts.
func NewBuilder() *Builder {
	return &Builder{places: map[uint32]int{}, numbers: map[string]int{}}
}

// Stream begins a stream.
func (b *Builder) Stream(name string) { b.streams = append(b.streams, built{name: name}) }

// Kinds collects the kinds of records of a part. It takes little memory, however many records there are.
type Kinds []uint32

// mostKinds are collected until those that came several times are left out.
const mostKinds = 4096

// Add adds the kind of a record.
func (k *Kinds) Add(kind uint32) {
	n := len(*k)
	if n > 0 && (*k)[n-1] == kind {
		return
	}
	if n >= mostKinds && n == cap(*k) {
		k.compact()
	}
	*k = append(*k, kind)
}

func (k *Kinds) compact() {
	slices.Sort(*k)
	*k = slices.Compact(*k)
}

// Add adds a part of the stream that was begun last, whose records are of some kinds. kinds may have one several times, and is sorted.
func (b *Builder) Add(p Part, kinds Kinds) {
	kinds.compact()
	b.key = b.key[:0]
	for _, k := range kinds {
		b.key = binary.LittleEndian.AppendUint32(b.key, k)
	}
	n, ok := b.numbers[string(b.key)]
	if !ok {
		n = len(b.sets)
		set := make([]int, len(kinds))
		for i, k := range kinds {
			set[i] = b.place(k)
		}
		b.sets, b.numbers[string(b.key)] = append(b.sets, set), n
	}
	p.Set = n
	s := &b.streams[len(b.streams)-1]
	s.parts = append(s.parts, p)
}

// place returns the place of a kind in kinds.
func (b *Builder) place(kind uint32) int {
	i, ok := b.places[kind]
	if !ok {
		i = len(b.kinds)
		b.kinds, b.places[kind] = append(b.kinds, kind), i
	}
	return i
}

// Index returns the index, without what it says of the recording as a whole.
func (b *Builder) Index() *Index {
	x := &Index{Kinds: slices.Sorted(slices.Values(b.kinds)), count: len(b.sets)}
	size := x.setSize()
	x.sets = make([]byte, size*len(b.sets))
	for i, set := range b.sets {
		for _, place := range set {
			at, _ := slices.BinarySearch(x.Kinds, b.kinds[place])
			x.sets[i*size+at/8] |= 1 << (at % 8)
		}
	}
	for _, s := range b.streams {
		out := Stream{Name: s.name, Parts: len(s.parts), sets: x.count}
		var before Part
		for _, p := range s.parts {
			out.parts = binary.AppendUvarint(out.parts, uint64(p.At-before.At))
			out.parts = binary.AppendVarint(out.parts, int64(p.First-before.First))
			out.parts = binary.AppendUvarint(out.parts, p.Last-p.First)
			out.parts = binary.AppendUvarint(out.parts, uint64(p.Records))
			out.parts = binary.AppendUvarint(out.parts, uint64(p.Set))
			before = p
		}
		x.add(out)
	}
	return x
}

// AppendBinary appends the file. It implements encoding.BinaryAppender.
func (x *Index) AppendBinary(dst []byte) ([]byte, error) {
	begin := len(dst)
	dst = append(dst, magic...)
	dst = binary.AppendUvarint(dst, Version)
	dst = binary.AppendUvarint(dst, uint64(x.Size))
	dst = binary.AppendVarint(dst, x.Modified.UnixNano())
	dst = append(dst, x.Probe[:]...)
	dst = binary.AppendUvarint(dst, uint64(len(x.Kinds)))
	before := uint32(0)
	for _, k := range x.Kinds {
		dst = binary.AppendUvarint(dst, uint64(k-before))
		before = k
	}
	dst = append(binary.AppendUvarint(dst, uint64(x.count)), x.sets...)
	dst = binary.AppendUvarint(dst, uint64(len(x.Streams)))
	for i := range x.Streams {
		s := &x.Streams[i]
		dst = append(binary.AppendUvarint(dst, uint64(len(s.Name))), s.Name...)
		dst = binary.AppendUvarint(dst, uint64(s.Parts))
		dst = append(binary.AppendUvarint(dst, uint64(len(s.parts))), s.parts...)
	}
	return binary.LittleEndian.AppendUint32(dst, crc32.ChecksumIEEE(dst[begin:])), nil
}
