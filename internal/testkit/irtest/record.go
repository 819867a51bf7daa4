package irtest

import (
	"encoding/binary"
	"math/rand/v2"

	"pgregory.net/rapid"

	"github.com/tracec/tracec/compiler/ir"
)

// Record draws the bytes of a record of ev, with RandomRecord.
func Record(ev *ir.Event, target ir.Target) *rapid.Generator[[]byte] {
	return rapid.Custom(func(t *rapid.T) []byte {
		seed := rapid.Uint64().Draw(t, "seed")
		return RandomRecord(rand.New(rand.NewPCG(seed, 0)), ev, target)
	})
}

// RandomRecord makes a record of ev. Most records are valid: they have readable strings, small
// numbers, and words of Dynamic fields that refer to data in the record. Some are short, some are
// only noise.
func RandomRecord(rng *rand.Rand, ev *ir.Event, target ir.Target) []byte {
	extra := rng.IntN(64)
	data := make([]byte, ev.Size+extra)
	noise(rng, data)
	if rng.IntN(10) == 0 {
		return data[:rng.IntN(len(data)+1)]
	}
	var order binary.ByteOrder = binary.LittleEndian
	if target.BigEndian {
		order = binary.BigEndian
	}
	fields := placed(ev)
	stream := len(fields) == 1 && ev.Fields[0].Kind == ir.Tail
	if !stream || rng.IntN(2) == 0 {
		text(rng, data[ev.Size:])
	}
	for _, f := range fields {
		fill(rng, data, f, order)
	}
	if len(ev.Fields) > 0 && ev.Fields[0].Common && ev.Fields[0].Size == 2 {
		order.PutUint16(data, uint16(ev.ID))
	}
	return data
}

// placed returns the fields that have a place in the record.
func placed(ev *ir.Event) []*ir.Field { return ev.Fields[:len(ev.Fields)-len(ev.Values())] }

// fill writes a likely value of f.
func fill(rng *rand.Rand, data []byte, f *ir.Field, order binary.ByteOrder) {
	if f.Kind == ir.Tail {
		return
	}
	b := data[f.Offset : f.Offset+f.Size]
	switch {
	case rng.IntN(8) == 0: // keep the noise
	case f.Kind == ir.Dynamic:
		dynamic(rng, data, f, order)
	case f.Kind == ir.Int:
		integer(rng, b, order)
	case f.Kind == ir.Array && f.Text:
		text(rng, b)
	case f.Kind == ir.Array:
		for len(b) > 0 {
			integer(rng, b[:f.Elem], order)
			b = b[f.Elem:]
		}
	}
}

// dynamic writes a word that refers to a part of the record. The part may overlap others and need
// not be aligned.
func dynamic(rng *rand.Rand, data []byte, f *ir.Field, order binary.ByteOrder) {
	base := 0
	if f.Rel {
		base = f.Offset + 4
	}
	lo := max(base, min(rng.IntN(len(data)+1), len(data)))
	n := rng.IntN(len(data) - lo + 1)
	if rng.IntN(2) == 0 {
		n -= n % f.Elem
	}
	order.PutUint32(data[f.Offset:], uint32(n)<<16|uint32(lo-base))
}

func integer(rng *rand.Rand, b []byte, order binary.ByteOrder) {
	v := rng.Uint64() >> rng.IntN(64)
	switch rng.IntN(4) {
	case 0:
		v = uint64(rng.IntN(10))
	case 1:
		v = -v
	}
	switch len(b) {
	case 1:
		b[0] = byte(v)
	case 2:
		order.PutUint16(b, uint16(v))
	case 4:
		order.PutUint32(b, uint32(v))
	case 8:
		order.PutUint64(b, v)
	}
}

func text(rng *rand.Rand, b []byte) {
	for i := range b {
		b[i] = byte(' ' + rng.IntN(95))
	}
	if len(b) > 0 && rng.IntN(5) > 0 {
		clear(b[rng.IntN(len(b)):])
	}
}

func noise(rng *rand.Rand, b []byte) {
	for i := range b {
		b[i] = byte(rng.Uint32())
	}
}
