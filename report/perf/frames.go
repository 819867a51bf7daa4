package perf

import (
	"strconv"

	"github.com/tracec/tracec/runtime/perf"
)

// where prints the address of a sample, or the frames of its call chain.
func (p *printer) where(x *perf.Entry, f Fields) {
	if f&FieldIP == 0 {
		return
	}
	if !p.chains(x.Event.Attr) {
		if addr, ok := x.IP(); ok {
			p.buf = append(p.buf, ' ')
			p.frame(p.resolver.Frame(x.Maps, x.Misc, addr), f)
		}
		return
	}
	left := p.opts.MaxStack
	x.Chain(func(addr uint64, mode uint16) bool {
		if left == 0 {
			return false
		}
		p.buf = append(p.buf, "\n\t"...)
		y := p.resolver.Frame(x.Maps, mode, addr)
		if p.like.offsets && y.Module != nil && mode != perf.ModeKernel {
			y.Addr = y.FileOffset
		}
		p.frame(y, f)
		left--
		return left > 0
	})
	p.buf = append(p.buf, '\n')
}

// frame prints an address, its symbol and what is mapped there.
func (p *printer) frame(y perf.Frame, f Fields) {
	at := len(p.buf)
	p.buf = alignRight(strconv.AppendUint(p.buf, y.Addr, 16), at, 16)
	switch {
	case f&FieldSym == 0:
	case y.Symbol == "":
		p.buf = append(p.buf, " [unknown]"...)
	default:
		p.buf = append(append(p.buf, ' '), y.Symbol...)
		if f&FieldSymOff != 0 {
			p.buf = strconv.AppendUint(append(p.buf, "+0x"...), y.Offset, 16)
		}
	}
	if f&FieldDSO == 0 {
		return
	}
	name := "[unknown]"
	if y.Module != nil {
		name = y.Module.Name
	}
	p.buf = append(append(append(p.buf, " ("...), name...), ')')
}
