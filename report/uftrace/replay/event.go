package replay

import (
	"fmt"

	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// event prints an event as a comment. A sched-out is printed together with its end if that follows.
func (p *printer) event(s *callstack.Step) {
	id := s.Record.ID
	switch id {
	case callstack.Callsite:
		p.noteCallsite(s)
		return
	case callstack.SchedOut, callstack.SchedOutPreempt:
		if p.player != nil && p.player.Off() { // as in uftrace, until the next call
			p.dark(s.Task)
			return
		}
		if p.leaf = !s.Open && !p.opts.Layout.NoMerge; p.leaf {
			p.comment(s, id+1, 0)
			return
		}
	case callstack.SchedIn:
		if p.leaf {
			p.leaf = false
			if p.durationAt >= 0 {
				p.fillDuration(s.Total)
			}
			return
		}
		if s.Frame != nil {
			p.comment(s, id, s.Total)
			return
		}
	}
	p.comment(s, id, 0)
}

// comment prints the line of an event.
func (p *printer) comment(s *callstack.Step, id uint32, total uint64) {
	t := s
	if s.Open && s.Frame != nil { // a frame that begins here is not named
		c := *s
		c.Frame = nil
		t = &c
	}
	p.begin(t, total)
	buf := p.buf
	color := p.eventColor(s.Color)
	buf = append(buf, color...)
	if id == callstack.External {
		buf = append(buf, "/* "...)
	} else {
		buf = appendBlanks(buf, 2*p.indent(s.Task, s.Depth))
		buf = append(buf, "/* "...)
	}
	if color != "" {
		buf = append(buf, p.colors.Reset...)
		buf = append(buf, color...)
	}
	buf = p.appendEvent(buf, s.Task, s.Record, id, color)
	if color != "" {
		buf = append(buf, p.colors.Reset...)
		buf = append(buf, color...)
	}
	buf = append(buf, " */\n"...)
	if color != "" {
		buf = append(buf, p.colors.Reset...)
	}
	p.buf = buf
}

// appendEvent appends the name of an event and its data.
func (p *printer) appendEvent(buf []byte, t *callstack.Task, r *record.Record, id uint32, color string) []byte {
	switch id {
	case callstack.Sched:
		return append(buf, "linux:schedule"...)
	case callstack.SchedPreempt:
		return append(buf, "linux:schedule (pre-empted)"...)
	case callstack.External:
		buf = append(buf, "external-data: "...)
		return append(buf, r.Data...)
	}
	if id == callstack.TaskName {
		buf = append(buf, "linux:task-name"...)
		if color != "" {
			buf = append(buf, p.colors.Reset...)
			buf = append(buf, color...)
		}
		return fmt.Appendf(buf, " (comm=\"%s\")", r.Data)
	}
	buf = append(buf, p.rec.EventName(id)...)
	if color != "" {
		buf = append(buf, p.colors.Reset...)
		buf = append(buf, color...)
	}
	buf = append(buf, " ("...)
	n := len(buf)
	buf = p.values.AppendEvent(buf, t.SessionAt(r.Time), r.Time, id, r.Data)
	if len(buf) == n {
		n -= len(" (")
		if color != "" {
			n -= len(p.colors.Reset) + len(color)
		}
		return buf[:n]
	}
	return append(buf, ')')
}
