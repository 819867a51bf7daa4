package replay

import (
	"slices"

	"github.com/tracec/tracec/report/uftrace/internal/line"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// form is the kind of line for a call.
type form uint8

const (
	begins form = iota
	ends
	whole // a call without inner calls
	forms
)

// formOf returns the form of a call's step. It returns false if the end of the line is not yet
// known, or has a value.
func formOf(s *callstack.Step) (form, bool) {
	switch {
	case s.Entry.Kind == uftrace.Leave:
		return ends, true
	case s.End != nil:
		return whole, !s.EndEntry.More
	}
	return begins, s.Open
}

// short prints a line with only the default columns, blanks and a cached text of its function. Most
// lines are of this kind. For other lines it returns false and prints nothing.
func (p *printer) short(s *callstack.Step) bool {
	e, index := s.Entry, s.Task.Index
	if e.Kind > uftrace.Leave || e.More || e.Sym == nil || p.leaf || s.Inverted || s.Color != callstack.ColorNone ||
		s.Backtrace || index >= len(p.tasks) {
		return false
	}
	form, ok := formOf(s)
	of := &p.tasks[index]
	if !ok || len(of.called) > 0 {
		return false
	}
	text, blanks, n := p.names.text(e.Sym).lines[form], 2*max(0, s.Depth), len(p.buf)
	if text == nil {
		return false
	}
	p.shown = true
	room := line.Short + blanks + max(line.Short, len(text))
	buf := slices.Grow(p.buf, room)
	b := buf[n : n+room]
	line.Copy(b, of.plain[:line.Short])
	p.durationAt = n + 1
	if s.Total != 0 {
		putDuration((*[10]byte)(b[1:]), s.Total)
	}
	i := len(of.plain)
	for ; blanks > line.Short; blanks -= line.Short {
		line.Copy(b[i:], indentation)
		i += line.Short
	}
	line.Copy(b[i:], indentation)
	i += blanks
	if line.IsShort(text) {
		line.Copy(b[i:], text[:line.Short])
	} else {
		copy(b[i:], text)
	}
	p.buf = buf[:n+i+len(text)]
	return true
}
