package perf

import (
	"github.com/tracec/tracec"
	"github.com/tracec/tracec/report/style"
	"github.com/tracec/tracec/runtime/perf"
)

// line prints the samples of an event. Its columns are selected once.
type line struct {
	fields  Fields
	columns []column
	always  bool // each sample is one line, independent of earlier samples
}

// append appends the line of a sample, unless it has no fields.
func (l *line) append(dst []byte, e *tracec.Event, x *perf.Entry) []byte {
	if l.fields == 0 {
		return dst
	}
	for _, c := range l.columns {
		dst = c(dst, e, x)
	}
	return append(dst, '\n')
}

// A column appends a part of a line.
type column = func(dst []byte, e *tracec.Event, x *perf.Entry) []byte

// columns selects the columns of all lines.
func (p *printer) columns(d defaults, changes []change) {
	width := 0
	for _, e := range p.attrs {
		width = max(width, len(e.Name))
	}
	threads := map[threadForm]*threadColumn{}
	for _, e := range p.attrs {
		f := d.fields(e, changes)
		title := ""
		if f&FieldEvent != 0 {
			title = string(pad(nil, width-len(e.Name))) + p.style.Paint(style.Event, e.Name) + ": "
		}
		if f&FieldFlags != 0 { // only samples that perf makes from processor traces have flags
			title = string(pad([]byte(title), 24))
		}
		list := p.head(e.Attr, f, e.HasTime(), title, threads)
		always := !p.selected && !e.Attr.ReadsGroups() && f&FieldPeriod == 0
		p.lines = append(p.lines, line{f, append(list, p.body(e, f)...), always})
	}
	p.sideHeads = make([][]column, len(p.attrs))
}

// head returns the columns up to the title of the event. If threads is nil, they are the columns of
// side-band records.
func (p *printer) head(
	a *perf.Attr, f Fields, timed bool, title string, threads map[threadForm]*threadColumn,
) (list []column) {
	t := threadForm{
		fields: f & (FieldComm | FieldPID | FieldTID), latency: p.opts.Latency, digits: p.like.digits,
		bare: a != nil && f&FieldIP != 0 && p.chains(a),
	}
	if a != nil && a.SampleType&perf.HasCPU != 0 {
		t.fields |= f & FieldCPU
	}
	switch {
	case t.fields == 0:
	case threads == nil:
		list = append(list, t.sideColumn())
	default:
		list = append(list, t.column(threads).append)
	}
	if f&FieldMisc != 0 {
		list = append(list, p.through(func(_ *tracec.Event, x *perf.Entry) { p.modes(x) }))
	}
	if f&FieldTOD != 0 {
		list = append(list, p.through(func(e *tracec.Event, _ *perf.Entry) { p.timeOfDay(e.Time) }))
	}
	switch {
	case f&FieldPeriod != 0 && threads != nil:
		if f&FieldTime != 0 {
			list = append(list, p.timeColumn(timed, ""))
		}
		list = append(list, func(dst []byte, _ *tracec.Event, _ *perf.Entry) []byte {
			return append(append(number(dst, int64(p.count), 10), ' '), title...)
		})
	case f&FieldTime != 0:
		list = append(list, p.timeColumn(timed, title))
		o := p.opts
		plain := timed && !o.Relative && !o.Delta && !o.Nanoseconds
		if threads != nil && len(list) == 2 && t.fields != 0 && plain {
			list = []column{p.leadColumn(t.column(threads), title, list)}
		}
	case title != "":
		list = append(list, func(dst []byte, _ *tracec.Event, _ *perf.Entry) []byte { return append(dst, title...) })
	}
	return list
}

// body returns the columns after the title.
func (p *printer) body(of *perf.Event, f Fields) (list []column) {
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

// through returns a column that calls print, which appends to p.buf.
func (p *printer) through(print func(*tracec.Event, *perf.Entry)) column {
	return func(dst []byte, e *tracec.Event, x *perf.Entry) []byte {
		p.buf = dst
		print(e, x)
		return p.buf
	}
}
