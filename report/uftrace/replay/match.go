package replay

import (
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// chosen reports whether Options.Match selects a step. The end of a call is selected with its
// begin, or by itself, through the value that the call returned. Losses are always selected.
func (p *printer) chosen(s *callstack.Step) bool {
	around, line := len(s.Callers()), &p.tasks[s.Task.Index]
	begins := s.Entry.Kind == uftrace.Enter || s.Record.ID == callstack.SchedOut ||
		s.Record.ID == callstack.SchedOutPreempt
	ends := s.Entry.Kind == uftrace.Leave || s.Record.ID == callstack.SchedIn
	switch {
	case s.Entry.Kind == uftrace.Lost:
		return true
	case ends:
		shown := around < len(line.chosen) && line.chosen[around]
		if shown {
			line.chosen[around] = false
		}
		return shown || p.opts.Match(s.Record, s.Entry)
	}
	shown := p.opts.Match(s.Record, s.Entry)
	if !begins {
		return shown
	}
	for len(line.chosen) <= around {
		line.chosen = append(line.chosen, false)
	}
	line.chosen[around] = shown
	return shown
}
