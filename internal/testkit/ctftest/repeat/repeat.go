// Package repeat makes long traces out of short ones.
package repeat

import "encoding/binary"

// Places in packets of LTTng's user space tracer, in bytes.
const (
	Begin, End, Content, Size, Sequence = 32, 40, 48, 56, 64
)

// Packets returns the packets of a stream of LTTng's user space tracer again and again, until there
// are size bytes. Each time they are later by 2^32 cycles, so times of 32 bits stay as they are.
func Packets(once []byte, size int) []byte {
	count := uint64(0) // of packets in once
	for at := uint64(0); at < uint64(len(once)); count++ {
		at += binary.LittleEndian.Uint64(once[at+Size:]) / 8
	}
	data := make([]byte, 0, size+len(once))
	for i := uint64(0); len(data) < size; i++ {
		at := uint64(len(data))
		data = append(data, once...)
		for n := range count {
			b := data[at:]
			binary.LittleEndian.PutUint64(b[Begin:], binary.LittleEndian.Uint64(b[Begin:])+i<<32)
			binary.LittleEndian.PutUint64(b[End:], binary.LittleEndian.Uint64(b[End:])+i<<32)
			binary.LittleEndian.PutUint64(b[Sequence:], i*count+n)
			at += binary.LittleEndian.Uint64(b[Size:]) / 8
		}
	}
	return data
}
