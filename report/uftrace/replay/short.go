package replay

import (
	"slices"

	"github.com/tracec/tracec/report/uftrace/line"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// form is what a line says of a call.
type form uint8

const (
	begins form = iota
	ends
	whole // it has no calls of its own
	forms
)

// short prints a line that consists of the default columns, blanks and a text that is known for its function: most are such lines. It returns
// false, and has printed nothing, for any other.
func (p *printer) short(s *callstack.Step) bool {
	e, index := s.Entry, s.Task.Index
	if e.Kind > uftrace.Leave || e.More || e.Sym == nil || p.leaf || s.Inverted || s.Color != callstack.ColorNone || s.Backtrace || index >= len(p.tasks) {
		return false
	}
	form := ends
	if e.Kind == uftrace.Enter {
		switch form = begins; {
		case s.End != nil && !s.EndEntry.More:
			form = whole
		case s.End != nil || !s.Open:
			return false
		}
	}
	of := &p.tasks[index]
	if len(of.called) > 0 {
		return false
	}
	p.shown = true
	p.line(of.plain, s.Total, 2*s.Depth, p.names.text(e.Sym).lines[form])
	return true
}

// line appends columns with a duration, some blanks and a text.
func (p *printer) line(columns []byte, total uint64, blanks int, text []byte) {
	n := len(p.buf)
	room := line.Short + blanks + max(line.Short, len(text))
	buf := slices.Grow(p.buf, room)
	b := buf[n : n+room]
	line.Copy(b, columns[:line.Short])
	p.durationAt = n + 1
	if total != 0 {
		putDuration((*[10]byte)(b[1:]), total)
	}
	i := len(columns)
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
}
