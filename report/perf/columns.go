package perf

import (
	"github.com/tracec/tracec"
	"github.com/tracec/tracec/report/style"
	"github.com/tracec/tracec/runtime/perf"
	"github.com/tracec/tracec/runtime/render"
)

// line is how the samples of an event are printed. Its columns are chosen once.
type line struct {
	fields  Fields
	columns []column
}

// A column appends a part of a line.
type column = func(dst []byte, e *tracec.Event, x *perf.Entry) []byte

// columns chooses the columns of all lines.
func (p *printer) columns(d defaults, changes []change) {
	width := 0
	for _, e := range p.attrs {
		width = max(width, len(e.Name))
	}
	threads := map[threadForm]*threadColumn{}
	for _, e := range p.attrs {
		f := d.fields(e, changes)
		list := p.head(e.Attr, f, e.HasTime(), threads)
		title := string(pad(nil, width-len(e.Name))) + p.style.Paint(style.Event, e.Name) + ": "
		p.lines = append(p.lines, line{f, append(list, p.body(e, f, title)...)})
	}
	p.sideHeads = make([][]column, len(p.attrs))
}

// head returns the columns in front of the event. Without threads, they are for side-band records.
func (p *printer) head(a *perf.Attr, f Fields, timed bool, threads map[threadForm]*threadColumn) (list []column) {
	if t := (threadForm{
		fields: f & (FieldComm | FieldPID | FieldTID), latency: p.opts.Latency, digits: p.like.digits,
		bare: a != nil && f&FieldIP != 0 && p.chains(a),
	}); t.fields != 0 {
		list = append(list, t.column(threads))
	}
	if f&FieldCPU != 0 && a != nil && a.SampleType&perf.HasCPU != 0 {
		list = append(list, p.cpuColumn())
	}
	if f&FieldMisc != 0 {
		list = append(list, p.through(func(_ *tracec.Event, x *perf.Entry) { p.modes(x) }))
	}
	if f&FieldTOD != 0 {
		list = append(list, p.through(func(e *tracec.Event, _ *perf.Entry) { p.timeOfDay(e.Time) }))
	}
	if f&FieldTime != 0 {
		list = append(list, p.timeColumn(timed))
	}
	return list
}

// body returns the columns from the period on.
func (p *printer) body(of *perf.Event, f Fields, title string) (list []column) {
	if f&FieldPeriod != 0 {
		list = append(list, func(dst []byte, _ *tracec.Event, _ *perf.Entry) []byte {
			return append(number(dst, int64(p.count), 10), ' ')
		})
	}
	if f&FieldEvent == 0 {
		title = ""
	}
	if f&FieldFlags != 0 { // which only samples have that perf makes of traces of processors
		title = string(pad([]byte(title), 24))
	}
	if title != "" {
		list = append(list, func(dst []byte, _ *tracec.Event, _ *perf.Entry) []byte { return append(dst, title...) })
	}
	if isBranch(of.Attr) {
		return append(list, p.through(func(_ *tracec.Event, x *perf.Entry) { p.branch(x, f) }))
	}
	if f&FieldTrace != 0 {
		list = append(list, p.texts.column(of))
	}
	if f&(early|late) != 0 {
		list = append(list, p.through(func(_ *tracec.Event, x *perf.Entry) {
			x.Parts(&p.parts)
			p.before(x, f)
		}))
	}
	if f&FieldIP != 0 {
		list = append(list, p.through(func(_ *tracec.Event, x *perf.Entry) { p.where(x, f) }))
	}
	if f&late != 0 {
		list = append(list, p.through(func(_ *tracec.Event, x *perf.Entry) { p.after(x, f) }))
	}
	return list
}

// through returns the column of a function that appends to p.buf.
func (p *printer) through(print func(*tracec.Event, *perf.Entry)) column {
	return func(dst []byte, e *tracec.Event, x *perf.Entry) []byte {
		p.buf = dst
		print(e, x)
		return p.buf
	}
}

// threadForm is how threads are printed.
type threadForm struct {
	fields  Fields // of the name, the process and the thread
	latency bool   // in the form of latency tracers
	bare    bool   // names are not aligned: in lines with call chains
	digits  int
}

// column returns the column of side-band records, or that of samples, which it keeps in threads.
func (t threadForm) column(threads map[threadForm]*threadColumn) column {
	if threads == nil {
		return func(dst []byte, e *tracec.Event, x *perf.Entry) []byte {
			process, tid := e.Process(), e.Task
			if x.Event.Attr == nil {
				process, tid = x.Recorder()
			}
			return t.append(dst, e.Comm(), e.Task, process, tid)
		}
	}
	c := threads[t]
	if c == nil {
		c = &threadColumn{threadForm: t}
		threads[t] = c
	}
	return c.append
}

func (t threadForm) append(dst []byte, name string, task, process, tid int32) []byte {
	if t.fields&FieldComm != 0 {
		if name == "" {
			name = ":" + string(render.Dec(nil, int64(task)))
		}
		switch {
		case t.latency:
			name = name[:min(len(name), 8)]
			dst = pad(dst, 8-len(name))
		case !t.bare:
			dst = pad(dst, 16-len(name))
		}
		dst = append(append(dst, name...), ' ')
	}
	switch t.fields & (FieldPID | FieldTID) {
	case FieldPID | FieldTID:
		dst = append(number(dst, int64(process), t.digits), '/')
		at := len(dst)
		dst = render.Dec(dst, int64(tid))
		dst = append(pad(dst, t.digits-(len(dst)-at)), ' ')
	case FieldPID:
		dst = append(number(dst, int64(process), t.digits), ' ')
	case FieldTID:
		dst = append(number(dst, int64(tid), t.digits), ' ')
	}
	return dst
}

// threadColumn keeps the columns of recent threads. The low bits of the thread select the slot.
type threadColumn struct {
	threadForm
	slots []threadSlot // nil before the first sample
}

type threadSlot struct {
	comm          string
	task, process int32
	n             uint8 // 0: empty
	text          [47]byte
}

const threadSlots = 1024

func (c *threadColumn) append(dst []byte, e *tracec.Event, _ *perf.Entry) []byte {
	if c.slots == nil {
		c.slots = make([]threadSlot, threadSlots)
	}
	comm, process := e.Comm(), e.Process()
	s := &c.slots[uint32(e.Task)%threadSlots]
	if s.n != 0 && s.task == e.Task && s.process == process && s.comm == comm {
		return append(dst, s.text[:s.n]...)
	}
	at := len(dst)
	dst = c.threadForm.append(dst, comm, e.Task, process, e.Task)
	*s = threadSlot{comm: comm, task: e.Task, process: process}
	if n := copy(s.text[:], dst[at:]); n == len(dst)-at {
		s.n = uint8(n) // a longer one is not kept
	}
	return dst
}

func (p *printer) cpuColumn() column {
	if p.opts.Latency {
		return func(dst []byte, e *tracec.Event, _ *perf.Entry) []byte {
			return append(number(dst, int64(max(e.CPU, 0)), 3), ' ')
		}
	}
	return func(dst []byte, e *tracec.Event, _ *perf.Entry) []byte {
		n := max(e.CPU, 0)
		if n >= 1000 {
			return append(render.Dec(append(dst, '['), int64(n)), "] "...)
		}
		return append(dst, '[', byte('0'+n/100), byte('0'+n/10%10), byte('0'+n%10), ']', ' ')
	}
}
