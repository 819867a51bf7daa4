package values

import (
	"encoding/binary"

	compiler "github.com/tracec/tracec/compiler/uftrace"
	"github.com/tracec/tracec/runtime/render"
	"github.com/tracec/tracec/runtime/uftrace"
)

// AppendEvent appends the data of a built-in event: `major=0 minor=49`, or the line of a dump with its newline. It appends
// nothing for ids whose data has no known layout. sess and time are those of AppendArgs. The kernel's own events have ids below those;
// their text is that of their format.
func (p *Printer) AppendEvent(dst []byte, sess *uftrace.Session, time uint64, id uint32, data []byte) []byte {
	if id < compiler.ReadStatm {
		return p.tracepoints.Append(dst, id, data)
	}
	i := int(id) - compiler.ReadStatm
	if i > compiler.Callsite-compiler.ReadStatm {
		return dst
	}
	for i >= len(p.events) {
		p.events = append(p.events, nil)
	}
	if p.events[i] == nil {
		p.events[i] = p.program(compiler.Event(id, p.form, p.word))
	}
	return p.run(dst, sess, time, p.events[i], data)
}

// AppendCallsite appends where the call came from that a callsite event belongs to, as replay shows it after the entry:
// `main+0x2c`. uftrace shows a line of source code when it has the program's own debug information; that in a recording
// knows where functions begin and no more.
func (p *Printer) AppendCallsite(dst []byte, sess *uftrace.Session, time uint64, data []byte) []byte {
	if len(data) < 8 {
		return dst
	}
	addr := binary.LittleEndian.Uint64(data)
	if p.target.BigEndian {
		addr = binary.BigEndian.Uint64(data)
	}
	p.resolver.session, p.resolver.time = sess, time
	return render.SymbolOffset(dst, &render.Env{WordSize: p.word, Symbols: &p.resolver}, addr)
}
