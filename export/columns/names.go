package columns

import "github.com/tracec/tracec"

// cached is the number of cached names of a field's values. Enumerations have few names.
const cached = 32

// valueName is the name of a value in the style of a row.
type valueName struct {
	bits  uint64
	known bool
	name  []byte
}

// name appends the name of the value of a field.
func (c *cell) name(dst []byte, style *Style, ev *tracec.Event) ([]byte, bool) {
	bits, ok := c.bits(ev)
	if !ok {
		return dst, false
	}
	k := &c.known[bits*0x9e3779b97f4a7c15>>(64-5)]
	if !k.known || k.bits != bits {
		plain, _ := c.of.AppendName(nil, bits)
		k.bits, k.known, k.name = bits, true, style.Text(k.name[:0], plain)
	}
	return append(dst, k.name...), true
}

// quotedComm is the name of a thread in the style of a Writer.
type quotedComm struct {
	comm string
	text []byte
}

// comm appends the name of the thread.
func (w *Writer) comm(dst []byte, r *row, ev *tracec.Event) ([]byte, bool) {
	comm := ev.Comm()
	if comm == "" {
		return dst, false
	}
	k := &w.comms[uint32(ev.Task)%uint32(len(w.comms))]
	if k.comm != comm {
		k.comm, k.text = comm, r.style.Text(k.text[:0], []byte(comm))
	}
	return append(dst, k.text...), true
}
