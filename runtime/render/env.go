package render

import "encoding/binary"

// Symbols finds the name of a kernel address.
type Symbols interface {
	// Symbol returns the function or object that contains addr, and the offset of addr from its
	// start, in bytes.
	Symbol(addr uint64) (name string, offset uint64, ok bool)
}

// Modules finds the modules of the kernel.
type Modules interface {
	// Module returns the name of the module with code or data at addr, or "" for the kernel's own.
	Module(addr uint64) string
}

// Addresses is an optional interface of Symbols. It finds the address of a name that a print fmt
// uses as a value, such as _stext.
type Addresses interface {
	Address(name string) (addr uint64, ok bool)
}

// Strings finds constant strings of the kernel, as listed in printk_formats.
type Strings interface {
	// String returns the string that starts at addr.
	String(addr uint64) (string, bool)
}

// Env is the input of text apart from the record: the machine that recorded and its tables.
//
// A nil *Env represents a little-endian machine of 8-byte words without tables. Nil members
// represent empty tables. Any number of goroutines may share an Env if its members allow that. An
// Outcome must not be shared, because it is written to.
type Env struct {
	BigEndian bool
	WordSize  int // size of a long and of a pointer in bytes: 4, otherwise 8
	Symbols   Symbols
	Modules   Modules // if nil, texts name no modules
	Strings   Strings

	// Facts and Hooks are for AIX templates: facts about the event's place in its recording, and
	// functions with state.
	Facts Facts
	Hooks Hooks
	// Outcome, if non-nil, receives the reason why a rendering ended early.
	Outcome *Outcome
}

func (e *Env) wordSize() int {
	if e != nil && e.WordSize == 4 {
		return 4
	}
	return 8
}

func (e *Env) bigEndian() bool { return e != nil && e.BigEndian }

// word cuts v to the width of a pointer.
func (e *Env) word(v uint64) uint64 {
	if e.wordSize() == 4 {
		return uint64(uint32(v))
	}
	return v
}

func (e *Env) symbol(addr uint64) (string, uint64, bool) {
	if e == nil || e.Symbols == nil {
		return "", 0, false
	}
	return e.Symbols.Symbol(addr)
}

// AppendModule appends the module of an address after its name, as the kernel does: ` [ext4]`. It
// appends nothing for the kernel's own (kernel/kallsyms.c: __sprint_symbol).
func (e *Env) AppendModule(dst []byte, addr uint64) []byte {
	if e == nil || e.Modules == nil {
		return dst
	}
	name := e.Modules.Module(addr)
	if name == "" {
		return dst
	}
	return append(append(append(dst, " ["...), clip(name)...), ']')
}

// from returns the address of a name.
func (e *Env) from(name string) (uint64, bool) {
	if e == nil {
		return 0, false
	}
	a, ok := e.Symbols.(Addresses)
	if !ok {
		return 0, false
	}
	return a.Address(name)
}

func (e *Env) lookup(addr uint64) (string, bool) {
	if e == nil || e.Strings == nil {
		return "", false
	}
	return e.Strings.String(addr)
}

// Short appends the note that replaces the text of a record with fewer bytes than its event.
func Short(dst []byte, have, need int) []byte {
	dst = Dec(append(dst, "[short record: "...), int64(have))
	dst = Dec(append(dst, " of "...), int64(need))
	return append(dst, " bytes]"...)
}

// uintOf reads all of b, which has 1 to 8 bytes, as one integer.
func uintOf(b []byte, big bool) uint64 {
	switch len(b) {
	case 1:
		return uint64(b[0])
	case 2:
		if big {
			return uint64(binary.BigEndian.Uint16(b))
		}
		return uint64(binary.LittleEndian.Uint16(b))
	case 4:
		if big {
			return uint64(binary.BigEndian.Uint32(b))
		}
		return uint64(binary.LittleEndian.Uint32(b))
	case 8:
		if big {
			return binary.BigEndian.Uint64(b)
		}
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

// first returns the first n bytes of r, or all of r if it is shorter, but at most MaxText. A
// negative n is passed as a number above the largest int64. It yields no bytes, like a kernel loop
// over a signed int.
func first(r []byte, n uint64) []byte {
	r = r[:min(len(r), MaxText)]
	switch {
	case int64(n) <= 0:
		return nil
	case n >= uint64(len(r)):
		return r
	}
	return r[:n]
}
