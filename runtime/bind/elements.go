package bind

import (
	"encoding/binary"
	"iter"
)

// The element types are returned by generated methods for dynamic arrays. They are the bytes of a
// record, read as integers in the byte order of this machine. Elements need not be aligned. An
// incomplete element at the end does not count.
type (
	Int16s  []byte // Int16s holds int16 elements.
	Uint16s []byte // Uint16s holds uint16 elements.
	Int32s  []byte // Int32s holds int32 elements.
	Uint32s []byte // Uint32s holds uint32 elements.
	Int64s  []byte // Int64s holds int64 elements.
	Uint64s []byte // Uint64s holds uint64 elements.
)

// Len returns the number of elements.
func (s Int16s) Len() int { return len(s) / 2 }

// Len returns the number of elements.
func (s Uint16s) Len() int { return len(s) / 2 }

// Len returns the number of elements.
func (s Int32s) Len() int { return len(s) / 4 }

// Len returns the number of elements.
func (s Uint32s) Len() int { return len(s) / 4 }

// Len returns the number of elements.
func (s Int64s) Len() int { return len(s) / 8 }

// Len returns the number of elements.
func (s Uint64s) Len() int { return len(s) / 8 }

// At returns element i, which must be less than Len.
func (s Int16s) At(i int) int16 { return int16(binary.NativeEndian.Uint16(s[2*i:])) }

// At returns element i, which must be less than Len.
func (s Uint16s) At(i int) uint16 { return binary.NativeEndian.Uint16(s[2*i:]) }

// At returns element i, which must be less than Len.
func (s Int32s) At(i int) int32 { return int32(binary.NativeEndian.Uint32(s[4*i:])) }

// At returns element i, which must be less than Len.
func (s Uint32s) At(i int) uint32 { return binary.NativeEndian.Uint32(s[4*i:]) }

// At returns element i, which must be less than Len.
func (s Int64s) At(i int) int64 { return int64(binary.NativeEndian.Uint64(s[8*i:])) }

// At returns element i, which must be less than Len.
func (s Uint64s) At(i int) uint64 { return binary.NativeEndian.Uint64(s[8*i:]) }

// All returns an iterator over the indexes and elements.
func (s Int16s) All() iter.Seq2[int, int16] { return all(s.Len(), s.At) }

// All returns an iterator over the indexes and elements.
func (s Uint16s) All() iter.Seq2[int, uint16] { return all(s.Len(), s.At) }

// All returns an iterator over the indexes and elements.
func (s Int32s) All() iter.Seq2[int, int32] { return all(s.Len(), s.At) }

// All returns an iterator over the indexes and elements.
func (s Uint32s) All() iter.Seq2[int, uint32] { return all(s.Len(), s.At) }

// All returns an iterator over the indexes and elements.
func (s Int64s) All() iter.Seq2[int, int64] { return all(s.Len(), s.At) }

// All returns an iterator over the indexes and elements.
func (s Uint64s) All() iter.Seq2[int, uint64] { return all(s.Len(), s.At) }

func all[T any](n int, at func(int) T) iter.Seq2[int, T] {
	return func(yield func(int, T) bool) {
		for i := range n {
			if !yield(i, at(i)) {
				return
			}
		}
	}
}
