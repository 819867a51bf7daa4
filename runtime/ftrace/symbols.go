package ftrace

import "github.com/tracec/tracec/runtime/symbols"

// Symbols is the kernel's symbol table as recorded. It is safe for concurrent use.
type Symbols struct {
	text  string
	table *symbols.Table

	moved     bool      // records have addresses of a previous boot: see lastboot.go
	stretches []stretch // recorded distances, without overlaps
}

// Symbols returns the symbol table of the recording. The first call parses it. The table may be
// empty.
func (r *Recording) Symbols() *Symbols {
	r.texts.once.kallsyms.Do(func() {
		r.texts.symbols = ParseSymbols(r.lines(r.texts.kallsyms, symbols.EntrySize))
		if len(r.info.LastBootInfo) > 0 {
			r.moveSymbols(r.texts.symbols)
		}
	})
	return r.texts.symbols
}

// ParseSymbols reads lines of "address type name\t[module]" as in /proc/kallsyms, as described at
// [symbols.ParseKallsyms].
func ParseSymbols(text string) *Symbols {
	return &Symbols{text: text, table: symbols.ParseKallsyms(text, symbols.FirstAlias)}
}

// Len returns the number of addresses with a symbol.
func (s *Symbols) Len() int { return s.table.Len() }

// All calls fn for every symbol by rising address, including further names of an address that
// Lookup does not find. module is "" for the kernel itself. All parses the text again.
func (s *Symbols) All(fn func(addr uint64, name, module string)) {
	symbols.AllKallsyms(s.text, func(y symbols.Symbol) { fn(y.Addr, y.Name, y.Module) })
}

// Lookup finds the symbol that contains addr, by bisection and without allocating. If an address
// has several names, it returns the first, as the kernel does. size is the distance to the next
// symbol. It is 0 for the last symbol: its end is unknown, so only its exact address is found.
func (s *Symbols) Lookup(addr uint64) (name string, start, size uint64, module string, ok bool) {
	now, known := addr, true
	if s.moved {
		now, known = s.place(addr)
	}
	if !known {
		return "", 0, 0, "", false
	}
	y, ok := s.table.Find(now)
	return y.Name, y.Addr - (now - addr), y.Size, y.Module, ok
}

// Address returns the address of the first code symbol with that name, in the addresses of records.
// In C, the value of a function or of the beginning of a section is its address, while other names
// are variables. Address scans the text.
func (s *Symbols) Address(name string) (addr uint64, ok bool) {
	if addr, ok = s.table.Address(name, symbols.Code); ok && s.moved {
		return s.before(addr)
	}
	return addr, ok
}
