package replay

import (
	"strconv"

	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// flat prints a step as a line of --flat.
func (p *printer) flat(s *callstack.Step) {
	buf := append(p.buf, '[')
	buf = strconv.AppendInt(buf, int64(p.line), 10)
	p.line++
	switch s.Entry.Kind {
	case uftrace.Enter:
		buf = p.flatCall(append(buf, "] ==> "...), s)
	case uftrace.Leave:
		buf = p.flatCall(append(buf, "] <== "...), s)
		buf = append(buf, ':')
		buf = strconv.AppendUint(buf, flatTotal(s), 10)
	case uftrace.Lost:
		buf = append(buf, "] XXX "...)
		buf = strconv.AppendInt(buf, int64(s.Task.TID), 10)
		buf = append(buf, ": lost "...)
		buf = strconv.AppendInt(buf, int64(s.Entry.Addr), 10)
		p.buf = append(buf, " records\n"...)
		return
	default:
		buf = append(buf, "] !!! "...)
		buf = strconv.AppendInt(buf, int64(s.Task.TID), 10)
		buf = append(buf, ": "...)
		color := p.eventColor(s)
		buf = append(buf, color...)
		buf = p.appendEvent(buf, s, s.Record.ID, color)
		if color != "" {
			buf = append(buf, p.colors.Reset...)
		}
		buf = append(buf, " time ("...)
		buf = strconv.AppendUint(buf, s.Record.Time, 10)
	}
	p.buf = append(buf, ")\n"...)
}

func (p *printer) flatCall(buf []byte, s *callstack.Step) []byte {
	buf = strconv.AppendInt(buf, int64(s.Task.TID), 10)
	buf = append(buf, '/')
	buf = strconv.AppendInt(buf, int64(s.Entry.Depth), 10)
	buf = append(buf, ": ip ("...)
	buf = append(buf, p.names.name(s.Entry)...)
	buf = append(buf, "), time ("...)
	return strconv.AppendUint(buf, s.Record.Time, 10)
}

// flatTotal is what --flat prints as the time of a call: what uftrace keeps at the place that the depth of the record
// names. For kernel functions that is another call, and the start of one that is open.
func flatTotal(s *callstack.Step) uint64 {
	frames := s.Task.Stack
	i := int(s.Entry.Depth)
	if i < cap(frames) {
		return frames[:cap(frames)][i].Total
	}
	return 0
}
