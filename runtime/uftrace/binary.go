package uftrace

import (
	"cmp"
	"debug/elf"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"github.com/tracec/tracec/runtime/symbols/program"
)

// OpenProgram opens the file of a program of this machine. Data read from it count in the memory of
// the recording.
func (r *Recording) OpenProgram(path string) (*program.File, error) {
	return program.Open(path, r.memory)
}

// loadBinary reads the symbols of a module from the program itself, as uftrace does if a symbol
// file is missing. A recorder that was killed had no time to write symbol files, or the build ids
// of the map. The program is then used if it has not changed since. Otherwise it is used only if it
// has the same build id.
func (r *Recording) loadBinary(m *Module) {
	st, err := os.Stat(m.Path)
	if err != nil || !st.Mode().IsRegular() || !filepath.IsAbs(m.Path) { // no pipes, no devices
		return
	}
	trusted := r.info.Missing && m.BuildID == "" && st.ModTime().Before(r.progs.mapped)
	if m.BuildID == "" && !trusted {
		return
	}
	f, err := program.Open(m.Path, r.memory)
	if err != nil {
		return
	}
	defer f.Close()
	if !trusted && f.BuildID() != m.BuildID {
		return
	}
	base := f.LoadAddress()
	add := func(s *program.Symbol, typ byte) {
		if s.Addr >= base {
			m.Symbols = append(m.Symbols, &Symbol{Addr: s.Addr - base, Size: s.Size, Type: typ, Name: s.Name,
				Simple: s.Name, Module: m})
		}
	}
	err = f.Each(func(s *program.Symbol) {
		if typ, ok := symbolType(s); ok {
			add(s, typ)
		}
	})
	slots, errSlots := f.Linkage()
	for i := range slots {
		add(&slots[i], 'P')
	}
	if err = errors.Join(err, errSlots); errors.Is(err, ErrLimit) {
		r.damage.Note(m.Path, 0, 0, err)
	}
	slices.SortStableFunc(m.Symbols, func(a, b *Symbol) int { return cmp.Compare(a.Addr, b.Addr) })
}

// symbolType returns the letter of a symbol in a symbol table.
func symbolType(s *program.Symbol) (byte, bool) {
	global := s.Bind != elf.STB_LOCAL
	if s.Size == 0 {
		return 0, false
	}
	switch s.Type {
	case elf.STT_FUNC, elf.STT_GNU_IFUNC:
		switch {
		case s.Bind == elf.STB_WEAK:
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
