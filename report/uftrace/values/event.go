package values

import (
	"encoding/binary"

	compiler "github.com/tracec/tracec/compiler/uftrace"
	"github.com/tracec/tracec/runtime/render"
	"github.com/tracec/tracec/runtime/uftrace"
)

// AppendEvent appends the data of a built-in event: `major=0 minor=49`, or the line of a dump with
// its newline. It appends nothing for ids with data of unknown layout. sess and time are as in
// AppendArgs.
func (p *Printer) AppendEvent(dst []byte, sess *uftrace.Session, time uint64, id uint32, data []byte) []byte {
	if id < compiler.ReadStatm {
		return p.AppendTracepoint(dst, id, data)
	}
	if prog := p.calls.Event(id); prog != nil {
		return p.append(dst, sess, time, prog, data)
	}
	return dst
}

// AppendTracepoint appends the text of an event of the kernel, such as NR 9 = 1. It appends nothing
// for an event without a format, or if its text cannot be rendered.
func (p *Printer) AppendTracepoint(dst []byte, id uint32, data []byte) []byte {
	if prog := p.kernel.Program(id); prog != nil {
		return p.tracepoints.Append(dst, prog, data)
	}
	return dst
}

// AppendCallsite appends the caller's place from a callsite event, as replay prints it after the
// entry: `main+0x2c`. uftrace prints a line of source code if it has the program's own debug
// information. The debug information in a recording has only the places of functions.
func (p *Printer) AppendCallsite(dst []byte, sess *uftrace.Session, time uint64, data []byte) []byte {
	if len(data) < 8 {
		return dst
	}
	addr := binary.LittleEndian.Uint64(data)
	if p.env.BigEndian {
		addr = binary.BigEndian.Uint64(data)
	}
	p.names.Session, p.names.Time = sess, time
	return render.SymbolOffset(dst, p.env, addr)
}
