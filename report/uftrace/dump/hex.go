package dump

import (
	"encoding/binary"
	"fmt"

	"github.com/tracec/tracec/runtime/uftrace"
)

// hexLines prints the bytes of records for --debug. The offset at the start of a line is the number
// of printed bytes of the file. It is not the offset in the file, since the length of an event's
// data and the padding after it are not counted.
type hexLines struct {
	offset uint64
	// stale holds the bytes of printed payloads. uftrace fills a shorter payload up with the
	// remaining bytes of an earlier one.
	stale [1024]byte
	word  [16]byte
}

const hexDigits = "0123456789abcdef"

// append appends lines of 16 bytes: ` <0000000000000010>: b1 5b … 2f …`.
func (h *hexLines) append(dst, data []byte) []byte {
	for len(data) > 0 {
		n := min(len(data), 16)
		dst = fmt.Appendf(dst, " <%016x>:", h.offset)
		for i, b := range data[:n] {
			if i == 8 {
				dst = append(dst, ' ')
			}
			dst = append(dst, ' ', hexDigits[b>>4], hexDigits[b&15])
		}
		dst = append(dst, '\n')
		h.offset += uint64(n)
		data = data[n:]
	}
	return dst
}

// record returns the 16 bytes of a record (uftrace.md 1.6), in the byte order of the recording.
func (h *hexLines) record(big bool, time uint64, e *uftrace.Entry) []byte {
	word := uint64(e.Kind) | 5<<3 | uint64(e.Depth)<<6 | e.Addr<<16
	if e.More {
		word |= 4
	}
	var order binary.ByteOrder = binary.LittleEndian
	if big {
		order = binary.BigEndian
	}
	order.PutUint64(h.word[:8], time)
	order.PutUint64(h.word[8:], word)
	return h.word[:]
}

// payload returns the bytes of values, filled up to a multiple of 8.
func (h *hexLines) payload(data []byte) []byte {
	padded := (len(data) + 7) &^ 7
	if padded > len(h.stale) {
		return data
	}
	// In the block that was read, the padding follows the payload.
	tail := data[:min(cap(data), padded)]
	copy(h.stale[:], tail)
	return h.stale[:padded]
}
