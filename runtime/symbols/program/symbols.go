package program

import (
	"cmp"
	"debug/elf"
	"slices"
	"strings"

	"github.com/tracec/tracec/runtime/symbols"
)

// Symbols are the functions and objects of a program. They are safe for concurrent use.
type Symbols struct {
	table *symbols.Table
	loads []load
	lines *lines // nil if there are none
}

// A load is a segment: bytes of the file that are loaded into memory.
type load struct{ offset, size, addr uint64 }

// Find returns the symbol that contains a byte of the file, and the offset of the byte from its
// start.
func (s *Symbols) Find(offset uint64) (name string, off uint64, ok bool) {
	addr, ok := s.address(offset)
	if !ok {
		return "", 0, false
	}
	y, ok := s.table.Find(addr)
	return y.Name, addr - y.Addr, ok
}

// address returns the address of a byte of the file in memory.
func (s *Symbols) address(offset uint64) (addr uint64, ok bool) {
	for i := range s.loads {
		if l := &s.loads[i]; offset-l.offset < l.size {
			return offset - l.offset + l.addr, true
		}
	}
	return 0, false
}

// Len returns the number of addresses with a symbol.
func (s *Symbols) Len() int { return s.table.Len() }

// segments returns the segments of a file. The segments with code come first, then others. The
// memory after the bytes of segments comes last: the last page of a mapping begins with bytes of
// the file and ends with zeros.
func (f *File) segments() (list []load) {
	for _, code := range []bool{true, false} {
		for _, p := range f.elf.Progs {
			if p.Type == elf.PT_LOAD && p.Filesz > 0 && code == (p.Flags&elf.PF_X != 0) {
				list = append(list, load{p.Off, p.Filesz, p.Vaddr})
			}
		}
	}
	for _, p := range f.elf.Progs {
		if p.Type == elf.PT_LOAD && p.Memsz > p.Filesz {
			list = append(list, load{p.Off + p.Filesz, p.Memsz - p.Filesz, p.Vaddr + p.Filesz})
		}
	}
	return list
}

// rank orders the names of one address.
type rank struct {
	symbols.Entry
	order uint32 // lower ones take precedence
	place uint32 // place in the table of the file
}

// sizeless is the bit of rank.order for a symbol without a size.
const sizeless = 1 << 30

// symbols returns the table of a file, with the linkage table of the program of, which is the file
// itself or has it as its debug file. Its memory stays taken.
func (f *File) symbols(of *File) (*symbols.Table, error) {
	t, err := f.table()
	if err != nil {
		return nil, err
	}
	if t == nil || f.elf.Type == elf.ET_REL { // addresses are relative to sections
		return symbols.NewTable("", nil), nil
	}
	defer f.memory.Give(int64(len(t.entries)))
	n := len(t.entries) / 16
	if err := f.memory.Take(2 * int64(n) * symbols.EntrySize); err != nil { // until the names are selected
		f.memory.Give(int64(len(t.names)))
		return nil, err
	}
	list := f.ranked(t, n)
	text, list := of.addLinkage(t.names[:min(len(t.names), symbols.MaxText)], list)
	slices.SortFunc(list, func(a, b rank) int { return better(text, &a, &b) })
	entries := make([]symbols.Entry, 0, len(list))
	for len(list) > 0 {
		n := 1
		for n < len(list) && list[n].Addr == list[0].Addr {
			n++
		}
		entries = append(entries, best(text, list[:n]).Entry)
		list = list[n:]
	}
	f.memory.Give(2*int64(n)*symbols.EntrySize - int64(len(entries))*symbols.EntrySize)
	return symbols.NewTable(text, entries), nil
}

// ranked returns the functions, objects and labels of a table.
func (f *File) ranked(t *table, most int) []rank {
	list := make([]rank, 0, most)
	t.each(func(s *Symbol, name uint32) {
		label := s.Type == elf.STT_NOTYPE && f.hasLabel(s)
		function := s.Type == elf.STT_FUNC || s.Type == elf.STT_GNU_IFUNC
		if !label && !function && s.Type != elf.STT_OBJECT {
			return
		}
		if f.elf.Machine == elf.EM_ARM && function {
			s.Addr &^= 1 // the bit selects the instruction set
		}
		y := rank{Entry: symbols.Entry{Addr: s.Addr, Size: s.Size, Name: name, End: name + uint32(len(s.Name))}}
		y.place = uint32(len(list))
		if s.Size == 0 {
			y.order |= sizeless
		}
		switch s.Bind {
		case elf.STB_GLOBAL:
		case elf.STB_WEAK:
			y.order |= 2 << 28
		default:
			y.order |= 1 << 28
		}
		y.order |= uint32(len(s.Name) - len(strings.TrimLeft(s.Name, "_")))
		list = append(list, y)
	})
	return list
}

// hasLabel reports whether perf treats a symbol without a type as a label. This is so in a section
// of text or data if it is not hidden (docs/spec/perf.md 9). Names with $ mark code of ARM.
func (f *File) hasLabel(s *Symbol) bool {
	section := f.elf.Sections[s.Section].Name
	return (strings.Contains(section, ".text") || strings.Contains(section, ".data")) && s.Name[0] != '$' &&
		s.Visibility != elf.STV_HIDDEN && s.Visibility != elf.STV_INTERNAL
}

// better orders symbols by address, and the names of one address as perf prefers them
// (docs/spec/perf.md 9): with a size, global over local over weak, fewer leading underscores,
// longer names.
func better(text string, a, b *rank) int {
	return cmp.Or(
		cmp.Compare(a.Addr, b.Addr), cmp.Compare(a.order, b.order),
		cmp.Compare(b.End-b.Name, a.End-a.Name), strings.Compare(text[a.Name:a.End], text[b.Name:b.End]),
	)
}

// best returns the name that perf prefers for an address. list has the names of the address, in the
// order of better. For perf, a symbol without a size reaches to the next address if it is the last
// one in the file.
func best(text string, list []rank) *rank {
	last := 0
	for i := range list {
		if list[i].place > list[last].place {
			last = i
		}
	}
	list[last].order &^= sizeless
	if better(text, &list[last], &list[0]) < 0 {
		return &list[last]
	}
	return &list[0]
}

// addLinkage adds the slots of the procedure linkage table as NAME@plt, or @plt if they call a
// function without a name. If the slots of a file cannot be read, there are no such names.
func (f *File) addLinkage(text string, list []rank) (string, []rank) {
	slots, err := f.slots()
	if err != nil || len(slots) == 0 {
		return text, list
	}
	more := []byte(text)
	for i := range slots {
		at := len(more)
		more = append(append(more, slots[i].Name...), "@plt\x00"...)
		if len(more) > symbols.MaxText || f.memory.Take(int64(len(more)-at)) != nil {
			break
		}
		e := symbols.Entry{Addr: slots[i].Addr, Size: slots[i].Size, Name: uint32(at), End: uint32(len(more) - 1)}
		list = append(list, rank{Entry: e})
	}
	return string(more), list
}
