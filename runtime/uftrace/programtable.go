package uftrace

import "time"

// programTable has the programs of a recording, and the modules and symbols in their memory.
type programTable struct {
	sessions []*Session
	images   map[int32][]*Session // by process; in the order of their start
	paths    map[string]bool      // paths of the programs of all sessions
	modules  []*Module            // in the order in which they were found, the kernel last
	kernel   *Module
	mapped   time.Time // modification time of the last map that was read
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
