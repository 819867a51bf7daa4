package uftrace

// maxString limits the length of a string: payloads have at most 1020 bytes (uftrace.md 1.6).
const maxString = 1020

// payloadSize returns the size of a payload without the final padding. data begins with the payload
// and may be longer. ok is false if data is too short for the values.
func payloadSize(specs []Spec, data []byte, bigEndian bool) (n int, ok bool) {
	for i := range specs {
		size, ok := specs[i].sizeIn(data[n:], bigEndian)
		if !ok {
			return 0, false
		}
		if n += (size + 3) &^ 3; n > len(data) {
			return 0, false
		}
	}
	return n, true
}
