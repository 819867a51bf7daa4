package uftrace

import "encoding/binary"

// maxString bounds the length of a string: payloads have at most 1020 bytes (uftrace.md 1.6).
const maxString = 1020

// payloadSize is the size of a payload without the final padding. data begins with it and may go on behind. It is not
// ok when data is too short for the values.
func payloadSize(specs []Spec, data []byte, bigEndian bool) (n int, ok bool) {
	for i := range specs {
		s := &specs[i]
		size := s.Size
		if s.Format == 's' || s.Format == 'S' {
			if n+2 > len(data) {
				return 0, false
			}
			size = int(binary.LittleEndian.Uint16(data[n:]))
			if bigEndian {
				size = int(binary.BigEndian.Uint16(data[n:]))
			}
			if size > maxString {
				return 0, false
			}
			size += 2
		}
		if size < 0 || size > len(data) {
			return 0, false
		}
		if n += (size + 3) &^ 3; n > len(data) {
			return 0, false
		}
	}
	return n, true
}
