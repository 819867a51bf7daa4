package ftrace

// All calls fn for every symbol by rising address, including further names of an address that
// Lookup does not find. module is "" for the kernel itself. It parses the text again.
func (s *Symbols) All(fn func(addr uint64, name, module string)) {
	table := s.parse()
	for i := range table {
		y := &table[i]
		fn(y.addr, s.text[y.name:y.end], s.text[y.mod:y.tail])
	}
}
