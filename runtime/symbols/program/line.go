package program

import (
	"errors"
	"fmt"
	"sync"

	"github.com/tracec/tracec/runtime/internal/memory"
)

// A Line is a place in source code.
type Line struct {
	// Function is the function of the place, under its name in the file, mangled if possible. It is
	// empty for a function that the compiler has not inlined and whose name is the symbol's.
	Function string
	File     string // as the compiler saw it
	Line     int    // 0 if unknown
	Start    int    // the line of the function's declaration; 0 if unknown
}

// lines finds lines by address. Its tables are read at the first lookup.
type lines struct {
	name string // of the program
	load func() (lineTables, error)

	mu     sync.Mutex
	loaded bool
	tables lineTables
	memory *memory.Budget
	known  map[uint64][]Line // by address
}

// lineTables are the tables of a file. A program in Go may have both, because C code has only
// DWARF.
type lineTables struct {
	gofuncs *goTable   // nil if there is none
	dwarf   *dwarfInfo // nil if there is none
}

// lineBytes is the approximate memory of a known address without its lines. lineSize is the memory
// of a line.
const lineBytes, lineSize = 64, 48

// AppendLines appends the lines of a byte of the file. The lines of functions that the compiler has
// inlined come first, from the innermost outwards. The line of the function itself comes last. It
// appends nothing if the file has no lines for it. The first call reads the tables of the file. The
// error is the reason why they, or a part of them, are not used. Each error is returned once.
func (s *Symbols) AppendLines(dst []Line, offset uint64) ([]Line, error) {
	addr, ok := s.address(offset)
	if !ok || s.lines == nil {
		return dst, nil
	}
	l := s.lines
	l.mu.Lock()
	defer l.mu.Unlock()
	var failed error
	if !l.loaded {
		l.loaded = true
		if l.tables, failed = l.load(); failed != nil {
			failed = fmt.Errorf("%s: %w", l.name, failed)
		}
	}
	found, ok := l.known[addr]
	if ok {
		return append(dst, found...), failed
	}
	found, err := l.tables.find(addr)
	if errors.Is(err, memory.ErrLimit) { // the next one would fail as well
		l.tables = lineTables{}
	}
	if err != nil {
		failed = errors.Join(failed, fmt.Errorf("%s: %w", l.name, err))
	}
	if l.memory.Take(lineBytes+int64(len(found))*lineSize) == nil {
		if l.known == nil {
			l.known = map[uint64][]Line{}
		}
		l.known[addr] = found
	}
	return append(dst, found...), failed
}

// find returns the lines of an address.
func (t *lineTables) find(addr uint64) ([]Line, error) {
	if t.gofuncs != nil {
		if list := t.gofuncs.find(addr); list != nil {
			return list, nil
		}
	}
	if t.dwarf != nil {
		return t.dwarf.find(addr)
	}
	return nil, nil
}

// lineTables reads the tables of a program. If the program has no DWARF, it reads the tables of its
// debug file.
func (s Search) lineTables(name, buildID string, m *memory.Budget) (t lineTables, err error) {
	if f, failed := s.open(name, buildID, m); failed == nil { // otherwise the symbols come from a debug file
		defer f.Close()
		buildID = f.BuildID()
		t.gofuncs, err = f.goTable()
		t.dwarf, failed = f.dwarf()
		err = errors.Join(err, failed)
	}
	if t.dwarf != nil || err != nil {
		return t, err
	}
	if d := s.debug(buildID, m); d != nil {
		defer d.Close()
		t.dwarf, err = d.dwarf()
	}
	return t, err
}
