package replay

import (
	"strconv"

	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// noteCallsite keeps the text of a callsite event for the line of the call (uftrace.md 2.4).
func (p *printer) noteCallsite(s *callstack.Step) {
	if p.opts.Text.NoCallsite {
		return
	}
	line := &p.tasks[s.Task.Index]
	line.called = p.values.AppendCallsite(line.called[:0], p.session(s), s.Record.Time, s.Record.Data)
}

// appendSource appends the place of a function in the source, and the place of its caller.
func (p *printer) appendSource(buf []byte, s *callstack.Step) []byte {
	line := &p.tasks[s.Task.Index]
	sym := s.Entry.Sym
	// Like uftrace, omit the places of weak symbols, and all places with --no-comment.
	known := p.opts.Text.SrcLine && !p.opts.Text.NoComment && sym != nil && sym.File != "" && sym.Type != 'w'
	if !known && len(line.called) == 0 {
		return buf
	}
	if p.opts.Layout.Color != nil {
		buf = append(buf, p.colors.Gray...)
	}
	buf = append(buf, " /*"...)
	if known {
		buf = append(buf, ' ')
		buf = append(buf, sym.File...)
		buf = append(buf, ':')
		buf = strconv.AppendInt(buf, int64(sym.Line), 10)
	}
	if len(line.called) > 0 {
		buf = append(buf, " from "...)
		buf = append(buf, line.called...)
		line.called = line.called[:0]
	}
	buf = append(buf, " */"...)
	if p.opts.Layout.Color != nil {
		buf = append(buf, p.colors.Reset...)
	}
	return buf
}
