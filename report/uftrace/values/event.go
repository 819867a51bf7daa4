package values

import (
	"encoding/binary"

	compiler "github.com/tracec/tracec/compiler/uftrace"
	"github.com/tracec/tracec/runtime/render"
	"github.com/tracec/tracec/runtime/uftrace"
)

// AppendEvent appends the data of a built-in event: `major=0 minor=49`, or the line of a dump with
// its newline. It appends nothing for ids whose data has no known layout. sess and time are those
// of AppendArgs.
func (p *Printer) AppendEvent(dst []byte, sess *uftrace.Session, time uint64, id uint32, data []byte) []byte {
	if id < compiler.ReadStatm {
		return p.AppendTracepoint(dst, id, data)
	}
	if prog := p.calls.Event(id); prog != nil {
		return p.append(dst, sess, time, prog, data)
	}
	return dst
}

// AppendTracepoint appends the text of an event of the kernel, such as NR 9 = 1, and nothing for an
// event without a format or without a text that can be rendered.
func (p *Printer) AppendTracepoint(dst []byte, id uint32, data []byte) []byte {
	if prog := p.kernel.Program(id); prog != nil {
		return p.tracepoints.Append(dst, prog, data)
	}
	return dst
}

// AppendCallsite appends where the call came from that a callsite event belongs to, as replay shows
// it after the entry: `main+0x2c`. uftrace shows a line of source code when it has the program's
// own debug information; that in a recording knows where functions begin and no more.
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
