package ctf

import (
	"bytes"
	"encoding/binary"

	"github.com/tracec/tracec/runtime/ctf/metadata"
)

// place is the place of a field of an event in Record.Data, if it always has the same offset. The
// zero value stands for a field that the event does not have, or that has no constant offset.
type place struct {
	class    *metadata.Class
	offset   int
	size     int // of a number; for a text, 0 if its length is before it
	unpacked bool
}

// place finds the first of several fields. If several scopes have a field of one name, it takes the
// first.
func (e *Event) place(names ...string) place {
	for _, name := range names {
		offset := 0
	scopes:
		for _, s := range e.Scopes() {
			if s == nil {
				continue
			}
			for _, m := range s.Members {
				size := e.Form.constant(m.Class)
				if m.Name == name {
					if p, ok := placeOf(m.Class, offset, size, e.Form.Unpacked); ok {
						return p
					}
				}
				if size < 0 {
					break scopes
				}
				offset += size
			}
		}
	}
	return place{}
}

func placeOf(c *metadata.Class, offset, size int, unpacked bool) (place, bool) {
	switch c.Kind {
	case metadata.Int, metadata.Varint, metadata.String:
	case metadata.Text:
		if size < 0 && !unpacked {
			return place{}, false
		}
	default:
		return place{}, false
	}
	return place{c, offset, max(size, 0), unpacked}, true
}

// constant returns the number of bytes of a field in Data, or -1 if it depends on the event.
func (f *Form) constant(c *metadata.Class) int {
	switch c.Kind {
	case metadata.Int, metadata.Float, metadata.Bool, metadata.BitArray, metadata.BitMap:
		return Size(c)
	case metadata.Varint:
		return 8 // the form is unpacked
	case metadata.Text:
		if c.From == nil && !f.Unpacked && c.Length < 1<<31 {
			return int(c.Length)
		}
	case metadata.Struct:
		sum := 0
		for _, m := range c.Members {
			n := f.constant(m.Class)
			if n < 0 || sum > 1<<30 {
				return -1
			}
			sum += n
		}
		return sum
	}
	return -1
}

// number returns the value of a number, or of its low bits.
func (p *place) number(data []byte) (n int32, ok bool) {
	if p.class == nil || p.class.Kind == metadata.Text || p.class.Kind == metadata.String ||
		len(data) < p.offset+p.size {
		return 0, false
	}
	b := data[p.offset : p.offset+p.size]
	big := p.class.Order.BigEndian && !p.unpacked
	switch {
	case len(b) == 4 && big:
		return int32(binary.BigEndian.Uint32(b)), true
	case len(b) == 4:
		return int32(binary.LittleEndian.Uint32(b)), true
	}
	var v uint64
	for i := range b {
		if !big {
			i = len(b) - 1 - i
		}
		v = v<<8 | uint64(b[i])
	}
	return int32(v), len(b) > 0
}

// text returns a text.
func (p *place) text(data []byte) []byte {
	if p.class == nil || p.class.Kind != metadata.Text && p.class.Kind != metadata.String || len(data) < p.offset {
		return nil
	}
	b := data[p.offset:]
	if p.class.Kind == metadata.Text {
		if p.unpacked {
			if len(b) < 4 || uint64(len(b)-4) < uint64(binary.LittleEndian.Uint32(b)) {
				return nil
			}
			b = b[4:][:binary.LittleEndian.Uint32(b)]
		} else {
			b = b[:min(p.size, len(b))]
		}
	}
	if i := bytes.IndexByte(b, 0); i >= 0 {
		b = b[:i]
	}
	return b
}
