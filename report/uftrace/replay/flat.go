package replay

import (
	"slices"
	"strconv"

	"github.com/tracec/tracec/report/uftrace/internal/line"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// flatRoom is the space for a line of a call without the name and the duration.
const flatRoom = countRoom + line.Short + line.ClockRoom + 32

// flats is the state of lines with --flat.
type flats struct {
	lines  count // number of lines so far
	task   *callstack.Task
	begins [2]struct { // of the current thread, by Kind: "] ==> 123/"
		text [line.Short]byte
		size int
	}
	time line.Clock // in nanoseconds
}

// flat prints a step as a line of --flat.
func (p *printer) flat(s *callstack.Step) {
	switch t, r, e := s.Task, s.Record, s.Entry; e.Kind {
	case uftrace.Enter, uftrace.Leave:
		p.flatCall(t, r, e)
	case uftrace.Lost:
		p.flatLost(t, e)
	default:
		p.flatEvent(t, r, s.Color)
	}
}

// flatCall prints the begin or the end of a call.
func (p *printer) flatCall(t *callstack.Task, r *record.Record, e *uftrace.Entry) {
	f := &p.flats
	if f.task != t {
		f.turn(t)
	}
	name := p.names.flat(e)
	n := len(p.buf)
	buf := slices.Grow(p.buf, flatRoom+len(name))
	b := buf[n : n+flatRoom+len(name)]
	i := f.lines.put(b)
	begin := &f.begins[e.Kind&1]
	line.Copy(b[i:], begin.text[:])
	if i += begin.size; e.Depth < 10 {
		b[i] = '0' + byte(e.Depth)
		i++
	} else {
		i = len(strconv.AppendUint(b[:i], uint64(e.Depth), 10))
	}
	if line.IsShort(name) {
		line.Copy(b[i:], name[:line.Short])
	} else {
		copy(b[i:], name)
	}
	i += len(name)
	i += f.time.Put(b[i:], r.Time)
	if e.Kind == uftrace.Leave {
		b[i] = ':'
		i += 1 + line.Number(b[i+1:], flatTotal(t, e))
	}
	b[i], b[i+1] = ')', '\n'
	p.buf = buf[:n+i+2]
}

// turn starts the lines of another thread.
func (f *flats) turn(t *callstack.Task) {
	f.task = t
	for kind, arrow := range [...]string{uftrace.Enter: "] ==> ", uftrace.Leave: "] <== "} {
		begin := &f.begins[kind]
		begin.size = len(append(render.Dec(append(begin.text[:0], arrow...), int64(t.TID)), '/'))
	}
}

func (p *printer) flatLost(t *callstack.Task, e *uftrace.Entry) {
	buf := append(p.flats.lines.append(p.buf), "] XXX "...)
	buf = render.Dec(buf, int64(t.TID))
	buf = append(buf, ": lost "...)
	buf = render.Dec(buf, int64(e.Addr))
	p.buf = append(buf, " records\n"...)
}

func (p *printer) flatEvent(t *callstack.Task, r *record.Record, c callstack.Color) {
	buf := append(p.flats.lines.append(p.buf), "] !!! "...)
	buf = render.Dec(buf, int64(t.TID))
	buf = append(buf, ": "...)
	color := p.eventColor(c)
	buf = append(buf, color...)
	buf = p.appendEvent(buf, t, r, r.ID, color)
	if color != "" {
		buf = append(buf, p.colors.Reset...)
	}
	buf = append(buf, " time ("...)
	buf = render.Udec(buf, r.Time)
	p.buf = append(buf, ")\n"...)
}

// flatTotal returns the time of a call for --flat: the value at the record's depth in uftrace's
// stack. For kernel functions it belongs to another call. For an open call it is the start.
func flatTotal(t *callstack.Task, e *uftrace.Entry) uint64 {
	frames := t.Stack
	if i := int(e.Depth); i < cap(frames) {
		return frames[:cap(frames)][i].Total
	}
	return 0
}
