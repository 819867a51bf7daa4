package aix

import (
	"encoding/binary"
	"fmt"
	"strings"
)

// HookName returns a hook id in its form of 16 bits as reports print it: without a last digit of
// zero (aix.md 1).
func HookName(id uint16) string { return strings.TrimSuffix(fmt.Sprintf("%04X", id), "0") }

// Flags describe the kind of an entry.
type Flags uint16

// The flags.
const (
	Generic  Flags = 1 << iota // one data word and a buffer of any length (TRCGEN); otherwise up to five data words
	Hook64                     // hook word and data words have 8 bytes: a 64-bit program's hook
	Trace64                    // a 64-bit kernel recorded it: thread id and stamp had 8 bytes
	Stamped                    // it has its own time stamp
	Reformed                   // Record.Data was rewritten and differs from the bytes of the file (see Rewrite)
	HasCPU                     // it carries the number of its processor (trace -p)
	// the entry is from the initial conditions of a log file: not an event but a description of the
	// system
	Initial
)

// Env selects the variant of a template: the size of the hook word and whether the hook is generic.
type Env uint8

// The environments. They are the low bits of Flags.
const (
	Env32 Env = iota
	Env32Generic
	Env64
	Env64Generic
)

// Entry is the part of an event beyond its record.Record. Its stream reuses the value. It is valid
// as long as the record.
type Entry struct {
	// TID is the thread id as recorded.
	TID uint64
	// Ticks is the time stamp in units of the recording's clock, with the wraps of 32-bit stamps
	// added. An entry without a stamp has the Ticks of the previous entry.
	Ticks uint64
	// Offset is the offset of the hook word in the file, in bytes.
	Offset int64
	// Raw is the entry as in the file, from the hook word to the end of stamp and registers. A raw
	// copy writes these bytes.
	Raw []byte
	// Buffer is the position of the trace buffer in the directory of a log file. It is -1 for
	// initial conditions and for streams.
	Buffer int32
	Flags  Flags
	// HookData is the subhook id, the low half of a 32-bit hook word. In a generic 32-bit hook it
	// is the length of the buffer.
	HookData uint16

	registers uint8 // number of registers
	regsAt    uint16
}

// Env returns the environment that selects a template's variant.
func (e *Entry) Env() Env { return Env(e.Flags & (Generic | Hook64)) }

// Shape returns sizes in the environment of e, for generated code: the size of a word, the size of
// the part that every record has, and the offset of the data.
func (e *Entry) Shape() (word, head, start int) {
	s := &shapes[e.Env()]
	return s[0], s[1], s[2]
}

// DataWord returns data word n of a record, extended to 64 bits, for generated code. It returns 0
// if data end before the word does.
func (e *Entry) DataWord(data []byte, n int) uint64 {
	if e.Flags&Hook64 != 0 {
		if 8*n+8 <= len(data) {
			return binary.BigEndian.Uint64(data[8*n:])
		}
	} else if 4*n+4 <= len(data) {
		return uint64(binary.BigEndian.Uint32(data[4*n:]))
	}
	return 0
}

// SignedDataWord is DataWord with a sign.
func (e *Entry) SignedDataWord(data []byte, n int) int64 {
	v := int64(e.DataWord(data, n))
	if e.Flags&Hook64 == 0 {
		return int64(int32(v))
	}
	return v
}

// Subhook returns the hook data of a record, the last two bytes of its hook word, for generated
// code. data must have at least the hook word.
func (e *Entry) Subhook(data []byte) uint16 {
	if e.Flags&Hook64 != 0 {
		return binary.BigEndian.Uint16(data[6:8])
	}
	return binary.BigEndian.Uint16(data[2:4])
}

// HookLength returns the number of bytes after the hook word that the hook word declares, for
// generated code. data must have at least the hook word.
func (e *Entry) HookLength(data []byte) uint64 {
	if e.Env() != Env32 {
		return uint64(binary.BigEndian.Uint16(data[2:4]))
	}
	// The low three bits of the type count the words, including the hook word.
	return 4 * uint64(max(data[1]&7, 1)-1)
}

// Head returns the size of the part that every record in the entry's environment has, for generated
// code.
func (e *Entry) Head() int { return shapes[e.Env()][1] }

// shapes are the sizes by environment. The buffer of a generic hook follows its data word, and data
// begin with that word. Otherwise data begin with the hook data.
var shapes = [4][3]int{{4, 4, 2}, {4, 8, 4}, {8, 8, 6}, {8, 16, 8}}

// Has reports whether all of f are set.
func (e *Entry) Has(f Flags) bool { return e.Flags&f == f }

// Registers appends the values that trace -r recorded with the entry, 8 at most.
func (e *Entry) Registers(dst []uint64) []uint64 {
	for i := range int(e.registers) {
		dst = append(dst, binary.BigEndian.Uint64(e.Raw[int(e.regsAt)+8*i:]))
	}
	return dst
}

// HeadSize returns the size of the hook word in Record.Data, which is the offset of the first data
// word. The buffer of a generic hook begins 4 or 8 bytes after that.
func (e Env) HeadSize() int {
	if e&Env64 != 0 {
		return 8
	}
	return 4
}

// Has reports whether all of other are set.
func (f Flags) Has(other Flags) bool { return f&other == other }
