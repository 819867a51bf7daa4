package perf

import (
	"slices"

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
		if left--; left < 0 {
			return false
		}
		p.buf = append(p.buf, "\n\t"...)
		y := p.resolver.Frame(x.Maps, mode, addr)
		if p.like.old && y.Module != nil && mode != perf.ModeKernel {
			y.Addr = y.FileOffset
		}
		p.frame(y, f)
		return !slices.Contains(p.opts.StopAt, y.Symbol)
	})
	p.buf = append(p.buf, '\n')
}

// frame prints an address, its symbol and what is mapped there.
func (p *printer) frame(y perf.Frame, f Fields) {
	p.address(y.Addr)
	p.symbol(y, f)
	if f&FieldDSO == 0 {
		return
	}
	p.buf = append(p.buf, ' ')
	p.module(y)
	if f&FieldDSOOff != 0 && y.Module != nil && y.Mode != perf.ModeKernel {
		p.buf = append(p.buf[:len(p.buf)-1], '+')
		p.hex(y.FileOffset)
		p.buf = append(p.buf, ')')
	}
}

// symbol prints a space and the symbol of a frame.
func (p *printer) symbol(y perf.Frame, f Fields) {
	switch {
	case f&FieldSym == 0:
	case y.Symbol == "":
		p.buf = append(p.buf, " [unknown]"...)
	default:
		p.buf = append(append(p.buf, ' '), y.Symbol...)
		if f&FieldSymOff != 0 {
			p.buf = append(p.buf, '+')
			p.hex(y.Offset)
		}
	}
}

// module prints the name of the mapped file in brackets.
func (p *printer) module(y perf.Frame) {
	name := "[unknown]"
	if y.Module != nil {
		name = y.Module.Name
	}
	p.buf = append(append(append(p.buf, '('), name...), ')')
}
