package replay

import (
	"fmt"

	"github.com/tracec/tracec/report/uftrace/values"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// newTaskLine prepares the columns of a thread.
func (p *printer) newTaskLine(t *callstack.Task) taskLine {
	l := taskLine{id: p.idText(t), column: -1}
	l.plain = roomy(" " + noDuration + string(l.id) + " | ")
	return l
}

// idText returns the column of a thread with its surroundings.
func (p *printer) idText(t *callstack.Task) []byte {
	width := 6
	if p.opts.Style == values.V019 {
		width = 7
	}
	return fmt.Appendf(nil, " [%*d]", width, t.TID)
}

// begin appends the columns of a line. total is the duration of a call that ended, or 0.
func (p *printer) begin(s *callstack.Step, total uint64) {
	t := s.Task
	of := &p.tasks[t.Index]
	p.turn(t)
	p.lineAt = len(p.buf)
	p.printed++
	if p.plain {
		p.durationAt = len(p.buf) + 1
		p.buf = append(p.buf, of.plain...)
		if total != 0 {
			putDuration((*[10]byte)(p.buf[p.durationAt:]), total)
		}
		return
	}
	p.durationAt = -1
	if len(p.fields) == 0 {
		return
	}
	for _, f := range p.fields {
		p.column(f, s, of, total)
	}
	p.buf = append(p.buf, " | "...)
}

// turn starts the lines of another thread.
func (p *printer) turn(t *callstack.Task) {
	if p.opts.Layout.TaskNewline && p.previous != t && p.previous != nil {
		p.emptyLine()
	}
	p.previous = t
}

// dark handles an event that is not shown while tracing is off. As in uftrace its thread still gets
// its column, and the empty line before it.
func (p *printer) dark(t *callstack.Task) {
	if t.Index >= len(p.tasks) {
		p.arrive()
	}
	p.header()
	p.turn(t)
	p.indent(t, 0)
}

// column appends one column, with a leading blank.
func (p *printer) column(f field, s *callstack.Step, of *taskLine, total uint64) {
	buf, t := p.buf, s.Task
	if f != tid {
		buf = append(buf, ' ')
	}
	now := t.Last // the time of the record; after lost records the time of the last record
	switch f {
	case duration:
		p.durationAt = len(buf)
		buf = p.appendColored(buf, total)
	case tid:
		buf = append(buf, of.id...)
	case address:
		if s.Frame == nil {
			buf = appendBlanks(buf, 12)
		} else {
			buf = appendHex(buf, s.Frame.Addr&(1<<48-1), 12)
		}
	case timestamp:
		buf = appendTime(buf, now)
	case delta:
		if t.Before == 0 {
			p.deltaAt = len(buf)
			buf = append(buf, noDuration...)
		} else {
			buf = appendDuration(buf, now-t.Before)
		}
	case elapsed:
		buf = appendDuration(buf, now-min(p.first, p.since))
	case taskName:
		buf = appendRight(buf, s.Task.Comm, 15)
	case module:
		name := p.moduleName(s)
		buf = appendRight(buf, name[:min(len(name), 16)], 16)
	}
	p.buf = buf
}

// appendRight writes a text right-aligned.
func appendRight(dst []byte, s string, width int) []byte {
	return append(appendBlanks(dst, width-len(s)), s...)
}

// fillDuration writes the duration of a leaf into the space that begin left.
func (p *printer) fillDuration(total uint64) {
	if p.opts.Layout.Color != nil {
		p.insertColored(total)
		return
	}
	putDuration((*[10]byte)(p.buf[p.durationAt:]), total)
}

// emptyLine appends the empty line of --task-newline between threads.
func (p *printer) emptyLine() {
	p.blankColumns()
	p.buf = append(p.buf, '\n')
}

// blankColumns appends the columns of a line without a record.
func (p *printer) blankColumns() {
	if len(p.fields) == 0 {
		return
	}
	for _, f := range p.fields {
		width := len(headings[f]) + 1
		if f == tid {
			width = len(p.tasks[0].id)
		}
		p.buf = appendBlanks(p.buf, width)
	}
	p.buf = append(p.buf, " | "...)
}

// indent returns the level of a line, shifted to the column of its thread.
func (p *printer) indent(t *callstack.Task, depth int) int {
	if !p.opts.Layout.ColumnView {
		return depth
	}
	line := &p.tasks[t.Index]
	if line.column < 0 {
		line.column = p.columns
		p.columns++
	}
	offset := p.opts.Layout.ColumnOffset
	if offset == 0 {
		offset = 8
	}
	return depth + max(0, offset)*line.column
}

// moduleName returns the text of the module column. As in uftrace it is the mapping that contains
// the address. In 0.13 libraries of dlopen have none.
func (p *printer) moduleName(s *callstack.Step) string {
	f := s.Frame
	switch {
	case f == nil:
		return ""
	case f.Event:
		return "[event]"
	}
	session := s.Task.SessionAt(s.Record.Time)
	if session == nil {
		return "[unknown]"
	}
	if f.Addr >= session.KernelBase && session.KernelBase != 0 {
		return "[kernel]"
	}
	if p.opts.Style != values.V013 && f.Sym != nil && f.Sym.Module != nil {
		return f.Sym.Module.Name
	}
	for i := range session.Maps {
		if m := &session.Maps[i]; f.Addr >= m.Start && f.Addr < m.End {
			return mappedName(m)
		}
	}
	return "[unknown]"
}

func mappedName(m *uftrace.Mapping) string {
	if m.Module == nil {
		return "[unknown]"
	}
	return m.Module.Name
}
