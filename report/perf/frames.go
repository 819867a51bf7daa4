package perf

import (
	"path"
	"slices"
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

// frame prints an address, its symbol, the mapped file, and the line of source code.
func (p *printer) frame(y perf.Frame, f Fields) {
	p.address(y.Addr)
	p.symbol(y, f)
	if f&FieldDSO != 0 {
		p.file(y, f)
	}
	if f&FieldSrcline != 0 {
		p.sourceLine(y)
	}
}

// file prints a space, the name of the mapped file, and the place in it.
func (p *printer) file(y perf.Frame, f Fields) {
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

// sourceLine prints the line of source code of an address. In inlined code, it is the line of the
// innermost function. Perf does not go back from a return address to the call. If the address has a
// symbol but no line, nothing is printed. If it has neither, its offset in the file is printed.
func (p *printer) sourceLine(y perf.Frame) {
	if y.Module == nil {
		return
	}
	p.extra.lines = p.resolver.AppendLines(p.extra.lines[:0], &y, false)
	if list := p.extra.lines; len(list) > 0 && list[0].Line > 0 {
		p.buf = append(append(append(p.buf, "\n  "...), path.Base(list[0].File)...), ':')
		p.buf = strconv.AppendInt(p.buf, int64(list[0].Line), 10)
		return
	}
	at := y.FileOffset
	switch {
	case y.Mode == perf.ModeKernel:
		at = y.Addr
	case y.Symbol != "":
		return
	}
	p.buf = append(append(append(p.buf, "\n  "...), path.Base(y.Module.Name)...), '[')
	p.buf = append(strconv.AppendUint(p.buf, at, 16), ']')
}
