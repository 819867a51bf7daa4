package plugin

import (
	"encoding/binary"

	"github.com/tracec/tracec/compiler/interp"
	"github.com/tracec/tracec/compiler/ir"
)

// layout finds the fields of an event and remembers the minimum length of its records.
type layout struct {
	ev      *ir.Event
	target  ir.Target
	missing bool
	end     int
}

// maxRecord bounds the offsets of fields, so that sums of them cannot overflow. No ring buffer has
// longer records.
const maxRecord = 1 << 24

// find returns the field of that name. It returns nil if the field is missing or has an impossible
// offset.
func (l *layout) find(name string) *ir.Field {
	for _, f := range l.ev.Fields {
		if f.Name != name {
			continue
		}
		if f.Offset < 0 || f.Offset > maxRecord || f.Size < 0 || f.Size > maxRecord {
			return nil
		}
		return f
	}
	return nil
}

// has reports whether the event has an integer field of that name.
func (l *layout) has(name string) bool {
	f := l.find(name)
	return f != nil && f.Kind == ir.Int
}

// num returns the integer field of that name, which must exist.
func (l *layout) num(name string) *interp.Reader {
	f := l.find(name)
	if f == nil || f.Kind != ir.Int {
		l.missing = true
		return nil
	}
	switch f.Size {
	case 1, 2, 4, 8:
	default:
		l.missing = true
		return nil
	}
	l.end = max(l.end, f.Offset+f.Size)
	return interp.NewReader(f, l.target)
}

// array returns the fixed array of that name, which must exist.
func (l *layout) array(name string) span {
	f := l.find(name)
	if f == nil || f.Kind != ir.Array && f.Kind != ir.Bytes {
		l.missing = true
		return span{}
	}
	l.end = max(l.end, f.Offset+f.Size)
	return span{f.Offset, f.Offset + f.Size}
}

// start returns the offset of a field of any shape that the plugin reads to the end of the record.
func (l *layout) start(name string) int {
	f := l.find(name)
	if f == nil {
		l.missing = true
		return 0
	}
	return f.Offset
}

// span is a range of bytes of the record.
type span struct{ lo, hi int }

func (s span) of(data []byte) []byte {
	if s.hi > len(data) || s.lo > s.hi {
		return nil
	}
	return data[s.lo:s.hi]
}

// word reads a number from all of b: 1, 2, 4 or 8 bytes.
func word(b []byte, big bool) uint64 {
	switch len(b) {
	case 8:
		if big {
			return binary.BigEndian.Uint64(b)
		}
		return binary.LittleEndian.Uint64(b)
	case 4:
		if big {
			return uint64(binary.BigEndian.Uint32(b))
		}
		return uint64(binary.LittleEndian.Uint32(b))
	case 2:
		if big {
			return uint64(binary.BigEndian.Uint16(b))
		}
		return uint64(binary.LittleEndian.Uint16(b))
	case 1:
		return uint64(b[0])
	}
	return 0
}
