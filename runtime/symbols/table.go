// Package symbols finds the names of addresses: in the symbol table of a kernel in the form of
// /proc/kallsyms, and in tables that package [program] reads from ELF files.
package symbols

import (
	"cmp"
	"slices"
	"unsafe"
)

// A Symbol is a function or an object. A program that calls Find for each address allocates
// nothing.
type Symbol struct {
	Name string // as in the symbol table, mangled
	Addr uint64
	Size uint64 // in bytes; 0 if the end is unknown
	// Module is the kernel module, without brackets. It is empty for the kernel itself and for
	// programs.
	Module string
}

// A Table finds symbols by address. It is safe for concurrent use.
type Table struct {
	text    string
	entries []Entry // by address, each address once
}

// An Entry is a symbol whose name is text[Name:End]. A table of 200,000 symbols thus needs 24 bytes
// for each besides the text.
type Entry struct {
	Addr, Size uint64
	Name, End  uint32
}

// EntrySize is the memory for each symbol of a table, in bytes.
const EntrySize = int64(unsafe.Sizeof(Entry{}))

// MaxText limits the text of a table: positions in it have 32 bits.
const MaxText = 1 << 30

// NewTable returns the table of a list in ascending order of addresses, which it keeps. If several
// entries have one address, the first is used. A size of 0 reaches to the next symbol.
func NewTable(text string, list []Entry) *Table {
	list = slices.CompactFunc(list, func(a, b Entry) bool { return a.Addr == b.Addr })
	for i := range list[:max(0, len(list)-1)] {
		if list[i].Size == 0 {
			list[i].Size = list[i+1].Addr - list[i].Addr
		}
	}
	return &Table{text: text, entries: list}
}

// Len returns the number of addresses with a symbol.
func (t *Table) Len() int { return len(t.entries) }

// mostEnclosing limits the number of symbols that may begin inside another symbol before an address
// that is only in the latter. Assembler code has some such labels.
const mostEnclosing = 8

// Find returns the symbol that contains an address. If there are several, it returns the one that
// begins last. A symbol with an unknown end contains only its first address.
func (t *Table) Find(addr uint64) (Symbol, bool) {
	i, exact := slices.BinarySearchFunc(t.entries, addr, func(y Entry, a uint64) int { return cmp.Compare(y.Addr, a) })
	if exact {
		return t.at(i), true
	}
	for first := max(0, i-mostEnclosing); i > first; i-- {
		if y := &t.entries[i-1]; addr-y.Addr < y.Size {
			return t.at(i - 1), true
		}
	}
	return Symbol{}, false
}

// Last returns the highest symbol that satisfies a condition.
func (t *Table) Last(is func(Symbol) bool) (Symbol, bool) {
	for i := len(t.entries) - 1; i >= 0; i-- {
		if s := t.at(i); is(s) {
			return s, true
		}
	}
	return Symbol{}, false
}

func (t *Table) at(i int) Symbol {
	y := &t.entries[i]
	return Symbol{Name: t.text[y.Name:y.End], Addr: y.Addr, Size: y.Size, Module: moduleAfter(t.text[y.End:])}
}
