package ftrace

// All calls fn for every symbol, from the lowest address up, also for the further names of an
// address that Lookup does not find; module is "" for the kernel itself. It reads the text anew.
func (s *Symbols) All(fn func(addr uint64, name, module string)) {
	table := s.parse()
	for i := range table {
		y := &table[i]
		fn(y.addr, s.text[y.name:y.end], s.text[y.mod:y.tail])
	}
}
