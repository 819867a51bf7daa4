package uftrace

import (
	"cmp"
	"debug/elf"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
)

// loadBinary takes the symbols of a module from the program itself, as uftrace does when a symbol
// file is missing: a recorder that was killed had no time to write them, nor the build ids of the
// map. Then the program will do if it has not changed since, else only one of the same build id.
func (r *Recording) loadBinary(m *Module) {
	st, err := os.Stat(m.Path)
	if err != nil || !st.Mode().IsRegular() || !filepath.IsAbs(m.Path) { // no pipes, no devices
		return
	}
	trusted := r.info.Missing && m.BuildID == "" && st.ModTime().Before(r.progs.mapped)
	if m.BuildID == "" && !trusted {
		return
	}
	f, err := elf.Open(m.Path)
	if err != nil {
		return
	}
	defer f.Close()
	if !trusted && buildID(f) != m.BuildID {
		return
	}
	base := loadAddress(f)
	syms, err := f.Symbols()
	if err != nil || len(syms) == 0 {
		syms, _ = f.DynamicSymbols()
	}
	for _, s := range syms {
		typ, ok := symbolType(f, s)
		if !ok || s.Value < base {
			continue
		}
		m.Symbols = append(m.Symbols, &Symbol{Addr: s.Value - base, Size: s.Size, Type: typ, Name: s.Name, Simple: s.Name, Module: m})
	}
	m.Symbols = append(m.Symbols, linkage(f, m, base)...)
	slices.SortStableFunc(m.Symbols, func(a, b *Symbol) int { return cmp.Compare(a.Addr, b.Addr) })
}

// buildID is the note that identifies a build, in hexadecimal digits.
func buildID(f *elf.File) string {
	s := f.Section(".note.gnu.build-id")
	if s == nil || s.Size > 256 {
		return ""
	}
	data, err := s.Data()
	if err != nil || len(data) < 16 {
		return ""
	}
	name, size := f.ByteOrder.Uint32(data), f.ByteOrder.Uint32(data[4:])
	if name != 4 || uint64(size) > uint64(len(data)-16) {
		return ""
	}
	return hex.EncodeToString(data[16 : 16+size])
}

// loadAddress returns the address of the file's first segment. The map has the module there.
func loadAddress(f *elf.File) uint64 {
	for _, p := range f.Progs {
		if p.Type == elf.PT_LOAD {
			return p.Vaddr &^ 4095
		}
	}
	return 0
}

// symbolType is the letter of a symbol table.
func symbolType(f *elf.File, s elf.Symbol) (byte, bool) {
	global := elf.ST_BIND(s.Info) != elf.STB_LOCAL
	if s.Section == elf.SHN_UNDEF || int(s.Section) >= len(f.Sections) || s.Size == 0 {
		return 0, false
	}
	switch elf.ST_TYPE(s.Info) {
	case elf.STT_FUNC, elf.STT_GNU_IFUNC:
		switch {
		case elf.ST_BIND(s.Info) == elf.STB_WEAK:
			return 'w', true
		case global:
			return 'T', true
		}
		return 't', true
	case elf.STT_OBJECT:
		if global {
			return 'D', true
		}
		return 'd', true
	}
	return 0, false
}

// linkage are the slots of the procedure linkage table: one for each relocation of it, in order.
// .plt.sec has nothing else; .plt begins with the code that they share.
func linkage(f *elf.File, m *Module, base uint64) []*Symbol {
	var slot uint64
	size := uint64(16)
	if sec := f.Section(".plt.sec"); sec != nil {
		slot = sec.Addr
	} else if plt := f.Section(".plt"); plt != nil {
		slot = plt.Addr + 16
		if f.Machine == elf.EM_AARCH64 {
			slot += 16
		}
	} else {
		return nil
	}
	var indexes []uint64
	if s := f.Section(".rela.plt"); s != nil && f.Class == elf.ELFCLASS64 {
		indexes = relocations(f, s, 24, func(b []byte) uint64 { return f.ByteOrder.Uint64(b[8:]) >> 32 })
	} else if s := f.Section(".rel.plt"); s != nil && f.Class == elf.ELFCLASS32 {
		indexes = relocations(f, s, 8, func(b []byte) uint64 { return uint64(f.ByteOrder.Uint32(b[4:]) >> 8) })
	}
	names, err := f.DynamicSymbols()
	if err != nil || slot < base {
		return nil
	}
	var list []*Symbol
	for i, index := range indexes {
		if index == 0 || index > uint64(len(names)) {
			continue
		}
		name := names[index-1].Name
		list = append(list, &Symbol{Addr: slot - base + uint64(i)*size, Size: size, Type: 'P', Name: name, Simple: name, Module: m})
	}
	return list
}

func relocations(f *elf.File, s *elf.Section, size int, index func([]byte) uint64) []uint64 {
	data, err := s.Data()
	if err != nil {
		return nil
	}
	var list []uint64
	for ; len(data) >= size; data = data[size:] {
		list = append(list, index(data))
	}
	return list
}
