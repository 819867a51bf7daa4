package program

import (
	"debug/elf"
	"encoding/binary"
	"fmt"
	"sort"
	"strings"
)

// goTable is the table of functions of a program in Go. Programs without DWARF also have it. It is
// described in runtime/symtab.go and runtime/runtime2.go of Go's sources. It is read for releases
// since Go 1.18. The lines of functions' begins exist since Go 1.20.
type goTable struct {
	data  []byte // from the header of the table on
	order binary.ByteOrder
	quant uint64 // size of the smallest instruction in bytes
	text  uint64 // address from which functions count

	names, units, files, steps, funcs []byte // parts of data
	count                             int    // number of functions
	starts                            bool   // functions have the lines of their begins
	inlined                           []byte // trees of inlined calls, from gofunc on; nil if not found
	left                              int    // number of steps that the lookup may still read
}

// The versions of the table (internal/abi/symtab.go). They are in the byte order of the program.
const (
	go118 = 0xfffffff0
	go120 = 0xfffffff1
)

// goTable reads the table. It returns nil for other programs, and for programs of older releases.
func (f *File) goTable() (*goTable, error) {
	at, sec, known := f.goSymbols()
	if sec == nil {
		return nil, nil
	}
	data, err := f.read(sec)
	if err != nil {
		return nil, err
	}
	if at-sec.Addr > uint64(len(data)) {
		at = sec.Addr
	}
	t := &goTable{data: data[at-sec.Addr:], order: f.elf.ByteOrder}
	if !t.header() {
		f.memory.Give(int64(len(data)))
		return nil, nil
	}
	module := f.goModule(at)
	t.text = firstOf(known[goText], module.text, f.section(".text"))
	err = t.trees(f, firstOf(known[goInlined], module.inlined), sec, data)
	return t, err
}

func firstOf(list ...uint64) uint64 {
	for _, n := range list {
		if n != 0 {
			return n
		}
	}
	return 0
}

func (f *File) section(name string) uint64 {
	if s := f.elf.Section(name); s != nil {
		return s.Addr
	}
	return 0
}

// The symbols that Go's linker makes for parts of the table.
const (
	goTableName = "runtime.pclntab"
	goText      = "runtime.text"
	goInlined   = "go:func.*"
)

// goSymbols returns the place of the table, and the addresses of its parts. Without symbols, the
// name of the section identifies it.
func (f *File) goSymbols() (at uint64, in *elf.Section, known map[string]uint64) {
	in = f.elf.Section(".gopclntab")
	if in == nil {
		in = f.elf.Section(".data.rel.ro.gopclntab")
	}
	if in == nil && f.elf.Section(".go.buildinfo") == nil {
		return 0, nil, nil
	}
	known = map[string]uint64{}
	t, err := f.table()
	if err == nil && t != nil {
		defer f.memory.Give(int64(len(t.entries) + len(t.names)))
		t.each(func(s *Symbol, _ uint32) {
			switch s.Name {
			case "go.func.*": // before Go 1.20
				known[goInlined] = s.Addr
			case goTableName, goText, goInlined:
				known[strings.Clone(s.Name)] = s.Addr
			}
		})
	}
	if in != nil {
		return firstOf(known[goTableName], in.Addr), in, known
	}
	at = known[goTableName]
	return at, f.sectionOf(at), known
}

// sectionOf returns the section that contains an address, or nil if there is none.
func (f *File) sectionOf(addr uint64) *elf.Section {
	for _, s := range f.elf.Sections {
		if s.Flags&elf.SHF_ALLOC != 0 && s.Type != elf.SHT_NOBITS && addr-s.Addr < s.Size {
			return s
		}
	}
	return nil
}

// goModule holds facts from the description of a module in the data of a stripped program.
type goModule struct{ text, inlined uint64 }

// The places of words in runtime.moduledata, of Go 1.20 to 1.26.
const (
	moduleNames   = 1
	moduleText    = 22
	moduleInlined = 40
	moduleWords   = 41
)

// goModule finds the description of the module that has a table. In position-independent programs,
// its addresses may exist only as relocations. It is then not found.
func (f *File) goModule(table uint64) (m goModule) {
	o := f.elf.ByteOrder
	word, size := func(b []byte, i int) uint64 { return o.Uint64(b[8*i:]) }, 8
	if f.elf.Class == elf.ELFCLASS32 {
		word, size = func(b []byte, i int) uint64 { return uint64(o.Uint32(b[4*i:])) }, 4
	}
	for _, name := range []string{".go.module", ".noptrdata", ".data"} {
		s := f.elf.Section(name)
		if s == nil {
			continue
		}
		b, err := f.read(s)
		if err != nil {
			return m
		}
		f.memory.Give(int64(len(b)))
		for ; len(b) >= moduleWords*size; b = b[size:] {
			if word(b, 0) == table && word(b, moduleNames)-table < 1<<10 {
				return goModule{word(b, moduleText), word(b, moduleInlined)}
			}
		}
	}
	return m
}

// header reads the header of the table, and finds its parts.
func (t *goTable) header() bool {
	b := t.data
	if len(b) < 8 {
		return false
	}
	version, size := t.order.Uint32(b), int(b[7])
	if version != go118 && version != go120 || size != 4 && size != 8 || len(b) < 8+8*size {
		return false
	}
	word := func(i int) uint64 {
		if size == 4 {
			return uint64(t.order.Uint32(b[8+4*i:]))
		}
		return t.order.Uint64(b[8+8*i:])
	}
	t.quant, t.starts = uint64(b[6]), version == go120
	for i, part := range []*[]byte{&t.names, &t.units, &t.files, &t.steps, &t.funcs} {
		at := word(3 + i)
		if at > uint64(len(b)) {
			return false
		}
		*part = b[at:]
	}
	n := word(0)
	if n == 0 || n > uint64(len(t.funcs))/8 {
		return false
	}
	t.count = int(n)
	return len(t.funcs) >= 8*t.count+4
}

// trees finds the trees of inlined calls, which are in the section of the table or in another one.
func (t *goTable) trees(f *File, at uint64, in *elf.Section, data []byte) error {
	if at == 0 {
		return nil
	}
	if in == nil || at-in.Addr >= in.Size {
		in = f.sectionOf(at)
		if in == nil {
			return nil
		}
		var err error
		if data, err = f.read(in); err != nil {
			return fmt.Errorf("inlined functions: %w", err)
		}
	}
	if at-in.Addr < uint64(len(data)) {
		t.inlined = data[at-in.Addr:]
	}
	return nil
}

// at returns the function of an address, and its place in funcs.
func (t *goTable) at(addr uint64) (fn goFunc, ok bool) {
	pc := addr - t.text
	entry := func(i int) uint64 { return uint64(t.order.Uint32(t.funcs[8*i:])) }
	i := sort.Search(t.count+1, func(i int) bool { return entry(i) > pc }) - 1
	if i < 0 || i >= t.count {
		return fn, false
	}
	place := t.order.Uint32(t.funcs[8*i+4:])
	if uint64(place) > uint64(len(t.funcs)) {
		return fn, false
	}
	fn = goFunc{table: t, b: t.funcs[place:], pc: pc - entry(i)}
	return fn, len(fn.b) >= fn.size() && fn.name() != ""
}
