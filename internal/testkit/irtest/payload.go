package irtest

import (
	"encoding/binary"
	"math"
	"math/rand/v2"

	"github.com/tracec/tracec/compiler/ir"
)

// Payload makes a record of consecutive values, as a recorder writes it, and notes the values in k.
// Bits outside of values are random.
func Payload(rng *rand.Rand, k *Kept, target ir.Target) []byte {
	w := &payload{rng: rng, big: target.BigEndian, kept: k, numbers: map[*ir.Field]uint64{},
		referrers: map[*ir.Field]*ir.Field{}}
	for _, f := range k.all {
		if r := w.referrers[f.From]; f.From != nil && (r == nil || r.Kind == ir.Variant) {
			w.referrers[f.From] = f
		}
	}
	w.fields(k.event.Values())
	return w.b
}

// Damaged returns a payload that is unchanged, truncated, or has other bytes, with equal
// probability.
func Damaged(rng *rand.Rand, data []byte) []byte {
	switch rng.IntN(4) {
	case 0:
		return data[:rng.IntN(len(data)+1)]
	case 1:
		for range 1 + rng.IntN(3) {
			if len(data) > 0 {
				data[rng.IntN(len(data))] = byte(rng.Uint32())
			}
		}
	}
	return data
}

// payload writes consecutive values.
type payload struct {
	rng     *rand.Rand
	big     bool
	b       []byte
	pad     int // the offset of the next value is a multiple of it
	kept    *Kept
	numbers map[*ir.Field]uint64 // the integers written so far

	// referrers maps an integer to a field that refers to it, preferably one whose length it is. A
	// number that only selected an arm could be any number.
	referrers map[*ir.Field]*ir.Field
}

func (w *payload) fields(fields []*ir.Field) {
	for _, f := range fields {
		w.field(f)
	}
}

// dependentOn returns a number for the length or the arm of f. Mostly it is one for which f has
// bytes.
func (w *payload) dependentOn(f *ir.Field) uint64 {
	if f.Kind != ir.Variant {
		return w.rng.Uint64N(4)
	}
	if len(f.Fields) == 0 || f.Optional && w.rng.IntN(4) == 0 {
		return 99
	}
	arm := f.Fields[w.rng.IntN(len(f.Fields))].When
	r := arm[w.rng.IntN(len(arm))]
	if r.High-r.Low == math.MaxUint64 {
		return w.rng.Uint64()
	}
	return r.Low + w.rng.Uint64N(r.High-r.Low+1)
}

func (w *payload) align(n int) {
	for n > 1 && len(w.b)%n != 0 {
		w.b = append(w.b, byte(w.rng.Uint32()))
	}
}

func (w *payload) field(f *ir.Field) {
	if f.Bits.Overlap == 0 {
		w.align(max(w.pad, f.Align))
	}
	w.pad = 0
	at := len(w.b)
	switch f.Kind {
	case ir.Int, ir.Float:
		w.number(f)
	case ir.Bytes:
		w.noise(f.Size)
		w.kept.put(f, w.kept.value(f, 0, w.b[at:]))
	case ir.Terminated:
		for range w.rng.IntN(6) {
			w.b = append(w.b, byte(1+w.rng.IntN(255)))
		}
		w.kept.put(f, w.kept.value(f, 0, w.b[at:]))
		w.b = append(w.b, 0)
	case ir.Counted:
		n := w.length(f, 6)
		at = len(w.b)
		w.noise(n)
		w.kept.put(f, w.kept.value(f, 0, w.b[at:]))
	default:
		w.kept.put(f, w.kept.value(f, 0, nil))
		w.parts(f)
	}
	w.pad = max(w.pad, f.PadAfter)
}

func (w *payload) parts(f *ir.Field) {
	switch f.Kind {
	case ir.Struct:
		w.fields(f.Fields)
	case ir.Union:
		w.noise(f.Size)
	case ir.Variant:
		for _, a := range f.Fields {
			for _, r := range a.When {
				if n := w.numbers[f.From]; n >= r.Low && n <= r.High {
					w.field(a)
				}
			}
		}
	case ir.List:
		n := w.length(f, 4)
		for range n {
			w.field(f.Fields[0])
		}
		if n == 0 {
			w.pad = max(w.pad, f.Fields[0].Align)
		}
	}
}

// length writes the length of f if it precedes f, and returns it.
func (w *payload) length(f *ir.Field, most int) int {
	switch {
	case f.From != nil:
		return int(w.numbers[f.From])
	case f.Size == 0:
		return f.Count
	}
	n := w.rng.IntN(most)
	w.bytes(uint64(n), f.Size, f.Order)
	return n
}

// number writes a number. A number that other fields refer to is small, or selects something.
func (w *payload) number(f *ir.Field) {
	n := w.rng.Uint64() >> w.rng.IntN(64)
	if r := w.referrers[f]; r != nil {
		n = w.dependentOn(r)
	}
	if f.Bits.Count > 0 {
		w.bits(f, n)
	} else {
		w.bytes(n, f.Size, f.Order)
	}
	n = extended(f, n)
	w.numbers[f] = n
	w.kept.put(f, w.kept.value(f, n, nil))
}

// extended returns a number as stored in a field of its size, extended to 64 bits.
func extended(f *ir.Field, n uint64) uint64 {
	bits := min(8*f.Size, 64)
	if f.Bits.Count > 0 {
		bits = f.Bits.Count
	}
	if n <<= 64 - bits; f.Signed {
		return uint64(int64(n) >> (64 - bits))
	}
	return n >> (64 - bits)
}

// bytes writes a number of size bytes. A float of the x87 has 10 bytes, which are drawn, since a
// number has only 8.
func (w *payload) bytes(n uint64, size int, o ir.Order) {
	switch {
	case size > 8:
		w.noise(size)
	case o == ir.BigEndian || o == ir.AsRecorded && w.big:
		w.b = append(w.b, binary.BigEndian.AppendUint64(nil, n)[8-size:]...)
	default:
		w.b = append(w.b, binary.LittleEndian.AppendUint64(nil, n)[:size]...)
	}
}

// bits writes a bit field bit by bit.
func (w *payload) bits(f *ir.Field, n uint64) {
	at := len(w.b) - f.Bits.Overlap
	w.noise(f.Size - f.Bits.Overlap)
	for i := range f.Bits.Count {
		bit := f.Bits.At + i
		b := &w.b[at+bit/8]
		if f.Order == ir.BigEndian {
			b = &w.b[at+f.Size-1-bit/8]
		}
		*b = *b&^(1<<(bit%8)) | byte(n>>i&1)<<(bit%8)
	}
}

func (w *payload) noise(n int) {
	for range n {
		w.b = append(w.b, byte(w.rng.Uint32()))
	}
}
