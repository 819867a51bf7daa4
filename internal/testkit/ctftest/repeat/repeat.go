// Package repeat makes long traces from short ones.
package repeat

import "encoding/binary"

// Offsets in packets of LTTng's user space tracer, in bytes.
const (
	Begin, End, Content, Size, Sequence = 32, 40, 48, 56, 64
)

// Packets repeats the packets of a stream of LTTng's user space tracer until there are size bytes.
// Each repetition is later by 2^32 cycles, so times of 32 bits do not change.
func Packets(once []byte, size int) []byte {
	order := binary.LittleEndian
	count := uint64(0) // number of packets in once
	var times []uint64 // offsets of times of 64 bits
	for at := uint64(0); at < uint64(len(once)); count++ {
		next := at + order.Uint64(once[at+Size:])/8
		times = append(times, timesIn(once, at, at+order.Uint64(once[at+Content:])/8)...)
		at = next
	}
	data := make([]byte, 0, size+len(once))
	for i := uint64(0); len(data) < size; i++ {
		start := uint64(len(data))
		data = append(data, once...)
		for _, at := range times {
			b := data[start+at:]
			order.PutUint64(b, order.Uint64(b)+i<<32)
		}
		at := start
		for n := range count {
			order.PutUint64(data[at+Sequence:], i*count+n)
			at += order.Uint64(data[at+Size:]) / 8
		}
	}
	return data
}

// timesIn returns the offsets of times of 64 bits in a packet: its begin and end, and the times in
// long headers of events. They are the numbers between its begin and its end.
func timesIn(data []byte, at, end uint64) (places []uint64) {
	order := binary.LittleEndian
	first, last := order.Uint64(data[at+Begin:]), order.Uint64(data[at+End:])
	for ; at+8 <= end; at++ {
		if t := order.Uint64(data[at:]); first <= t && t <= last {
			places = append(places, at)
			at += 7
		}
	}
	return places
}
