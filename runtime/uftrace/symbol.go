package uftrace

import "github.com/tracec/tracec/runtime/symbols/demangle"

// Module is a program, a library or the kernel, with its symbols.
type Module struct {
	Name, Path, BuildID string    // Name is the base name of Path
	Symbols             []*Symbol // by address
	// Enums are the enumerations of the module's debug information, by name: `kind
	// {food,tool=5,book}`.
	Enums map[string]string

	debug      map[uint64]*debugFunc // by Symbol.Addr
	debugSpecs bool                  // debug has argument specs
}

// debugFunc is the data of a .dbg file about a function.
type debugFunc struct {
	args, results string // specs: arg1/p%RSI,arg2%RDX
	file          string
	line          int
}

// Symbol is a function or an object.
type Symbol struct {
	Addr, Size uint64 // relative to the module
	Type       byte   // T t w P K …: P is a slot of the procedure linkage table
	form       demangle.Form
	Name       string // as in the symbol table, mangled
	Simple     string // without template arguments, parameters and return type; specs match it
	Module     *Module
	Index      int32 // in Recording.Symbols
	// Args and Results are the values of an entry and of an exit record, in their order.
	Args, Results []Spec
	// File and Line are the place where the function begins. Without debug information they are
	// empty and 0.
	File string
	Line int

	sizes [2]int32 // of the payload of an entry and of an exit: bytes, or one of the constants below
}

// callID exceeds the ids of all events.
const callID = 1 << 31

// InKernel reports whether the symbol belongs to the kernel.
func (s *Symbol) InKernel() bool { return s.Module != nil && s.Module.Name == "[kernel]" }

// ID returns the Record.ID of calls of the function (Enter) or of returns from it (Leave).
func (s *Symbol) ID(kind Kind) uint32 { return callID | uint32(s.Index)<<1 | uint32(kind&1) }

const (
	sizeUnknown = -1 // no specs
	sizeVaries  = -2 // strings
)

// Spec is one value of a payload.
type Spec struct {
	Result   bool
	Index    int    // of the argument, from 1; 0 for a result
	Float    bool   // fpargN: counted separately
	Format   byte   // d i u x o s S c f p e t
	Size     int    // bytes of the value; 0 for strings
	TypeName string // of an enum or a structure
	Location string // %rdi, %stack+1: as written, without the percent sign
}

// find returns the symbol that contains a relative address. Symbols may overlap (aliases, objects
// within others). Then the result depends on the search. So find uses the algorithm of the C
// library's bsearch, which uftrace calls.
func (m *Module) find(addr uint64) (*Symbol, uint64) {
	if m == nil {
		return nil, 0
	}
	lo, hi := 0, len(m.Symbols)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		s := m.Symbols[mid]
		switch {
		case addr < s.Addr:
			hi = mid
		case addr-s.Addr >= s.Size:
			lo = mid + 1
		default:
			return s, addr - s.Addr
		}
	}
	return nil, 0
}

// measure computes the payload sizes that do not depend on the data.
func (p *programTable) measure() {
	for _, s := range p.symbols {
		s.sizes = [2]int32{fixedSize(s.Args), fixedSize(s.Results)}
	}
}

// fixedSize returns the size of values without strings. Each is padded to 4 bytes (uftrace.md 1.6).
func fixedSize(specs []Spec) int32 {
	if len(specs) == 0 {
		return sizeUnknown
	}
	total := int64(0)
	for i := range specs {
		switch specs[i].Format {
		case 's', 'S':
			return sizeVaries
		}
		total += (int64(specs[i].Size) + 3) &^ 3
		if specs[i].Size < 0 || total > maxPayload {
			return sizeUnknown
		}
	}
	return int32(total)
}
