package perf

import (
	"github.com/tracec/tracec/runtime/symbols/demangle"
	"github.com/tracec/tracec/runtime/symbols/program"
)

// A Frame is an address of code with its symbol.
type Frame struct {
	Addr       uint64
	Mode       uint16  // ModeKernel or ModeUser; 0 for other modes
	Module     *Module // nil if nothing is mapped there
	FileOffset uint64  // of Addr in the file of Module
	Symbol     string  // empty if unknown
	Offset     uint64  // of Addr from the start of the symbol
}

// A Resolver finds the symbols of addresses. It is for one goroutine. It caches the last results,
// since stacks repeat.
type Resolver struct {
	modules *modules
	form    demangle.Form
	known   [1 << 10]resolved
	lines   []program.Line
}

type resolved struct {
	in    *space
	frame Frame
}

// Resolver returns a new Resolver.
func (r *Recording) Resolver() *Resolver {
	return &Resolver{modules: &r.modules, form: r.config.demangle}
}

// Frame returns the frame of an address of a sample. Mode is the mode of the address.
func (v *Resolver) Frame(m Maps, mode uint16, addr uint64) Frame { return *v.At(m, mode, addr) }

// At is Frame without a copy. The Frame is valid until the next call, and must not be changed.
func (v *Resolver) At(m Maps, mode uint16, addr uint64) *Frame {
	mode &= modeMask
	in := m.of(mode)
	k := &v.known[addr*0x9e3779b97f4a7c15>>54]
	if k.in == in && k.frame.Addr == addr && k.frame.Mode == mode {
		return &k.frame
	}
	if in == nil || mode != ModeKernel && mode != ModeUser { // a guest, a hypervisor, or an unknown mode
		k.in, k.frame = nil, Frame{Addr: addr, Mode: mode}
	} else {
		k.in, k.frame = in, v.resolve(in, mode, addr)
	}
	return &k.frame
}

// Symbol returns the symbol of an address in a field of a sample. It searches the kernel and the
// process. It begins with the one that matches the mode of the sample.
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

// AppendLines appends the places in source code of a frame of a process. The places of inlined
// functions come first, from the innermost outwards. The place of the function itself comes last.
// Names have the form that the recording's options select. If a call returns to the frame, the
// place is the place of the call. AppendLines appends nothing if no file has the place. SymbolErrs
// returns the reasons why files are not used.
func (v *Resolver) AppendLines(dst []program.Line, f *Frame, returns bool) []program.Line {
	m := f.Module
	if m == nil || m.kind != ofProcess {
		return dst
	}
	m.once.Do(func() { v.modules.load(m) })
	if m.symbols == nil {
		return dst
	}
	at := f.FileOffset
	if returns && at > 0 {
		at--
	}
	var err error
	if v.lines, err = m.symbols.AppendLines(v.lines[:0], at); err != nil {
		v.modules.fail(err)
	}
	for _, x := range v.lines {
		if x.Function == "" {
			x.Function, _, _ = m.symbols.Find(at)
		}
		x.Function = m.name(x.Function, v.form)
		dst = append(dst, x)
	}
	return dst
}
