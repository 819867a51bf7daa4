package index

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math/bits"
	"slices"
	"unsafe"
)

// A Builder makes an index. Streams are added one after the other, parts by rising offset.
type Builder struct {
	kinds   []uint32 // in order of appearance
	places  map[uint32]int
	sets    []string // bitmaps of places, without trailing zeros
	numbers map[string]int
	streams []built
	bits    []byte
	take    func(bytes int64) error
	err     error // error of take
}

type built struct {
	name  string
	parts []Part
}

// The memory of a kind, a set and a part, including their entries in tables, but without the bitmap
// of a set.
const (
	kindBytes = 48
	setBytes  = 80
	partBytes = 2 * int64(unsafe.Sizeof(Part{}))
)

// NewBuilder returns a Builder of an index without parts. It calls take for the memory that it
// needs. If nil, there is no limit. If take fails, [Builder.Index] returns the error.
func NewBuilder(take func(bytes int64) error) *Builder {
	if take == nil {
		take = func(int64) error { return nil }
	}
	return &Builder{places: map[uint32]int{}, numbers: map[string]int{}, take: take}
}

// Stream begins a stream.
func (b *Builder) Stream(name string) { b.streams = append(b.streams, built{name: name}) }

// Kinds collects the kinds of the records of a part. It takes little memory for any number of
// records.
type Kinds []uint32

// mostKinds is the number of kinds that are collected before duplicates are removed.
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

// Add adds a part of the last stream, with the kinds of its records. kinds may have duplicates.
func (b *Builder) Add(p Part, kinds Kinds) {
	b.bits = b.bits[:0]
	for _, k := range kinds {
		at := b.place(k)
		for at/8 >= len(b.bits) {
			b.bits = append(b.bits, 0)
		}
		b.bits[at/8] |= 1 << (at % 8)
	}
	n, ok := b.numbers[string(b.bits)]
	need := partBytes
	if !ok {
		need += setBytes + int64(len(b.bits))
	}
	if !b.room(need) {
		return
	}
	if !ok {
		n = len(b.sets)
		set := string(b.bits)
		b.sets, b.numbers[set] = append(b.sets, set), n
	}
	p.Set = n
	s := &b.streams[len(b.streams)-1]
	s.parts = append(s.parts, p)
}

// place returns the index of a kind in b.kinds.
func (b *Builder) place(kind uint32) int {
	i, ok := b.places[kind]
	if !ok && b.room(kindBytes) {
		i = len(b.kinds)
		b.kinds, b.places[kind] = append(b.kinds, kind), i
	}
	return i
}

// room takes memory. It returns false if there is not enough, which makes the index useless.
func (b *Builder) room(bytes int64) bool {
	if b.err == nil {
		b.err = b.take(bytes)
	}
	return b.err == nil
}

// Kinds returns the number of kinds of records so far.
func (b *Builder) Kinds() int { return len(b.kinds) }

// Index returns the index without the identity of the recording. Its error comes from the take
// function of NewBuilder.
func (b *Builder) Index() (*Index, error) {
	x := &Index{Kinds: slices.Sorted(slices.Values(b.kinds)), count: len(b.sets)}
	size := x.setSize()
	if !b.room(int64(size) * int64(len(b.sets))) {
		return nil, b.err
	}
	x.sets = make([]byte, size*len(b.sets))
	order := make([]int, len(b.kinds)) // the index in x.Kinds of each place
	for place, k := range b.kinds {
		order[place], _ = slices.BinarySearch(x.Kinds, k)
	}
	for i, set := range b.sets {
		for j := range len(set) {
			for left := set[j]; left != 0; left &= left - 1 {
				at := order[8*j+bits.TrailingZeros8(left)]
				x.sets[i*size+at/8] |= 1 << (at % 8)
			}
		}
	}
	for _, s := range b.streams {
		out := Stream{Name: s.name, Parts: len(s.parts), sets: x.count}
		var before Part
		for _, p := range s.parts {
			out.parts = binary.AppendUvarint(out.parts, uint64(p.At-before.At))
			out.parts = binary.AppendUvarint(out.parts, uint64(p.Bytes))
			out.parts = binary.AppendVarint(out.parts, int64(p.First-before.First))
			out.parts = binary.AppendUvarint(out.parts, p.Last-p.First)
			out.parts = binary.AppendUvarint(out.parts, uint64(p.Records))
			out.parts = binary.AppendUvarint(out.parts, uint64(p.Set))
			before = p
		}
		x.add(out)
	}
	return x, nil
}

// AppendBinary appends the file of the index. It implements encoding.BinaryAppender. If the file is
// larger than [MostBytes], no reader would accept it, and the error is [ErrLarge].
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
	dst = binary.LittleEndian.AppendUint32(dst, crc32.ChecksumIEEE(dst[begin:]))
	if n, most := int64(len(dst)-begin), MostBytes(x.Size); n > most {
		return dst[:begin], fmt.Errorf("%w: %d bytes, at most %d are read", ErrLarge, n, most)
	}
	return dst, nil
}
