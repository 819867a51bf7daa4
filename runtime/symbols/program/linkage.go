package program

import (
	"debug/elf"
	"slices"
)

// A slotForm is the layout of .plt on a kind of processor: the size of the code before the first
// slot, and the size of a slot.
type slotForm struct{ head, size uint64 }

// slotForms are defined by the processors' ABIs.
var slotForms = map[elf.Machine]slotForm{
	elf.EM_386: {16, 16}, elf.EM_X86_64: {16, 16}, elf.EM_AARCH64: {32, 16}, elf.EM_RISCV: {32, 16},
	elf.EM_S390: {32, 32},
}

// Linkage returns the slots of the procedure linkage table, with the names of the functions that
// they call, if these have names.
func (f *File) Linkage() ([]Symbol, error) {
	list, err := f.slots()
	return slices.DeleteFunc(list, func(s Symbol) bool { return s.Name == "" }), err
}

// slots is Linkage including functions without a name, for which the linker resolves an address.
// There is one slot for each relocation of the table, in order. The section .plt.sec contains only
// slots.
func (f *File) slots() ([]Symbol, error) {
	form, ok := slotForms[f.elf.Machine]
	sec, first := f.elf.Section(".plt.sec"), uint64(0)
	if sec == nil {
		sec, first = f.elf.Section(".plt"), form.head
	}
	dynamic := f.elf.SectionByType(elf.SHT_DYNSYM)
	if sec == nil || dynamic == nil || !ok {
		return nil, nil
	}
	indexes, err := f.relocations()
	if err != nil || len(indexes) == 0 {
		return nil, err
	}
	t, err := f.tableOf(dynamic)
	if err != nil {
		return nil, err
	}
	defer f.memory.Give(int64(len(t.entries)))
	var list []Symbol
	for i, index := range indexes {
		at := first + uint64(i)*form.size
		if at < sec.Size {
			list = append(list, Symbol{Name: t.name(index), Addr: sec.Addr + at, Size: form.size, Type: elf.STT_FUNC,
				Bind: elf.STB_GLOBAL})
		}
	}
	return list, nil
}

// name returns the name of symbol n, which may be undefined. Symbol 0 has no name.
func (t *table) name(n uint64) string {
	size := uint64(24)
	if t.file.Class == elf.ELFCLASS32 {
		size = 16
	}
	if n == 0 || n >= uint64(len(t.entries))/size {
		return ""
	}
	at := t.file.ByteOrder.Uint32(t.entries[n*size:])
	if uint64(at) >= uint64(len(t.names)) {
		return ""
	}
	return terminated(t.names[at:])
}

// relocations returns the numbers of the symbols that the slots call.
func (f *File) relocations() (indexes []uint64, err error) {
	o := f.elf.ByteOrder
	s, size, index := f.elf.Section(".rela.plt"), 24, func(b []byte) uint64 { return o.Uint64(b[8:]) >> 32 }
	if f.elf.Class == elf.ELFCLASS32 {
		s, size, index = f.elf.Section(".rel.plt"), 8, func(b []byte) uint64 { return uint64(o.Uint32(b[4:]) >> 8) }
	}
	if s == nil {
		return nil, nil
	}
	data, err := f.read(s)
	if err != nil {
		return nil, err
	}
	defer f.memory.Give(int64(len(data)))
	for ; len(data) >= size; data = data[size:] {
		indexes = append(indexes, index(data))
	}
	return indexes, nil
}

// GlobalCalls returns the functions that are called through the global offset table of a program of
// x86-64. Their Addr is the address of the relocation in memory, and their Size is the
// relocation's.
func (f *File) GlobalCalls() ([]Symbol, error) {
	const size = 24
	rel, dynamic := f.elf.Section(".rela.dyn"), f.elf.SectionByType(elf.SHT_DYNSYM)
	if rel == nil || dynamic == nil || f.elf.Machine != elf.EM_X86_64 || f.elf.Class != elf.ELFCLASS64 {
		return nil, nil
	}
	data, err := f.read(rel)
	if err != nil {
		return nil, err
	}
	defer f.memory.Give(int64(len(data)))
	t, err := f.tableOf(dynamic)
	if err != nil {
		return nil, err
	}
	defer f.memory.Give(int64(len(t.entries)))
	var list []Symbol
	var s Symbol
	for at := rel.Addr; len(data) >= size; at, data = at+size, data[size:] {
		info := f.elf.ByteOrder.Uint64(data[8:])
		n := info >> 32
		if elf.R_X86_64(uint32(info)) != elf.R_X86_64_GLOB_DAT || n >= uint64(len(t.entries))/24 {
			continue
		}
		symbol64(f.elf, t.entries[24*n:], &s)
		if name := t.name(n); name != "" && s.Type == elf.STT_FUNC {
			list = append(list, Symbol{Name: name, Addr: at, Size: size, Type: s.Type, Bind: s.Bind})
		}
	}
	return list, nil
}
