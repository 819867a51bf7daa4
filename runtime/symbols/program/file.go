// Package program reads the symbols of ELF files: programs, libraries and their debug files.
package program

import (
	"bytes"
	"debug/elf"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/tracec/tracec/runtime/internal/memory"
)

// A File is an open ELF file. The data read from it count in a memory budget.
type File struct {
	elf    *elf.File
	memory *memory.Budget
	closer io.Closer // nil if New opened the file
}

// Open opens an ELF file by its path. It opens only regular files, because the paths come from
// recordings.
func Open(path string, m *memory.Budget) (*File, error) {
	st, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: %w", path, fs.ErrInvalid)
	}
	r, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	f, err := New(r, m)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), r.Close())
	}
	f.closer = r
	return f, nil
}

// New returns the ELF file in r.
func New(r io.ReaderAt, m *memory.Budget) (*File, error) {
	f, err := elf.NewFile(r)
	if err != nil {
		return nil, err
	}
	return &File{elf: f, memory: m}, nil
}

// Close closes a file that Open has opened.
func (f *File) Close() error {
	if f.closer == nil {
		return nil
	}
	return f.closer.Close()
}

// maxNote limits the note of a build id. It has 36 bytes.
const maxNote = 256

// BuildID returns the note that identifies a build, in hexadecimal digits, or "".
func (f *File) BuildID() string {
	s := f.elf.Section(".note.gnu.build-id")
	if s == nil || s.Size > maxNote {
		return ""
	}
	data, err := s.Data()
	if err != nil {
		return ""
	}
	return hex.EncodeToString(BuildNote(data, f.elf.ByteOrder.Uint32))
}

// BuildNote returns the build id in a list of notes, or nil.
func BuildNote(notes []byte, u32 func([]byte) uint32) []byte {
	const buildID = 3
	for len(notes) >= 12 {
		name, size, kind := uint64(u32(notes)), uint64(u32(notes[4:])), u32(notes[8:])
		notes = notes[12:]
		at := (name + 3) &^ 3
		if at+size > uint64(len(notes)) {
			return nil
		}
		if kind == buildID && bytes.Equal(notes[:name], []byte("GNU\x00")) {
			return notes[at : at+size]
		}
		notes = notes[min(uint64(len(notes)), at+(size+3)&^3):]
	}
	return nil
}

// LoadAddress returns the address of the page of the first segment.
func (f *File) LoadAddress() uint64 {
	for _, p := range f.elf.Progs {
		if p.Type == elf.PT_LOAD {
			return p.Vaddr &^ 4095
		}
	}
	return 0
}

// A Symbol is an entry of a symbol table.
type Symbol struct {
	Name       string
	Addr, Size uint64
	Type       elf.SymType
	Bind       elf.SymBind
	Section    elf.SectionIndex // a section of the file
	Visibility elf.SymVis
}

// hasTable reports whether the file has the table that strip removes.
func (f *File) hasTable() bool { return f.elf.SectionByType(elf.SHT_SYMTAB) != nil }

// Each calls fn for the symbols in sections of the file: the symbols of .symtab, or of .dynsym if
// there is no .symtab. The memory of their names stays taken. The error is memory.ErrLimit or the
// error of a damaged file.
func (f *File) Each(fn func(*Symbol)) error {
	t, err := f.table()
	if err != nil || t == nil {
		return err
	}
	defer f.memory.Give(int64(len(t.entries))) // names are in use
	t.each(func(s *Symbol, _ uint32) { fn(s) })
	return nil
}

// table is a symbol table with its names.
type table struct {
	file    *elf.File
	entries []byte
	names   string
}

// table reads .symtab, or .dynsym if there is no .symtab. It returns nil if the file has neither.
// The bytes are taken from the budget.
func (f *File) table() (*table, error) {
	sec := f.elf.SectionByType(elf.SHT_SYMTAB)
	if sec == nil {
		sec = f.elf.SectionByType(elf.SHT_DYNSYM)
	}
	if sec == nil {
		return nil, nil
	}
	return f.tableOf(sec)
}

func (f *File) tableOf(sec *elf.Section) (*table, error) {
	if int64(sec.Link) >= int64(len(f.elf.Sections)) {
		return nil, fmt.Errorf("section %s: %w", sec.Name, errNoNames)
	}
	entries, err := f.read(sec)
	if err != nil {
		return nil, err
	}
	names, err := f.read(f.elf.Sections[sec.Link])
	if err != nil {
		f.memory.Give(int64(len(entries)))
		return nil, err
	}
	return &table{f.elf, entries, string(names)}, nil
}

var errNoNames = errors.New("the table of symbols has no names")

// read reads a section. It takes its bytes from the budget.
func (f *File) read(s *elf.Section) ([]byte, error) {
	if s.Type == elf.SHT_NOBITS { // in a debug file
		return nil, nil
	}
	if s.Size > 1<<40 {
		return nil, fmt.Errorf("section %s of %d bytes: %w", s.Name, s.Size, memory.ErrLimit)
	}
	if err := f.memory.Take(int64(s.Size)); err != nil {
		return nil, fmt.Errorf("section %s: %w", s.Name, err)
	}
	data, err := s.Data()
	if err != nil {
		f.memory.Give(int64(s.Size))
		return nil, fmt.Errorf("section %s: %w", s.Name, err)
	}
	return data, nil
}

// each calls fn for the symbols of a section, with the places of their names.
func (t *table) each(fn func(s *Symbol, name uint32)) {
	size, read := 24, symbol64
	if t.file.Class == elf.ELFCLASS32 {
		size, read = 16, symbol32
	}
	var s Symbol
	for b := t.entries; len(b) >= size; b = b[size:] {
		name := read(t.file, b, &s)
		if s.Section == elf.SHN_UNDEF || int(s.Section) >= len(t.file.Sections) ||
			uint64(name) >= uint64(len(t.names)) {
			continue
		}
		if s.Name = terminated(t.names[name:]); s.Name != "" {
			fn(&s, name)
		}
	}
}

// maxName limits the length of a name, because the names of a hostile file may overlap.
const maxName = 16 << 10

// terminated returns the text up to its NUL, or "" if it is too long for a name.
func terminated(s string) string {
	s = s[:min(len(s), maxName)]
	return s[:max(0, strings.IndexByte(s, 0))]
}

func symbol64(f *elf.File, b []byte, s *Symbol) (name uint32) {
	o := f.ByteOrder
	s.kind(b[4], b[5])
	s.Section, s.Addr, s.Size = elf.SectionIndex(o.Uint16(b[6:])), o.Uint64(b[8:]), o.Uint64(b[16:])
	return o.Uint32(b)
}

func symbol32(f *elf.File, b []byte, s *Symbol) (name uint32) {
	o := f.ByteOrder
	s.kind(b[12], b[13])
	s.Section, s.Addr, s.Size = elf.SectionIndex(o.Uint16(b[14:])), uint64(o.Uint32(b[4:])), uint64(o.Uint32(b[8:]))
	return o.Uint32(b)
}

func (s *Symbol) kind(info, other byte) {
	s.Type, s.Bind, s.Visibility = elf.ST_TYPE(info), elf.ST_BIND(info), elf.ST_VISIBILITY(other)
}
