package ctf

import (
	"encoding/binary"
	"math"

	"github.com/tracec/tracec"
)

var le = binary.LittleEndian

// append appends the fields of an event.
func (e *event) append(dst []byte, ev *tracec.Event) []byte {
	for i, f := range e.from {
		v, _ := ev.At(f)
		dst = e.fields[i].append(dst, v)
	}
	if e.data {
		dst = append(le.AppendUint32(dst, uint32(len(ev.Data))), ev.Data...)
	}
	if e.text {
		n := len(dst)
		dst, _ = ev.AppendText(dst)
		dst = append(ended(dst, n), 0)
	}
	return dst
}

// ended cuts a text at its first NUL, since a NUL ends it in CTF.
func ended(dst []byte, from int) []byte {
	for i, c := range dst[from:] {
		if c == 0 {
			return dst[:from+i]
		}
	}
	return dst
}

// append appends a value.
func (c *class) append(dst []byte, v tracec.Value) []byte {
	switch c.kind {
	case tracec.Int, tracec.Uint:
		bits := v.Uint()
		if c.labels != nil {
			c.label(bits)
		}
		return c.integer(dst, bits)
	case tracec.Float:
		if c.size == 4 {
			return le.AppendUint32(dst, math.Float32bits(float32(v.Float())))
		}
		return le.AppendUint64(dst, math.Float64bits(v.Float()))
	case tracec.Text:
		n := len(dst)
		return append(ended(append(dst, v.Bytes()...), n), 0)
	case tracec.Struct:
		return c.structure(dst, v)
	}
	return c.list(dst, v)
}

func (c *class) integer(dst []byte, bits uint64) []byte {
	switch c.size {
	case 1:
		return append(dst, byte(bits))
	case 2:
		return le.AppendUint16(dst, uint16(bits))
	case 4:
		return le.AppendUint32(dst, uint32(bits))
	}
	return le.AppendUint64(dst, bits)
}

func (c *class) structure(dst []byte, v tracec.Value) []byte {
	for i, m := range c.members {
		x, ok := v.At(i)
		switch {
		case !m.maybe:
			dst = m.append(dst, x)
		case ok:
			dst = m.element.append(le.AppendUint32(dst, 1), x)
		default:
			dst = le.AppendUint32(dst, 0)
		}
	}
	return dst
}

// list appends the elements, preceded by their number if no member holds it.
func (c *class) list(dst []byte, v tracec.Value) []byte {
	n := v.Len()
	if v.Kind() == tracec.Bytes {
		n = len(v.Bytes())
	}
	if !c.counted {
		dst = le.AppendUint32(dst, uint32(n))
	}
	if v.Kind() == tracec.Bytes {
		return append(dst, v.Bytes()...)
	}
	for i := range n {
		dst = c.element.append(dst, v.Elem(i))
	}
	return dst
}
