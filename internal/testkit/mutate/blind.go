package mutate

import (
	"bytes"
	"math/rand/v2"
	"slices"
)

// blind changes any bytes of any file.
func (m *Mutant) blind(r *rand.Rand, others []*Sample) {
	names := m.Tree.names()
	name := names[r.IntN(len(names))]
	for range 4 { // prefer long files
		if other := names[r.IntN(len(names))]; len(m.Tree[other]) > len(m.Tree[name]) && r.IntN(2) == 0 {
			name = other
		}
	}
	var donor []byte
	if len(others) > 0 {
		o := others[r.IntN(len(others))]
		list := o.Tree.names()
		donor = o.Tree[list[r.IntN(len(list))]]
	}
	out, off, what := Blind(r, m.Tree[name], donor)
	m.Tree[name] = out
	m.note(name, off, "%s", what)
}

// Blind returns a changed copy of b, the offset of the change and its name. Bytes may be copied
// from donor.
func Blind(r *rand.Rand, b, donor []byte) (out []byte, off int, what string) {
	if len(b) == 0 {
		return []byte{byte(r.Uint32())}, 0, "a byte in an empty file"
	}
	off = r.IntN(len(b))
	n := min(1+r.IntN(1<<r.IntN(13)), len(b)-off)
	switch r.IntN(9) {
	case 0:
		out = bytes.Clone(b)
		out[off] ^= 1 << r.IntN(8)
		return out, off, "a bit flipped"
	case 1:
		out = bytes.Clone(b)
		out[off] = byte(r.Uint32())
		return out, off, "a byte changed"
	case 2:
		return bytes.Clone(b[:off]), off, "cut"
	case 3:
		return slices.Concat(b[:off], b[off+n:]), off, "bytes deleted"
	case 4:
		return slices.Concat(b[:off], noise(r, n), b[off:]), off, "bytes inserted"
	case 5:
		return slices.Concat(b[:off], b[off:off+n], b[off:]), off, "bytes doubled"
	case 6:
		out = bytes.Clone(b)
		clear(out[off : off+n])
		return out, off, "bytes cleared"
	case 7:
		out = bytes.Clone(b)
		copy(out[off:off+n], noise(r, n))
		return out, off, "noise"
	}
	if len(donor) == 0 {
		donor = b
	}
	from := r.IntN(len(donor))
	part := donor[from:min(len(donor), from+n)]
	out = bytes.Clone(b)
	copy(out[off:], part)
	return out, off, "bytes of another input"
}

func noise(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}
