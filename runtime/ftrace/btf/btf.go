// Package btf reads the type information of a kernel (BTF) as far as traces need it: the parameters
// of functions, and enumerations. The format is described in Documentation/bpf/btf.rst in the
// kernel's source.
//
// trace-cmd 3.4 stores the kernel's own /sys/kernel/btf/vmlinux in a recording.
package btf

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"sync"
)

// ErrFormat matches the errors of Parse: the data are not BTF, or damaged.
var ErrFormat = errors.New("not BTF")

// Kind is the kind of a parameter, without modifiers and typedefs.
type Kind uint8

// The kinds, with the numbers of the format.
const (
	Unknown  Kind = 0
	Int      Kind = 1
	Pointer  Kind = 2
	Array    Kind = 3
	Struct   Kind = 4
	Union    Kind = 5
	Enum     Kind = 6
	Forward  Kind = 7
	typedef  Kind = 8
	volatile Kind = 9
	constant Kind = 10
	restrict Kind = 11
	function Kind = 12
	proto    Kind = 13
	variable Kind = 14
	section  Kind = 15
	Float    Kind = 16
	declTag  Kind = 17
	typeTag  Kind = 18
	Enum64   Kind = 19
)

// Param is a parameter of a function.
type Param struct {
	Name   string // "" if it has no name
	Kind   Kind
	Size   int  // in bytes; 0 if the kind has no size
	Signed bool // of an Int
}

// Types is the type information of a kernel. Its methods may be called from several goroutines.
type Types struct {
	order   binary.ByteOrder
	data    []byte
	strings string
	at      []uint32          // offsets of the types in data, by id; id 0 is void
	funcs   map[string]uint32 // ids of prototypes
	values  func() map[string]enumerator
	base    *Types // if it is a module: the types of the kernel
	modules func() []*Types
}

const (
	magic      = 0xeb9f
	headerSize = 24
	typeSize   = 12
	maxTypes   = 1 << 24 // BTF_MAX_TYPE is 0x000fffff
	maxChain   = 32      // of modifiers; real types have few, and a damaged chain may be a ring
)

// Parse parses BTF in either byte order. It keeps data, which must not be changed afterwards. It
// allocates memory in proportion to the length of data.
func Parse(data []byte) (*Types, error) { return parse(data, nil) }

func parse(data []byte, base *Types) (*Types, error) {
	if len(data) < headerSize {
		return nil, fmt.Errorf("%w: %d bytes", ErrFormat, len(data))
	}
	t := &Types{order: binary.LittleEndian, funcs: map[string]uint32{}, base: base}
	if binary.BigEndian.Uint16(data) == magic {
		t.order = binary.BigEndian
	}
	if t.order.Uint16(data) != magic {
		return nil, fmt.Errorf("%w: no magic number", ErrFormat)
	}
	head := uint64(t.order.Uint32(data[4:]))
	part := func(at int) ([]byte, bool) {
		off, n := head+uint64(t.order.Uint32(data[at:])), uint64(t.order.Uint32(data[at+4:]))
		if off+n > uint64(len(data)) {
			return nil, false
		}
		return data[off : off+n], true
	}
	var ok1 bool
	t.data, ok1 = part(8)
	table, ok2 := part(16)
	t.strings, t.values = string(table), sync.OnceValue(t.enumerators)
	if !ok1 || !ok2 {
		return nil, fmt.Errorf("%w: sections beyond its %d bytes", ErrFormat, len(data))
	}
	return t, t.index()
}

// index finds the offsets of the types and the prototypes of the functions.
func (t *Types) index() error {
	t.at = append(t.at, 0)
	for off := 0; off < len(t.data); {
		if off+typeSize > len(t.data) || len(t.at) > maxTypes {
			return fmt.Errorf("%w: type %d is cut", ErrFormat, len(t.at))
		}
		info := t.order.Uint32(t.data[off+4:])
		size, ok := extraSize(kindOf(info), int(info&0xffff))
		if !ok || off+typeSize+size > len(t.data) {
			return fmt.Errorf("%w: type %d is cut or of unknown kind %d", ErrFormat, len(t.at), kindOf(info))
		}
		t.at = append(t.at, uint32(off))
		if kindOf(info) == function {
			name := t.text(t.order.Uint32(t.data[off:]))
			if _, again := t.funcs[name]; !again { // static functions may share a name; the kernel finds the first
				t.funcs[name] = t.order.Uint32(t.data[off+8:])
			}
		}
		off += typeSize + size
	}
	return nil
}

func kindOf(info uint32) Kind { return Kind(info >> 24 & 0x1f) }

// extraSize is the number of bytes after a type's head.
func extraSize(k Kind, n int) (size int, ok bool) {
	switch k {
	case Int, variable, declTag:
		return 4, true
	case Array:
		return 12, true
	case Struct, Union, Enum64, section:
		return 12 * n, true
	case Enum, proto:
		return 8 * n, true
	case Pointer, Forward, typedef, volatile, constant, restrict, function, Float, typeTag:
		return 0, true
	}
	return 0, false
}

