package lttng

import (
	"encoding/binary"
	"fmt"
	"reflect"
	"strings"
)

// event appends an event to the sub-buffer, which may become too long.
func (f *channelFile) event(ev *event, data uint32) {
	switch d := f.w.layout.Dialect; {
	case f.compact:
		f.compactEvent(ev, data)
	case d >= V20 && d != Seed:
		f.packedEvent(ev)
	default:
		f.plainEvent(ev)
	}
}

// pad pads the sub-buffer to a multiple of n. In packed traces it does nothing.
func (f *channelFile) pad(n int) {
	if f.w.layout.Alignment != 0 {
		f.block = append(f.block, make([]byte, alignUp(len(f.block), n)-len(f.block))...)
	}
}

// plainEvent is the layout of lttng.md 4.1.
func (f *channelFile) plainEvent(ev *event) {
	l, o := &f.w.layout, f.w.order
	f.pad(l.WordSize)
	if l.Heartbeat {
		f.block = o.AppendUint32(f.block, uint32(ev.tsc))
	} else {
		f.block = o.AppendUint64(f.block, ev.tsc)
	}
	if id := ev.marker.ID; l.Dialect.bytePairs() {
		f.block = append(f.block, byte(id>>8), byte(id))
	} else {
		f.block = o.AppendUint16(f.block, id)
	}
	f.block = o.AppendUint16(f.block, uint16(min(len(ev.data), large)))
	f.pad(l.WordSize)
	f.block = append(f.block, ev.data...)
}

// compactEvent is the layout of lttng.md 4.2.
func (f *channelFile) compactEvent(ev *event, data uint32) {
	l := &f.w.layout
	f.pad(4)
	stamp := uint32(ev.tsc>>l.TSCLSB) & uint32(uint64(1)<<l.TSCBits-1)
	f.block = f.w.order.AppendUint32(f.block, uint32(uint64(data)<<l.CompactShift)|uint32(ev.marker.ID)<<l.TSCBits|stamp)
	f.block = append(f.block, ev.data...)
}

// packedEvent is the layout of lttng.md 4.3.
func (f *channelFile) packedEvent(ev *event) {
	l, o := &f.w.layout, f.w.order
	f.pad(min(l.Alignment, 4))
	id := uint32(ev.marker.ID)
	first := len(f.block)
	whole := ev.tsc-f.tsc >= 1<<shortBits || first <= alignUp(l.headerSize(), 4)
	if l.WordSize == 4 { // these only checked whether the upper bits differ
		whole = whole || ev.tsc>>shortBits != f.tsc>>shortBits
	}
	kind := id
	switch {
	case whole:
		kind = withTSC
	case l.Sized:
		kind = withSize
	case id >= withTSC:
		kind = withID
	}
	f.block = o.AppendUint32(f.block, kind<<shortBits|uint32(ev.tsc)&shortMask)
	if kind >= withTSC {
		f.block = o.AppendUint16(f.block, uint16(id))
	}
	if kind == withTSC || kind == withSize {
		f.block = o.AppendUint16(f.block, uint16(min(len(ev.data), large)))
		if len(ev.data) >= large {
			f.block = o.AppendUint32(f.block, uint32(len(ev.data)))
		}
	}
	if kind == withTSC {
		if l.Dialect.natural() {
			f.pad(8)
		} else {
			f.pad(min(l.Alignment, 8))
		}
		f.block = o.AppendUint64(f.block, ev.tsc)
	}
	f.pad(ev.marker.payload.align)
	f.block = append(f.block, ev.data...)
}

// payload lays out values as the fields of a marker (lttng.md 5.3).
func (w *Writer) payload(m *Marker, compact bool, values []any) (payload []byte, data uint32, err error) {
	if len(values) != len(m.Fields) {
		return nil, 0, fmt.Errorf("lttng: %d values for the %d fields of marker %s", len(values), len(m.Fields), m.Name)
	}
	for i, f := range m.Fields {
		payload = append(payload, make([]byte, alignUp(len(payload), f.Align)-len(payload))...)
		if f.Size == 0 {
			s, ok := text(values[i])
			if !ok || strings.IndexByte(s, 0) >= 0 {
				return nil, 0, fmt.Errorf("lttng: %v (%T) for the string %s of marker %s", values[i], values[i], f.Name,
					m.Name)
			}
			payload = append(append(payload, s...), 0)
			payload = append(payload, make([]byte, alignUp(len(payload), f.PadAfter)-len(payload))...)
			continue
		}
		v, ok := integer(values[i])
		if !ok {
			return nil, 0, fmt.Errorf("lttng: %v (%T) for the integer %s of marker %s", values[i], values[i], f.Name,
				m.Name)
		}
		if i == 0 && m.payload.compact && compact {
			data = uint32(v)
			continue
		}
		o := w.order
		if f.Network {
			o = binary.BigEndian
		}
		payload = appendInteger(payload, o, v, f.Size)
	}
	return payload, data, nil
}

// text returns a string. For nil it returns the text that tracers wrote (lttng.md 5.3).
func text(v any) (string, bool) {
	switch s := v.(type) {
	case nil:
		return "<NULL>", true
	case string:
		return s, true
	case []byte:
		return string(s), true
	}
	return "", false
}

func integer(v any) (uint64, bool) {
	switch x := reflect.ValueOf(v); {
	case !x.IsValid():
	case x.CanInt():
		return uint64(x.Int()), true
	case x.CanUint():
		return x.Uint(), true
	}
	return 0, false
}

func appendInteger(b []byte, o byteOrder, v uint64, size int) []byte {
	switch size {
	case 1:
		return append(b, byte(v))
	case 2:
		return o.AppendUint16(b, uint16(v))
	case 4:
		return o.AppendUint32(b, uint32(v))
	}
	return o.AppendUint64(b, v)
}
