package ftrace

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// Symbols is the kernel's symbol table as recorded. Safe for concurrent use.
type Symbols struct {
	text  string
	table []symbol // by address; of several names, the first

	moved     bool      // records have addresses of a previous boot: see lastboot.go
	stretches []stretch // distances moved since, without overlaps
}

// A symbol points into the text, so that a table of 200,000 symbols costs 24 bytes each.
type symbol struct {
	addr      uint64
	name, end uint32 // the name is text[name:end]
	mod, tail uint32 // the module, without brackets
}

// Symbols returns the table of the recording, which the first call parses. It may be empty.
func (r *Recording) Symbols() *Symbols {
	r.texts.once.kallsyms.Do(func() {
		r.texts.symbols = ParseSymbols(r.lines(r.texts.kallsyms, symbolSize))
		if len(r.info.LastBootInfo) > 0 {
			r.moveSymbols(r.texts.symbols)
		}
	})
	return r.texts.symbols
}

// ParseSymbols reads lines of "address type name\t[module]" as in /proc/kallsyms. It skips mapping
// symbols of ARM ($a, $d, ...) and absolute ones (types A and a). Absolute symbols are offsets of
// per-CPU variables: no address in a trace refers to them.
func ParseSymbols(text string) *Symbols {
	s := &Symbols{text: text}
	if len(text) > maxText { // positions in it have 32 bits
		s.text = text[:maxText]
	}
	s.table = slices.CompactFunc(s.parse(), func(a, b symbol) bool { return a.addr == b.addr })
	return s
}

// parse reads the text. It returns all symbols by address. Symbols of one address are in the order
// of the text.
func (s *Symbols) parse() []symbol {
	table := make([]symbol, 0, strings.Count(s.text, "\n"))
	for pos := 0; pos < len(s.text); {
		end := strings.IndexByte(s.text[pos:], '\n')
		if end < 0 {
			end = len(s.text) - pos
		}
		if sym, ok := parseSymbol(s.text[pos:pos+end], uint32(pos)); ok {
			table = append(table, sym)
		}
		pos += end + 1
	}
	byAddr := func(a, b symbol) int { return cmp.Compare(a.addr, b.addr) }
	if !slices.IsSortedFunc(table, byAddr) {
		slices.SortStableFunc(table, byAddr)
	}
	return table
}

func parseSymbol(line string, at uint32) (s symbol, ok bool) {
	i := strings.IndexByte(line, ' ')
	if i < 0 || len(line) < i+4 || line[i+2] != ' ' {
		return s, false
	}
	addr, err := strconv.ParseUint(strings.TrimPrefix(line[:i], "0x"), 16, 64)
	if kind := line[i+1]; err != nil || kind == 'A' || kind == 'a' {
		return s, false
	}
	name := line[i+3:]
	n := strings.IndexAny(name, "\t \r")
	if n < 0 {
		n = len(name)
	}
	if n == 0 || name[0] == '$' {
		return s, false
	}
	s = symbol{addr: addr, name: at + uint32(i+3)}
	s.end = s.name + uint32(n)
	if open, shut := strings.IndexByte(name[n:], '['), strings.LastIndexByte(name[n:], ']'); open >= 0 && shut > open {
		s.mod, s.tail = s.end+uint32(open)+1, s.end+uint32(shut)
	}
	return s, true
}

// Len returns the number of addresses with a symbol.
func (s *Symbols) Len() int { return len(s.table) }

// Lookup finds the symbol that contains addr, by bisection and without allocating. Of several names
// for an address, it returns the first, as the kernel does. size is the distance to the next
// symbol. It is 0 for the last symbol, whose end is unknown and which is found by its exact address
// only.
func (s *Symbols) Lookup(addr uint64) (name string, start, size uint64, module string, ok bool) {
	if s.moved {
		now, known := s.place(addr)
		if !known {
			return "", 0, 0, "", false
		}
		name, start, size, module, ok = s.find(now)
		return name, start - (now - addr), size, module, ok
	}
	return s.find(addr)
}

// Address returns the address of the first code symbol with that name, in the addresses of records.
// In C, the value of a function or of the beginning of a section is its address, while other names
// are variables. Address scans the text.
func (s *Symbols) Address(name string) (addr uint64, ok bool) {
	if addr, ok = s.address(name, "tTwW"); ok && s.moved {
		return s.before(addr)
	}
	return addr, ok
}

// address finds the first symbol with a name and one of some types, in the addresses of the table.
func (s *Symbols) address(name, types string) (addr uint64, ok bool) {
	for pos := 0; ; {
		i := strings.Index(s.text[pos:], name)
		if i < 0 {
			return 0, false
		}
		i += pos
		pos = i + len(name)
		if i == 0 || s.text[i-1] != ' ' || pos < len(s.text) && !strings.ContainsRune("\t\r\n ", rune(s.text[pos])) {
			continue
		}
		line := s.text[strings.LastIndexByte(s.text[:i], '\n')+1 : pos]
		if sym, ok := parseSymbol(line, 0); ok && line[sym.name:] == name && strings.IndexByte(types, line[sym.name-2]) >= 0 {
			return sym.addr, true
		}
	}
}

// find is Lookup by the addresses of the table.
func (s *Symbols) find(addr uint64) (name string, start, size uint64, module string, ok bool) {
	lo, hi := 0, len(s.table)
	for lo < hi {
		if mid := int(uint(lo+hi) >> 1); s.table[mid].addr > addr {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	if lo == 0 {
		return "", 0, 0, "", false
	}
	y := &s.table[lo-1]
	if lo < len(s.table) {
		size = s.table[lo].addr - y.addr
	} else if addr != y.addr {
		return "", 0, 0, "", false
	}
	return s.text[y.name:y.end], y.addr, size, s.text[y.mod:y.tail], true
}
