package aix

import "encoding/binary"

// Rewrite converts an entry that a program of one word size left in the trace of a kernel of the
// other word size (aix.md 2.4). It appends the form that a template reads to dst, followed by
// thread id and stamp. data is the number of these bytes that are hook word and data. entry is the
// whole entry as recorded. trace64 reports whether the kernel is the 64-bit one. If an entry needs
// no rewriting or cannot be rewritten, ok is false and dst is unchanged.
//
//   - A 32-bit program's hook in a 64-bit trace becomes a 32-bit hook word with 4-byte data words.
//     Thread id and stamp keep their 8 bytes, aligned to 8.
//   - A 64-bit program's hook in a 32-bit trace, which is wrapped in hook 00B, becomes a 64-bit
//     hook word with 8-byte data words. Thread id and stamp are widened to 8 bytes.
//
// The additions of trace -p and -r to an entry are left out.
func Rewrite(dst, entry []byte, trace64 bool, opts ...Option) (out []byte, data int, ok bool) {
	c := newConfig(opts)
	f := form{is64: trace64, cpuid: c.cpuid, maxBuffer: c.maxBuffer}
	if len(entry) < f.step() {
		return dst, 0, false
	}
	h, ok := f.parse(entry)
	if !ok || !h.reform || int(h.size) > len(entry) {
		return dst, 0, false
	}
	return reform(dst, entry, &h, c.shortWord)
}

// reform rewrites an entry that parse has found.
func reform(dst, entry []byte, h *head, half ShortWord) ([]byte, int, bool) {
	if h.flags&Trace64 != 0 {
		return narrow(dst, entry, h, half)
	}
	return widen(dst, entry, h)
}

// narrow rewrites a 32-bit program's hook of a 64-bit trace. Ids of 16 bits lose their last digit
// in the hook word.
func narrow(dst, entry []byte, h *head, half ShortWord) ([]byte, int, bool) {
	begin := len(dst)
	n := int(binary.BigEndian.Uint16(entry[2:]))
	word := uint32(h.id&^0xF)<<16 | uint32(h.sub)
	data := 0
	switch {
	case h.flags&Generic != 0:
		word = word&^0xFFFF | uint32(n)
		at := 12
		if half == ShortWordHigh {
			at = 8
		}
		dst = binary.BigEndian.AppendUint32(dst, word|stampBit(h))
		dst = append(dst, entry[at:at+4]...)
		dst = append(dst, entry[16:16+n]...)
		data = 8 + n
	case n == 0:
		dst = binary.BigEndian.AppendUint32(dst, word|stampBit(h)|1<<16)
		data = 4
	case n == 4:
		dst = binary.BigEndian.AppendUint32(dst, word|stampBit(h)|2<<16)
		dst = append(dst, entry[8:12]...)
		data = 8
	default:
		dst = binary.BigEndian.AppendUint32(dst, word|stampBit(h)|6<<16)
		dst = append(dst, entry[8:8+n]...)
		data = 4 + maxData32 // words that were not traced are 0
	}
	dst = pad(dst, begin+(data+7)&^7)
	dst = append(dst, entry[h.tid:h.tid+8]...)
	if h.flags&Stamped != 0 {
		dst = append(dst, entry[h.stamp:h.stamp+8]...)
	}
	return dst, data, true
}

// stampBit returns the high bit of the type nibble.
func stampBit(h *head) uint32 {
	if h.flags&Stamped != 0 {
		return 8 << 16
	}
	return 0
}

// widen unwraps a 64-bit program's hook of a 32-bit trace. Its data word is the first half of the
// 64-bit hook word, and the buffer begins with the second half. That word is valid only if it has
// the length of the buffer.
func widen(dst, entry []byte, h *head) ([]byte, int, bool) {
	word, data, ok := wrapped(entry, h)
	if !ok {
		return dst, 0, false
	}
	word &^= flag64Stamped << 48
	if h.flags&Stamped != 0 {
		word |= flag64Stamped << 48 // the outer hook word has the stamp flag
	}
	begin := len(dst)
	dst = binary.BigEndian.AppendUint64(dst, word)
	dst = append(dst, entry[12:4+data]...)
	dst = pad(dst, begin+(data+7)&^7)
	dst = binary.BigEndian.AppendUint64(dst, uint64(binary.BigEndian.Uint32(entry[h.tid:])))
	if h.flags&Stamped != 0 {
		dst = binary.BigEndian.AppendUint64(dst, uint64(binary.BigEndian.Uint32(entry[h.stamp:])))
	}
	return dst, data, true
}

// wrapped returns the 64-bit hook word in hook 00B, and its size in bytes together with its data.
func wrapped(entry []byte, h *head) (word uint64, data int, ok bool) {
	if h.sub < 4 {
		return 0, 0, false
	}
	word = binary.BigEndian.Uint64(entry[4:])
	bits := uint16(word >> 48)
	data = 8 + int(word>>32&0xFFFF)
	if bits&flag64Generic != 0 {
		data += 8
	}
	return word, data, bits&^(flag64Stamped|flag64Generic) == 0 && data == 4+int(h.sub)
}

// pad appends zeros up to a length.
func pad(dst []byte, n int) []byte {
	for len(dst) < n {
		dst = append(dst, 0)
	}
	return dst
}