// text returns a string of the table, or "" for an offset outside.
func (t *Types) text(off uint32) string {
	if t.base != nil {
		n := uint32(len(t.base.strings))
		if off < n {
			return t.base.text(off)
		}
		off -= n
	}
	if uint64(off) >= uint64(len(t.strings)) {
		return ""
	}
	s := t.strings[off:]
	if i := strings.IndexByte(s, 0); i >= 0 {
		s = s[:i]
	}
	return s
}

// head returns the head of a type and the bytes after it. ok is false for void and for unknown ids.
func (t *Types) head(id uint32) (info, size uint32, rest []byte, ok bool) {
	if t.base != nil {
		n := uint32(len(t.base.at))
		if id < n {
			return t.base.head(id)
		}
		id -= n - 1 // the first type of a module comes after the void of at
	}
	if id == 0 || uint64(id) >= uint64(len(t.at)) {
		return 0, 0, nil, false
	}
	b := t.data[t.at[id]:]
	return t.order.Uint32(b[4:]), t.order.Uint32(b[8:]), b[typeSize:], true
}

// Func returns the parameters of a function. ok is false if the function is not described. A
// variable argument list ends with a parameter of kind Unknown without a name.
func (t *Types) Func(name string) (params []Param, ok bool) {
	id, ok := t.funcs[name]
	if !ok {
		if t = t.definer(name); t == nil {
			return nil, false
		}
		id = t.funcs[name]
	}
	info, _, rest, ok := t.head(id)
	if !ok || kindOf(info) != proto {
		return nil, false
	}
	for i := range int(info & 0xffff) {
		b := rest[8*i:]
		p := t.param(t.order.Uint32(b[4:]))
		p.Name = t.text(t.order.Uint32(b))
		params = append(params, p)
	}
	return params, true
}

// Enumerators returns the names of the values of a function's parameter, counted from 0. It is nil
// if there is no such parameter, or if it is not an enumeration. If a value has several names, the
// first counts.
func (t *Types) Enumerators(function string, param int) map[int64]string {
	if _, own := t.funcs[function]; !own {
		if t = t.definer(function); t == nil {
			return nil
		}
	}
	info, _, rest, ok := t.head(t.funcs[function])
	if !ok || kindOf(info) != proto || param < 0 || param >= int(info&0xffff) {
		return nil
	}
	info, _, rest, ok = t.bare(t.order.Uint32(rest[8*param+4:]))
	size := 8 // size of a name and a value
	switch {
	case !ok:
		return nil
	case kindOf(info) == Enum64:
		size = 12
	case kindOf(info) != Enum:
		return nil
	}
	names := make(map[int64]string, info&0xffff)
	for i := range int(info & 0xffff) {
		name, v := t.enumerator(info, rest[size*i:])
		if _, again := names[v]; !again {
			names[v] = name
		}
	}
	return names
}

// enumerator returns the name and the value in a row of an enumeration.
func (t *Types) enumerator(info uint32, row []byte) (name string, v int64) {
	v = int64(t.order.Uint32(row[4:]))
	switch {
	case kindOf(info) == Enum64:
		v |= int64(t.order.Uint32(row[8:])) << 32
	case info>>31 != 0: // signed
		v = int64(int32(v))
	}
	return t.text(t.order.Uint32(row)), v
}

// An enumerator is the value of a name. vague is set if enumerations give the name different
// values.
type enumerator struct {
	value int64
	vague bool
}

// Enumerator returns the value of a name in the enumerations. It returns false if two of them give
// it different values.
func (t *Types) Enumerator(name string) (v int64, ok bool) {
	e, ok := t.values()[name]
	if !ok {
		e, ok = t.ofModules(name)
	}
	return e.value, ok && !e.vague
}

func (t *Types) enumerators() map[string]enumerator {
	all := map[string]enumerator{}
	first := uint32(0)
	if t.base != nil {
		first = uint32(len(t.base.at)) - 1
	}
	for i := range t.at[1:] {
		info, _, rest, ok := t.head(first + uint32(i) + 1)
		size := 8
		switch {
		case !ok:
			continue
		case kindOf(info) == Enum64:
			size = 12
		case kindOf(info) != Enum:
			continue
		}
		for i := range int(info & 0xffff) {
			name, v := t.enumerator(info, rest[size*i:])
			e, again := all[name]
			all[name] = enumerator{v, again && (e.vague || e.value != v)}
		}
	}
	return all
}

// bare returns the head of a type without its typedefs and modifiers.
func (t *Types) bare(id uint32) (info, size uint32, rest []byte, ok bool) {
	for range maxChain {
		info, size, rest, ok = t.head(id)
		if !ok {
			return 0, 0, nil, false
		}
		switch kindOf(info) {
		case typedef, volatile, constant, restrict, typeTag:
			id = size // in these, it is the id of the modified type
		default:
			return info, size, rest, true
		}
	}
	return 0, 0, nil, false
}

// param returns the type of a parameter.
func (t *Types) param(id uint32) Param {
	info, size, rest, ok := t.bare(id)
	if !ok {
		return Param{}
	}
	switch k := kindOf(info); k {
	case Int:
		return Param{Kind: k, Size: int(size), Signed: t.order.Uint32(rest)>>24&1 != 0}
	case Struct, Union, Enum, Enum64, Float:
		return Param{Kind: k, Size: int(size)}
	default:
		return Param{Kind: k}
	}
}
