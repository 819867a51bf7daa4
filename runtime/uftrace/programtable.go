package uftrace

import "time"

// programTable has the programs of a recording, and the modules and symbols in their memory.
type programTable struct {
	sessions []*Session
	images   map[int32][]*Session // of a process, by start
	paths    map[string]bool      // paths of the programs of all sessions
	modules  []*Module            // in the order they were met, the kernel last
	kernel   *Module
	mapped   time.Time // when the last map that was read was written
	symbols  []*Symbol
}

// indexSymbols numbers the symbols of all modules.
func (p *programTable) indexSymbols() {
	for _, m := range p.modules {
		for _, s := range m.Symbols {
			s.Index = int32(len(p.symbols))
			p.symbols = append(p.symbols, s)
		}
	}
}
