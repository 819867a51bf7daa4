package ftrace

// All calls fn for every address that has a symbol, from the lowest up; module is "" for the kernel itself.
func (s *Symbols) All(fn func(addr uint64, name, module string)) {
	for i := range s.table {
		y := &s.table[i]
		fn(y.addr, s.text[y.name:y.end], s.text[y.mod:y.tail])
	}
}
