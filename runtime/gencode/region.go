package gencode

import (
	"bytes"
	"encoding/binary"
)

// Dyn returns the data to which the word of a dynamic field refers. The word has the length in the
// upper 16 bits and the offset from the start of the record in the lower 16 bits. The result is
// empty if the data are not wholly inside the record.
func Dyn(data []byte, word uint32) []byte {
	off, n := int(word&0xffff), int(word>>16)
	if off+n > len(data) {
		return nil
	}
	return data[off : off+n : off+n]
}

// DynRel is like [Dyn] for a word whose offset counts from the end of the word, at byte end of the
// record.
func DynRel(data []byte, word uint32, end int) []byte {
	off, n := int(word&0xffff)+end, int(word>>16)
	if off+n > len(data) {
		return nil
	}
	return data[off : off+n : off+n]
}

// Rest returns the data from byte off to the end of the record.
func Rest(data []byte, off int) []byte {
	if off > len(data) {
		return nil
	}
	return data[off:len(data):len(data)]
}

// Read returns b, or nil if b is empty. A text without even a NUL could not be read when it was
// recorded.
func Read(b []byte) []byte {
	if len(b) == 0 {
		return nil
	}
	return b
}

// Text returns b up to its first NUL.
func Text(b []byte) []byte {
	if i := bytes.IndexByte(b, 0); i >= 0 {
		return b[:i]
	}
	return b
}

// Slice returns b from byte at. If at is outside, the result is empty.
func Slice(b []byte, at int64) []byte {
	if at < 0 || at > int64(len(b)) {
		return nil
	}
	return b[at:]
}

// SliceN returns at most n bytes of b from byte at. If at is outside or n is negative, the result
// is empty.
func SliceN(b []byte, at, n int64) []byte {
	b = Slice(b, at)
	switch {
	case n < 0:
		return nil
	case n < int64(len(b)):
		return b[:n]
	}
	return b
}

// PickBytes returns cond ? a : b.
func PickBytes(cond bool, a, b []byte) []byte {
	if cond {
		return a
	}
	return b
}

// IntBytes stores the size bytes of v in buf in the given byte order and returns them: the bytes of
// the field as recorded.
func IntBytes(buf *[8]byte, v uint64, size int, big bool) []byte {
	if big {
		binary.BigEndian.PutUint64(buf[:], v)
		return buf[8-size:]
	}
	binary.LittleEndian.PutUint64(buf[:], v)
	return buf[:size]
}

// Cut removes dst[from:to], a text that was rendered only to be an argument.
func Cut(dst []byte, from, to int) []byte {
	return append(dst[:from], dst[to:]...)
}

// Word reads a big-endian word of 4 or 8 bytes at b[at]. It returns 0 if the word is not wholly
// inside. at must not be negative.
func Word(b []byte, at, size int) uint64 {
	if at > len(b)-size {
		return 0
	}
	if size == 4 {
		return uint64(binary.BigEndian.Uint32(b[at:]))
	}
	return binary.BigEndian.Uint64(b[at:])
}

// SignedWord is like [Word], with a sign.
func SignedWord(b []byte, at, size int) int64 {
	v := int64(Word(b, at, size))
	if size == 4 {
		return int64(int32(v))
	}
	return v
}

// Load8 returns the byte at b[at], or 0 if at is outside.
func Load8(b []byte, at uint64) uint8 {
	if at >= uint64(len(b)) {
		return 0
	}
	return b[at]
}

// Load16 reads two bytes at b[at] in the byte order of this machine. It returns 0 if they are not
// wholly inside.
func Load16(b []byte, at uint64) uint16 {
	if uint64(len(b)) < 2 || at > uint64(len(b))-2 {
		return 0
	}
	return binary.NativeEndian.Uint16(b[at:])
}

// Load32 is like [Load16] for four bytes.
func Load32(b []byte, at uint64) uint32 {
	if uint64(len(b)) < 4 || at > uint64(len(b))-4 {
		return 0
	}
	return binary.NativeEndian.Uint32(b[at:])
}

// Load64 is like [Load16] for eight bytes.
func Load64(b []byte, at uint64) uint64 {
	if uint64(len(b)) < 8 || at > uint64(len(b))-8 {
		return 0
	}
	return binary.NativeEndian.Uint64(b[at:])
}

// Load16As is like [Load16] in the given byte order. It is for bytes that relocation leaves as
// recorded.
func Load16As(b []byte, at uint64, big bool) uint16 {
	if uint64(len(b)) < 2 || at > uint64(len(b))-2 {
		return 0
	}
	if big {
		return binary.BigEndian.Uint16(b[at:])
	}
	return binary.LittleEndian.Uint16(b[at:])
}

// Load32As is like [Load16As] for four bytes.
func Load32As(b []byte, at uint64, big bool) uint32 {
	if uint64(len(b)) < 4 || at > uint64(len(b))-4 {
		return 0
	}
	if big {
		return binary.BigEndian.Uint32(b[at:])
	}
	return binary.LittleEndian.Uint32(b[at:])
}

// Load64As is like [Load16As] for eight bytes.
func Load64As(b []byte, at uint64, big bool) uint64 {
	if uint64(len(b)) < 8 || at > uint64(len(b))-8 {
		return 0
	}
	if big {
		return binary.BigEndian.Uint64(b[at:])
	}
	return binary.LittleEndian.Uint64(b[at:])
}
