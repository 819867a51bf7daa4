package bind

import (
	"encoding/binary"
	"unsafe"
)

// The unaligned integers are used in generated structs for fields whose offset is not a multiple of
// their size. These are fields of packed structs, and 8-byte fields of 32-bit kernels. A Go integer
// would move the field.
type (
	I16 [2]byte // I16 is an unaligned int16.
	U16 [2]byte // U16 is an unaligned uint16.
	I32 [4]byte // I32 is an unaligned int32.
	U32 [4]byte // U32 is an unaligned uint32.
	I64 [8]byte // I64 is an unaligned int64.
	U64 [8]byte // U64 is an unaligned uint64.
)

// Get returns the value.
func (v I16) Get() int16 { return int16(binary.NativeEndian.Uint16(v[:])) }

// Get returns the value.
func (v U16) Get() uint16 { return binary.NativeEndian.Uint16(v[:]) }

// Get returns the value.
func (v I32) Get() int32 { return int32(binary.NativeEndian.Uint32(v[:])) }

// Get returns the value.
func (v U32) Get() uint32 { return binary.NativeEndian.Uint32(v[:]) }

// Get returns the value.
func (v I64) Get() int64 { return int64(binary.NativeEndian.Uint64(v[:])) }

// Get returns the value.
func (v U64) Get() uint64 { return binary.NativeEndian.Uint64(v[:]) }

// hostBig is the byte order of this machine.
var hostBig = *(*byte)(unsafe.Pointer(&[]uint16{1}[0])) == 0

// HostBigEndian returns the byte order of this machine, which is also the byte order of integers in
// relocated records.
func HostBigEndian() bool { return hostBig }
