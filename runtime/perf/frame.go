package perf

import "github.com/tracec/tracec/runtime/symbols/demangle"

// A Frame is an address of code, and what is there.
type Frame struct {
	Addr       uint64
	Mode       uint16  // ModeKernel or ModeUser; 0 for others
	Module     *Module // nil if nothing is mapped there
	FileOffset uint64  // of Addr in the file of Module
	Symbol     string  // empty if unknown
	Offset     uint64  // of Addr from the start of the symbol
}

// A Resolver finds the symbols of addresses. It is for one goroutine. It remembers those it has
// found last, since stacks repeat.
type Resolver struct {
	modules *modules
	form    demangle.Form
	known   [1 << 10]resolved
}

type resolved struct {
	in    *space
	frame Frame
}

// Resolver returns a new Resolver.
func (r *Recording) Resolver() *Resolver {
	return &Resolver{modules: &r.modules, form: r.config.demangle}
}

// Frame returns what is at an address that a sample has. Mode is the one of the address.
func (v *Resolver) Frame(m Maps, mode uint16, addr uint64) Frame {
	mode &= modeMask
	in := m.of(mode)
	if in == nil || mode != ModeKernel && mode != ModeUser { // of a guest, a hypervisor, or unknown
		return Frame{Addr: addr, Mode: mode}
	}
	k := &v.known[addr*0x9e3779b97f4a7c15>>54]
	if k.in != in || k.frame.Addr != addr || k.frame.Mode != mode {
		k.in, k.frame = in, v.resolve(in, mode, addr)
	}
	return k.frame
}

// Symbol returns the symbol of an address that a sample has in a field. It looks into the kernel
// and the process, first into the one of the mode of the sample.
func (v *Resolver) Symbol(m Maps, mode uint16, addr uint64) (name string, offset uint64, ok bool) {
	modes := [2]uint16{ModeKernel, ModeUser}
	if mode&modeMask == ModeUser {
		modes = [2]uint16{ModeUser, ModeKernel}
	}
	for _, mode := range modes {
		if f := v.Frame(m, mode, addr); f.Symbol != "" {
			return f.Symbol, f.Offset, true
		}
	}
	return "", 0, false
}

func (v *Resolver) resolve(in *space, mode uint16, addr uint64) Frame {
	f := Frame{Addr: addr, Mode: mode}
	x, ok := in.list.find(addr)
	if !ok {
		return f
	}
	f.Module, f.FileOffset = x.Module, addr-x.Start+x.Offset
	switch m := x.Module; m.kind {
	case generated:
		f.Symbol, f.Offset = m.Name, addr-x.Start
	case ofKernel, loadable:
		f.Symbol, f.Offset, _ = v.modules.kernelSymbol(m, addr)
	default:
		m.once.Do(func() { v.modules.load(m) })
		if m.symbols == nil {
			return f
		}
		if name, off, ok := m.symbols.Find(f.FileOffset); ok {
			f.Symbol, f.Offset = m.name(name, v.form), off
		}
	}
	return f
}
