package uftrace

import "encoding/binary"

// Integer reads argument index of a call of the symbol from the payload of its entry record. ok is
// false if the spec has no integer format (d, i, u, x, o, c, p, e), or if the payload ends before
// the argument. v has the low 8*size bits of the value. The other bits are 0.
func (s *Symbol) Integer(index int, payload []byte, bigEndian bool) (value uint64, spec *Spec, ok bool) {
	for i := range s.Args {
		a := &s.Args[i]
		size, ok := a.sizeIn(payload, bigEndian)
		if !ok {
			return 0, nil, false
		}
		if a.Index == index && a.isInteger() {
			value := payload[:size]
			var v uint64
			for k := range value {
				if bigEndian {
					v = v<<8 | uint64(value[k])
				} else {
					v |= uint64(value[k]) << (8 * k)
				}
			}
			return v, a, true
		}
		payload = payload[min((size+3)&^3, len(payload)):]
	}
	return 0, nil, false
}

// HasInteger reports whether Integer can find argument index of the symbol.
func (s *Symbol) HasInteger(index int) bool {
	for i := range s.Args {
		if a := &s.Args[i]; a.Index == index && a.isInteger() {
			return true
		}
	}
	return false
}

func (s *Spec) isInteger() bool {
	switch s.Format {
	case 's', 'S', 'f', 't':
		return false
	}
	return !s.Float && !s.Result && s.Size >= 1 && s.Size <= 8
}

// sizeIn returns the size of a value at the begin of data, without padding. ok is false if data
// ends before the value does.
func (s *Spec) sizeIn(data []byte, bigEndian bool) (size int, ok bool) {
	size = s.Size
	if s.Format == 's' || s.Format == 'S' {
		if len(data) < 2 {
			return 0, false
		}
		size = int(binary.LittleEndian.Uint16(data))
		if bigEndian {
			size = int(binary.BigEndian.Uint16(data))
		}
		if size > maxString {
			return 0, false
		}
		size += 2
	}
	return size, size >= 0 && size <= len(data)
}
