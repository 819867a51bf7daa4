package replay

import (
	"strconv"

	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// remaining prints the functions that are open at the end, by thread, the innermost first.
func (p *printer) remaining() {
	if p.leaf { // a leaf without its end, which cannot happen
		p.buf = append(p.buf, '\n')
	}
	first := true
	for _, t := range p.threads() {
		frames := t.Stack
		for len(frames) > 0 && frames[0].Addr == 0 {
			frames = frames[1:]
		}
		if len(frames) == 0 || len(frames) == 1 && frames[0].Event {
			continue
		}
		if first {
			first = false
			p.buf = append(p.buf, "\nuftrace stopped tracing with remaining functions\n"+
				"================================================\n"...)
		}
		p.remainingOf(t, frames)
	}
}

func (p *printer) remainingOf(t *callstack.Task, frames []callstack.Frame) {
	p.buf = append(p.buf, "task: "...)
	p.buf = strconv.AppendInt(p.buf, int64(t.TID), 10)
	p.buf = append(p.buf, '\n')
	for i := len(frames) - 1; i >= 0; i-- {
		f := &frames[i]
		p.buf = append(p.buf, '[')
		p.buf = strconv.AppendInt(p.buf, int64(i), 10)
		p.buf = append(p.buf, "] "...)
		if f.Event { // includes a sched-out without a sched-in
			p.buf = append(p.buf, p.rec.EventName(uint32(f.Addr)+1)...)
		} else {
			p.buf = append(p.buf, p.names.plain(f)...)
		}
		p.buf = append(p.buf, '\n')
	}
	p.buf = append(p.buf, '\n')
}

// backtrace prints the callers of a function with such a trigger.
func (p *printer) backtrace(s *callstack.Step) {
	callers := s.Callers()
	for i := range callers {
		f := &callers[i]
		step := *s
		step.Frame = f
		p.begin(&step, 0)
		if p.durationAt >= 0 {
			copy(p.buf[p.durationAt:], " backtrace")
		}
		if len(p.fields) == 0 {
			p.buf = append(p.buf, ' ')
		}
		buf := p.buf
		if p.opts.Layout.Color != nil {
			buf = append(buf, p.colors.Gray...)
		}
		buf = append(buf, "/* ["...)
		buf = appendPadded(buf, uint64(i), 2)
		buf = append(buf, "] "...)
		buf = append(buf, p.names.plain(f)...)
		buf = append(buf, " */\n"...)
		if p.opts.Layout.Color != nil {
			buf = append(buf, p.colors.Reset...)
		}
		p.buf = buf
	}
}
