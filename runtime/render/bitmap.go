package render

// bitmap is an array of longs as the recording machine stored it. Bit i is bit i%(8*word) of long
// i/(8*word), for any order of the bytes in a long.
type bitmap struct {
	b    []byte
	word int // bytes of a long
	big  bool
}

// bit returns bit i, or false after the end of the bytes.
func (m bitmap) bit(i int) bool {
	at := i / 8
	if m.big {
		at = at - at%m.word + m.word - 1 - at%m.word
	}
	return at < len(m.b) && m.b[at]>>(i%8)&1 != 0
}

// chunk returns the 32 bits from bit i on. i is a multiple of 32. If the last long is incomplete,
// its available bytes count.
func (m bitmap) chunk(i int) uint32 {
	at := i / 8
	if m.big && m.word == 8 {
		at ^= 4 // the low half of a big-endian long is the second one
	}
	if at+4 > len(m.b) {
		v := uint32(0)
		for k := range 32 {
			if m.bit(i + k) {
				v |= 1 << k
			}
		}
		return v
	}
	return uint32(uintOf(m.b[at:at+4], m.big))
}

// Bitmask appends all bits of r as `ff,ffffffff`: __get_bitmask, __get_cpumask. r contains longs.
// big is their byte order.
func Bitmask(dst []byte, env *Env, r []byte, big bool) []byte {
	return Bitmap(dst, env, r, big, uint64(len(r))*8)
}

// Bitmap appends the first n bits of r in groups of 32, the highest first: %*pb (bitmap_string).
func Bitmap(dst []byte, env *Env, r []byte, big bool, n uint64) []byte {
	r = r[:min(len(r), MaxText)]
	m := bitmap{r, env.wordSize(), big}
	bits := bitCount(r, n)
	if bits == 0 {
		return dst
	}
	top := (bits - 1) &^ 31
	for i := top; i >= 0; i -= 32 {
		v := m.chunk(i)
		width := 32
		if i == top {
			width = bits - top
			v &= uint32(1<<width - 1)
		} else {
			dst = append(dst, ',')
		}
		dst = HexPad(dst, uint64(v), (width+3)/4)
	}
	return dst
}

// BitList appends the set bits among the first n of r as `0-3,7`: %*pbl (bitmap_list_string).
func BitList(dst []byte, env *Env, r []byte, big bool, n uint64) []byte {
	m := bitmap{r, env.wordSize(), big}
	bits := bitCount(r, n)
	comma, start := false, len(dst)
	for i := 0; i < bits && len(dst)-start <= MaxText; i++ {
		if !m.bit(i) {
			continue
		}
		from := i
		for i+1 < bits && m.bit(i+1) {
			i++
		}
		if comma {
			dst = append(dst, ',')
		}
		comma = true
		dst = Udec(dst, uint64(from))
		if i > from {
			dst = Udec(append(dst, '-'), uint64(i))
		}
	}
	return dst
}

// bitCount returns n, but at most the number of bits of r.
func bitCount(r []byte, n uint64) int {
	if int64(n) <= 0 {
		return 0
	}
	return int(min(n, uint64(len(r))*8))
}
