package replay

import (
	"github.com/tracec/tracec/report/uftrace/clock"
	"github.com/tracec/tracec/runtime/render"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// flats is what lines of --flat need.
type flats struct {
	lines  count // so far
	task   *callstack.Task
	begins [2][]byte // of its lines, by Kind: "] ==> 123/"
	time   clock.Clock
}

// flat prints a step as a line of --flat.
func (p *printer) flat(s *callstack.Step) {
	buf := append(p.buf, '[')
	buf = append(buf, p.flats.lines.next()...)
	switch s.Entry.Kind {
	case uftrace.Enter:
		buf = p.flatCall(buf, s)
	case uftrace.Leave:
		buf = append(p.flatCall(buf, s), ':')
		buf = render.Udec(buf, flatTotal(s))
	case uftrace.Lost:
		buf = append(buf, "] XXX "...)
		buf = render.Dec(buf, int64(s.Task.TID))
		buf = append(buf, ": lost "...)
		buf = render.Dec(buf, int64(s.Entry.Addr))
		p.buf = append(buf, " records\n"...)
		return
	default:
		buf = append(buf, "] !!! "...)
		buf = render.Dec(buf, int64(s.Task.TID))
		buf = append(buf, ": "...)
		color := p.eventColor(s)
		buf = append(buf, color...)
		buf = p.appendEvent(buf, s, s.Record.ID, color)
		if color != "" {
			buf = append(buf, p.colors.Reset...)
		}
		buf = append(buf, " time ("...)
		buf = render.Udec(buf, s.Record.Time)
	}
	p.buf = append(buf, ")\n"...)
}

func (p *printer) flatCall(buf []byte, s *callstack.Step) []byte {
	f, e := &p.flats, s.Entry
	if f.task != s.Task {
		f.task = s.Task
		for kind, arrow := range [...]string{uftrace.Enter: "] ==> ", uftrace.Leave: "] <== "} {
			f.begins[kind] = append(render.Dec(append(f.begins[kind][:0], arrow...), int64(s.Task.TID)), '/')
		}
	}
	buf = append(buf, f.begins[e.Kind&1]...)
	if e.Depth < 10 {
		buf = append(buf, '0'+byte(e.Depth))
	} else {
		buf = render.Udec(buf, uint64(e.Depth))
	}
	return f.time.AppendNanoseconds(append(buf, p.names.flat(e)...), s.Record.Time)
}

// count is the decimal text of a number that grows by one: that costs less than to divide.
type count struct {
	text  [20]byte
	first int // of the digits; 0: none yet
}

// next returns the number, from 0, and adds one to it. It is valid until the next call.
func (c *count) next() []byte {
	if c.first == 0 {
		c.first = len(c.text) - 1
		c.text[c.first] = '0'
		return c.text[c.first:]
	}
	for i := len(c.text) - 1; ; i-- {
		if i < c.first {
			c.first, c.text[i] = i, '1'
			break
		}
		if c.text[i]++; c.text[i] <= '9' {
			break
		}
		c.text[i] = '0'
	}
	return c.text[c.first:]
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
