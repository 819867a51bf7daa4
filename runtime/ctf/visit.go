package ctf

import (
	"errors"
	"fmt"

	"github.com/tracec/tracec/runtime/ctf/metadata"
)

// Errors of fields.
var (
	errShort = errors.New("it ends within a field")
	errOrder = errors.New("a field that begins inside of a byte has another byte order than the one before it")
)

// machine reads fields. It keeps the values that other fields need.
type machine struct {
	cursor
	slots  []uint64
	values [roles]uint64
	bits   [roles]uint8 // size of the value; 0 if it was not read
	clock  uint64       // in cycles
	idle   uint64       // number of elements without bits in the packet so far
	// out is the unpacked form of the fields that were read, if copying is set: see [Form].
	out     []byte
	copying bool
}

// scope reads the fields of a scope, which may be nil.
func (m *machine) scope(n *node) error {
	if n == nil {
		return nil
	}
	return m.visit(n)
}

// visit reads a field.
func (m *machine) visit(n *node) error {
	if !m.align(n.Align) {
		return errShort
	}
	if n.fixed >= 0 && m.at&7 == 0 && !m.copying {
		if !m.skip(uint64(n.fixed)) {
			return errShort
		}
		return nil
	}
	switch n.Kind {
	case metadata.Int, metadata.Float, metadata.Bool, metadata.BitArray, metadata.BitMap:
		return m.number(n)
	case metadata.Varint:
		return m.varinteger(n)
	case metadata.String:
		return m.text(n)
	case metadata.Text, metadata.Blob:
		return m.counted(n)
	case metadata.Struct:
		for _, p := range n.parts {
			if err := m.visit(p); err != nil {
				return err
			}
		}
		return nil
	case metadata.Array:
		return m.array(n)
	case metadata.Optional:
		m.selector(n)
		if selected(n.Ranges, n.From, m.slots[n.from]) {
			return m.visit(n.parts[0])
		}
		return nil
	}
	m.selector(n)
	i, err := m.option(n)
	if err != nil {
		return err
	}
	return m.visit(n.parts[i])
}

// number reads a field that is a number of bits.
func (m *machine) number(n *node) error {
	if m.at&7 != 0 && m.big != n.Order.BigEndian {
		return errOrder
	}
	v, ok := m.read(n.Bits, n.Order)
	if !ok {
		return errShort
	}
	if n.Signed && n.Bits < 64 {
		v = uint64(int64(v<<(64-n.Bits)) >> (64 - n.Bits))
	}
	m.keep(n, v, n.Bits)
	if m.copying {
		switch {
		case n.Kind == metadata.Bool && v != 0:
			v = 1
		case n.Kind == metadata.Float && n.Bits == 16:
			v = widen(v)
		}
		m.put(v, Size(n.Class))
	}
	return nil
}

// keep notes a value that other fields need.
func (m *machine) keep(n *node, v uint64, bits int) {
	if n.slot >= 0 {
		m.slots[n.slot] = v
	}
	if n.role == noRole {
		return
	}
	m.values[n.role], m.bits[n.role] = v, uint8(bits)
	if n.role == timestamp {
		m.advance(v, ones(bits))
	}
}

// advance moves the clock to the next time that has the bits of v in the mask (docs/spec/ctf.md
// 5.2).
func (m *machine) advance(v, mask uint64) { m.clock = advanced(m.clock, v, mask) }

func advanced(clock, v, mask uint64) uint64 { return clock + (v-clock)&mask }

func (m *machine) varinteger(n *node) error {
	v, ok, wide := m.varint(n.Signed)
	switch {
	case !ok:
		return errShort
	case wide:
		return fmt.Errorf("an integer of variable length has more than 64 bits")
	}
	m.keep(n, v, 64)
	if m.copying {
		m.put(v, 8)
	}
	return nil
}

// text reads a text that ends with a NUL.
func (m *machine) text(n *node) error {
	if !m.align(8) {
		return errShort
	}
	unit := n.Encoding.Unit()
	i := terminator(m.bytes(), unit)
	if i < 0 {
		return errShort
	}
	if m.copying {
		m.out = append(appendUTF8(m.out, m.bytes()[:i], n.Encoding), 0)
	}
	m.at += uint64(i+unit) * 8
	return nil
}

// terminator returns the place of the first code unit that is 0, or -1.
func terminator(b []byte, unit int) int {
next:
	for i := 0; i+unit <= len(b); i += unit {
		for _, x := range b[i : i+unit] {
			if x != 0 {
				continue next
			}
		}
		return i
	}
	return -1
}

// length returns the number of bytes or elements.
func (m *machine) length(n *node) uint64 {
	if n.from >= 0 {
		return m.slots[n.from]
	}
	return n.Length
}

// counted reads a text or a blob of a number of bytes.
func (m *machine) counted(n *node) error {
	size := m.length(n)
	if !m.align(8) || size > (m.end-m.at)/8 {
		return errShort
	}
	if m.copying {
		m.copyCounted(n, m.bytes()[:size])
	}
	m.at += size * 8
	return nil
}

// mostIdle bounds the elements without bits in a packet, beyond its number of bits. A list of them
// may have a recorded length of 2^64.
const mostIdle = 256

// mostOut bounds the unpacked form of an event, in bytes.
const mostOut = 64 << 20

// array reads elements.
func (m *machine) array(n *node) error {
	e, count := n.parts[0], m.length(n)
	if m.copying && n.from >= 0 {
		m.put(count, 4)
	}
	if e.fixed > 0 && m.at&7 == 0 && !m.copying {
		if count > (m.end-m.at)/uint64(e.fixed) {
			return errShort
		}
		m.at += count * uint64(e.fixed)
		return nil
	}
	for range count {
		before := m.at
		if err := m.visit(e); err != nil {
			return err
		}
		if m.at == before {
			if m.idle++; m.idle > m.at+mostIdle {
				return fmt.Errorf("%d elements without a bit", count)
			}
		}
		if len(m.out) > mostOut {
			return fmt.Errorf("an event of more than %d bytes: %w", mostOut, ErrLimit)
		}
	}
	return nil
}

// option returns the selected option of a variant.
func (m *machine) option(n *node) (int, error) {
	v := m.slots[n.from]
	for i, o := range n.Options {
		if within(o.Ranges, v, n.From.Fields[0].Signed) {
			return i, nil
		}
	}
	return 0, fmt.Errorf("no option of a variant is selected by %d", v)
}

// selected reports whether an optional field is present.
func selected(ranges []metadata.Range, from *metadata.Reference, v uint64) bool {
	if len(ranges) == 0 {
		return v != 0
	}
	return within(ranges, v, from.Fields[0].Signed)
}

func within(ranges []metadata.Range, v uint64, signed bool) bool {
	for _, r := range ranges {
		if r.Has(v, signed) {
			return true
		}
	}
	return false
}
