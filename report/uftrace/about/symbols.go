package about

import (
	"cmp"
	"debug/elf"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/tracec/tracec/report/uftrace/values"
	"github.com/tracec/tracec/runtime/symbols/demangle"
	"github.com/tracec/tracec/runtime/uftrace"
)

// programSymbol is a symbol of a program's file.
type programSymbol struct {
	addr, size uint64
	name       string
	slot       bool // of the procedure linkage table
}

// symbols lists the symbols of the program. uftrace takes them from the program where it was
// recorded and not from the recording: without that file the lists are empty.
func symbols(rec *uftrace.Recording, opts *Options) []byte {
	name := opts.Name
	if name == nil {
		name = demangle.Simple
	}
	list, err := readSymbols(rec.Info().ExeName, opts.Style)
	if err != nil {
		list = nil // no program, or not one of ELF
	}
	for i := range list {
		list[i].name = name(list[i].name)
	}
	list = unique(list)
	block := func(out []byte, heading string, slot bool) []byte {
		out = append(out, heading...)
		for i, s := range list {
			if s.slot == slot {
				out = fmt.Appendf(out, "[%2d] %s: %s (size: %d)\n", i, address(s.addr), s.name, s.size)
			}
		}
		return out
	}
	out := block(nil, "Normal symbols\n==============\n", false)
	return block(out, "\n\nDynamic symbols\n===============\n", true)
}

// address is as C prints %#lx: 0 has no prefix.
func address(addr uint64) string {
	if addr == 0 {
		return "0"
	}
	return fmt.Sprintf("%#x", addr)
}

// unique keeps, of several names of one place, such as free and __libc_free, the first that does
// not begin with an underscore, else the first.
func unique(list []programSymbol) []programSymbol {
	var kept []programSymbol
	for _, s := range list {
		n := len(kept) - 1
		switch {
		case n < 0 || kept[n].addr != s.addr:
			kept = append(kept, s)
		case strings.HasPrefix(kept[n].name, "_") && !strings.HasPrefix(s.name, "_"):
			kept[n] = s
		}
	}
	return kept
}

// readSymbols reads functions, objects and the slots of library calls, by address.
func readSymbols(path string, style values.Style) ([]programSymbol, error) {
	// the path is the recording's: it may be of a pipe
	if st, err := os.Stat(path); err != nil || !st.Mode().IsRegular() {
		return nil, fs.ErrNotExist
	}
	f, err := elf.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	dynamic, err := f.DynamicSymbols()
	if err != nil && !errors.Is(err, elf.ErrNoSymbols) {
		return nil, err
	}
	all, err := f.Symbols()
	if errors.Is(err, elf.ErrNoSymbols) {
		all, err = dynamic, nil
	}
	if err != nil {
		return nil, err
	}
	list := slots(f, dynamic)
	if style != values.V013 || len(list) == 0 { // the program was linked without a linkage table
		list = append(list, globals(f, dynamic)...)
	}
	for _, s := range all {
		const indirect = elf.SymType(10) // GNU_IFUNC
		switch t := elf.ST_TYPE(s.Info); {
		case t != elf.STT_FUNC && t != elf.STT_OBJECT && t != indirect:
		case s.Section == elf.SHN_UNDEF || s.Section >= elf.SHN_LORESERVE || s.Size == 0:
		default:
			name := s.Name
			if !demangle.Mangled(name) { // which takes versions
				name, _, _ = strings.Cut(name, "@") // stdout@GLIBC_2.2.5
			}
			list = append(list, programSymbol{addr: s.Value, size: s.Size, name: name})
		}
	}
	slices.SortStableFunc(list, func(a, b programSymbol) int { return cmp.Compare(a.addr, b.addr) })
	return list, nil
}

// slotSize is that of an entry of the procedure linkage table of x86.
const slotSize = 16

// slots are the entries of the procedure linkage table, in the order of their relocations.
func slots(f *elf.File, dynamic []elf.Symbol) (list []programSymbol) {
	table := f.Section(".plt.sec")
	var base uint64
	if table != nil {
		base = table.Addr
	} else if table = f.Section(".plt"); table != nil {
		base = table.Addr + slotSize // after the entry that binds
	}
	step, shift := 24, 32
	rel := f.Section(".rela.plt")
	if f.Class == elf.ELFCLASS32 {
		step, shift = 8, 8
		rel = f.Section(".rel.plt")
	}
	if table == nil || rel == nil {
		return nil
	}
	data, err := rel.Data()
	if err != nil {
		return nil
	}
	for i := 0; len(data) >= step; i, data = i+1, data[step:] {
		var info uint64
		if step == 8 {
			info = uint64(f.ByteOrder.Uint32(data[4:]))
		} else {
			info = f.ByteOrder.Uint64(data[8:])
		}
		// Symbol 0 is none, and not in the slice.
		if n := info >> shift; n > 0 && n <= uint64(len(dynamic)) {
			list = append(list, programSymbol{base + uint64(i)*slotSize, slotSize, dynamic[n-1].Name, true})
		}
	}
	return list
}

// globals are the functions that are called through the global offset table. uftrace lists them at
// the place of their relocation, with its size (seen with programs of 64 bits).
func globals(f *elf.File, dynamic []elf.Symbol) (list []programSymbol) {
	const entry = 24
	rel := f.Section(".rela.dyn")
	if rel == nil || f.Class != elf.ELFCLASS64 {
		return nil
	}
	data, err := rel.Data()
	if err != nil {
		return nil
	}
	for at := rel.Addr; len(data) >= entry; at, data = at+entry, data[entry:] {
		info := f.ByteOrder.Uint64(data[8:])
		n := info >> 32
		if elf.R_X86_64(uint32(info)) != elf.R_X86_64_GLOB_DAT || n == 0 || n > uint64(len(dynamic)) {
			continue
		}
		if s := dynamic[n-1]; elf.ST_TYPE(s.Info) == elf.STT_FUNC {
			list = append(list, programSymbol{at, entry, s.Name, true})
		}
	}
	return list
}
