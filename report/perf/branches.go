package perf

import (
	"strconv"

	"github.com/tracec/tracec/runtime/perf"
	"github.com/tracec/tracec/runtime/render"
)

// isBranch reports whether perf prints each sample of an event as one branch. The branch goes from
// the address of the sample to the recorded target. These are hardware events with the bit of
// branch-instructions and a period of 1.
func isBranch(a *perf.Attr) bool {
	const branchInstructions = 4
	return a.Type == perf.Hardware && a.Config&branchInstructions != 0 && a.Flags&perf.Freq == 0 && a.Rate == 1
}

// branch prints the source and the target of a branch. The line of source code comes last.
func (p *printer) branch(x *perf.Entry, f Fields) {
	line := f&FieldSrcline != 0 && !p.chains(x.Event.Attr)
	if line {
		f &^= FieldSrcline
	}
	p.where(x, f)
	if f&(FieldAddr|fieldTarget) != 0 {
		x.Parts(&p.parts)
		p.buf = append(p.buf, " => "...)
		p.address(p.parts.Addr)
		p.addressed(x, f)
	}
	if addr, ok := x.IP(); ok && line && f&FieldIP != 0 {
		p.sourceLine(p.resolver.Frame(x.Maps, x.Misc, addr))
	}
}

// branches prints the branches before a sample. If several forms are selected, perf prints the
// first.
func (p *printer) branches(x *perf.Entry, f Fields) {
	var end func(x *perf.Entry, addr uint64)
	space := true
	switch {
	case f&FieldBranches != 0:
		end = func(_ *perf.Entry, addr uint64) { p.hex(addr) }
	case f&FieldBranchSyms != 0:
		end, space = p.branchSymbol, false
	case f&FieldBranchOffsets != 0:
		end = func(x *perf.Entry, addr uint64) { p.hex(p.inFile(x, addr)) }
	default:
		return
	}
	for i := range p.parts.Branches.Len() {
		b := p.parts.Branches.At(i)
		if space {
			p.buf = append(p.buf, ' ')
		}
		end(x, b.From)
		p.branchModule(x, b.From, f)
		p.buf = append(p.buf, '/')
		end(x, b.To)
		p.branchModule(x, b.To, f)
		p.buf = p.like.branch(p.buf, b)
	}
}

func (p *printer) hex(n uint64) { p.buf = strconv.AppendUint(append(p.buf, "0x"...), n, 16) }

// at finds the code at an address of a branch. It looks in the mode of the sample first, then in
// the other mode.
func (p *printer) at(x *perf.Entry, addr uint64) perf.Frame {
	y := p.resolver.Frame(x.Maps, x.Misc, addr)
	if y.Module == nil {
		other := perf.ModeKernel
		if y.Mode == perf.ModeKernel {
			other = perf.ModeUser
		}
		y = p.resolver.Frame(x.Maps, uint16(other), addr)
	}
	return y
}

func (p *printer) branchSymbol(x *perf.Entry, addr uint64) {
	y := p.at(x, addr)
	if y.Symbol == "" {
		p.buf = append(p.buf, "[unknown]"...)
		return
	}
	p.buf = strconv.AppendUint(append(append(p.buf, y.Symbol...), "+0x"...), y.Offset, 16)
}

func (p *printer) branchModule(x *perf.Entry, addr uint64, f Fields) {
	if f&FieldDSO == 0 {
		return
	}
	if !p.like.old {
		p.buf = append(p.buf, ' ')
	}
	p.module(p.at(x, addr))
}

// inFile returns the offset in its file of an address of a branch. If perf has read the file and
// found a program, it prints the address itself.
func (p *printer) inFile(x *perf.Entry, addr uint64) uint64 {
	y := p.at(x, addr)
	if y.Module == nil || y.Module.Loaded() {
		return addr
	}
	if y.Mode == perf.ModeKernel {
		if m, ok := x.Maps.Find(y.Mode, addr); ok {
			return addr - m.Start
		}
	}
	return y.FileOffset
}

var (
	branchKinds = []string{
		"", "COND", "UNCOND", "IND", "CALL", "IND_CALL", "RET", "SYSCALL", "SYSRET", "COND_CALL", "COND_RET", "ERET",
		"IRQ", "SERROR", "NO_TX",
	}
	// newTypes are the types of branches whose type is the last number.
	newTypes     = []string{"FAULT_ALGN", "FAULT_DATA", "FAULT_INST", "ARCH_1", "ARCH_2", "ARCH_3", "ARCH_4", "ARCH_5"}
	speculations = []string{"-", "SPEC_WRONG_PATH", "NON_SPEC_CORRECT_PATH", "SPEC_CORRECT_PATH"}
)

func branchType(b perf.Branch) string {
	switch t, n := int(b.Type()), int(b.NewType()); {
	case t < len(branchKinds):
		return branchKinds[t]
	case n < len(newTypes):
		return newTypes[n]
	}
	return "(null)" // as perf prints it
}

// branch appends the flags of a branch. Versions since 6.2 print the speculation after the type.
func (l *like) branch(dst []byte, b perf.Branch) []byte {
	guess, notTaken := byte('-'), l.notTaken && b.NotTaken()
	switch {
	case b.Predicted():
		guess = 'P'
	case b.Mispredicted() || notTaken:
		guess = 'M'
	}
	dst = append(dst, '/', guess)
	if notTaken {
		dst = append(dst, 'N')
	}
	for _, flag := range [...]struct {
		is     bool
		letter byte
	}{{b.InTransaction(), 'X'}, {b.Abort(), 'A'}} {
		if !flag.is {
			flag.letter = '-'
		}
		dst = append(dst, '/', flag.letter)
	}
	dst = render.Dec(append(dst, '/'), int64(b.Cycles()))
	dst = append(append(dst, '/'), branchType(b)...)
	if !l.old {
		dst = append(append(dst, '/'), speculations[b.Speculation()]...)
	}
	return append(dst, ' ')
}
