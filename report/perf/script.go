// Package perf prints perf.data as perf script does: one line for each sample, and one for each
// frame of its call chain (docs/spec/perf.md 10).
package perf

import (
	"context"
	"fmt"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/style"
	"github.com/tracec/tracec/runtime/perf"
	"github.com/tracec/tracec/runtime/render"
)

// System prints perf.data.
func System() report.System {
	return report.System{Source: sources.Perf(), Report: printReport, List: list, Info: info, Stat: stat,
		Catalog: catalog, ForList: catalog}
}

// printReport is tracec report.
func printReport(ctx context.Context, job *report.Job, o *report.Options) error {
	return Script(ctx, job, &Options{Options: *o, MaxStack: DefaultMaxStack})
}

// printer appends the lines of records. It is for one goroutine.
type printer struct {
	style    style.Style
	opts     *Options
	buf      []byte // the lines
	like     like
	resolver *perf.Resolver // of the symbols of frames
	texts    *texts
	fields   []Fields // by Event.Index, of attributes
	attrs    []*perf.Event
	titles   []string // by Event.Index, of attributes: the aligned names
	counters *counters
	shown    times
	parts    perf.Parts // of the last sample that has fields of them
	extra    extra
}

// extra is what some fields of [perf.Parts] need.
type extra struct {
	registers   []string          // names
	cgroups     map[uint64]string // paths, of the records up to now
	sourceWidth int               // of the longest data_src up to now
}

func newPrinter(job *report.Job, rec *perf.Recording, o *Options, changes []change) *printer {
	like, machine := likeOf(rec, o.Like), rec.Machine()
	p := &printer{
		style: job.Style, opts: o, like: like,
		resolver: rec.Resolver(), attrs: rec.Attrs(),
		counters: newCounters(rec, like), shown: times{wall: machine.Wall},
		extra: extra{registers: registerNames(machine.Arch), cgroups: map[uint64]string{}},
	}
	if !o.Plain && (like.plugins || rec.Pipe()) {
		p.texts = newTexts(rec, like.plugins)
	}
	d := newDefaults(rec, o, changes, like.old)
	width := 0
	for _, e := range p.attrs {
		width = max(width, len(e.Name))
		p.fields = append(p.fields, d.fields(e, changes))
	}
	for _, e := range p.attrs {
		aligned := string(pad(nil, width-len(e.Name)))
		p.titles = append(p.titles, aligned+p.style.Paint(style.Event, e.Name)+": ")
	}
	return p
}

// append appends the lines of a record.
func (p *printer) append(dst []byte, e *tracec.Event) ([]byte, error) {
	p.buf = dst
	x := e.Entry.(*perf.Entry)
	switch {
	case x.Event.Attr == nil:
		p.follow(e, x)
		if sides[x.Event.Kind]&p.opts.Sides != 0 && !isSum(e, x) {
			p.side(e, x)
			p.buf = append(p.buf, '\n')
		}
	case !p.selects(e, x):
	case x.Event.Attr.ReadsGroups():
		p.group(e, x)
	default:
		p.sample(e, x, x.Event, p.counters.period(e.Task, x))
	}
	return p.buf, nil
}

// isSum reports whether a record is what perf adds at the end: all that was lost of an event.
func isSum(e *tracec.Event, x *perf.Entry) bool {
	return x.Event.Kind == perf.LostSamples && e.Lost == 0
}

// sample prints the line of a sample, as one of an event that happened n times.
func (p *printer) sample(e *tracec.Event, x *perf.Entry, of *perf.Event, n uint64) {
	f := p.fields[of.Index]
	p.head(e, x, f)
	if f&FieldPeriod != 0 {
		p.buf = append(number(p.buf, int64(n), 10), ' ')
	}
	if f&FieldEvent != 0 {
		p.buf = append(p.buf, p.titles[of.Index]...)
	}
	if f&FieldFlags != 0 { // which only samples have that perf makes of traces of processors
		p.buf = pad(p.buf, 24)
	}
	if isBranch(of.Attr) {
		p.branch(x, f)
	} else {
		p.content(e, x, f)
	}
	p.buf = append(p.buf, '\n')
}

// content prints what follows the name of the event of a sample.
func (p *printer) content(e *tracec.Event, x *perf.Entry, f Fields) {
	if f&FieldTrace != 0 {
		p.buf = p.texts.append(p.buf, e, x)
	}
	if f&(early|late) != 0 {
		x.Parts(&p.parts)
		p.before(x, f)
	}
	p.where(x, f)
	p.after(x, f)
}

// like is what differs between versions of perf.
type like struct {
	digits   int  // of a thread's number
	plugins  bool // texts of tracepoints are those of libtraceevent's plugins
	byThread bool // counters of groups are those of threads
	notTaken bool // branches may be not taken
	// old is of perf before 6.2. Addresses of programs in call chains are places in their files.
	// Levels of memory and flags of branches have other names.
	old bool

	kindWidth int  // of the name of a type of record in sums
	named     bool // types and configurations of events have names,
	constants bool // which are the kernel's constants
}

// likeOf returns the texts of a version; "" is that of the recorder.
func likeOf(rec *perf.Recording, version string) like {
	if version == "" {
		version = rec.Info().Version
	}
	major, minor := 0, 0
	if n, _ := fmt.Sscanf(version, "%d.%d", &major, &minor); n < 2 || major > 6 {
		return like{
			digits: 7, plugins: true, byThread: true, notTaken: true, kindWidth: 20, named: true, constants: true,
		}
	}
	if major < 6 || minor < 2 {
		return like{digits: 5, old: true, kindWidth: 16}
	}
	return like{digits: 7, plugins: true, byThread: minor > 12, notTaken: minor > 14, kindWidth: 20, named: minor > 11}
}

// head prints what is in front of the event.
func (p *printer) head(e *tracec.Event, x *perf.Entry, f Fields) {
	attr := p.attrOf(x)
	if f&FieldComm != 0 {
		name := e.Comm()
		if name == "" {
			name = ":" + string(render.Dec(nil, int64(e.Task)))
		}
		switch {
		case p.opts.Latency:
			name = name[:min(len(name), 8)]
			p.buf = pad(p.buf, 8-len(name))
		case !p.bare(x, f):
			p.buf = pad(p.buf, 16-len(name))
		}
		p.buf = append(append(p.buf, name...), ' ')
	}
	process, tid := e.Process(), e.Task
	if x.Event.Attr == nil {
		process, tid = x.Recorder()
	}
	switch f & (FieldPID | FieldTID) {
	case FieldPID | FieldTID:
		p.buf = append(number(p.buf, int64(process), p.like.digits), '/')
		at := len(p.buf)
		p.buf = render.Dec(p.buf, int64(tid))
		p.buf = append(pad(p.buf, p.like.digits-(len(p.buf)-at)), ' ')
	case FieldPID:
		p.buf = append(number(p.buf, int64(process), p.like.digits), ' ')
	case FieldTID:
		p.buf = append(number(p.buf, int64(tid), p.like.digits), ' ')
	}
	if f&FieldCPU != 0 && attr != nil && attr.SampleType&perf.HasCPU != 0 {
		p.cpu(e.CPU)
	}
	if f&FieldMisc != 0 {
		p.modes(x)
	}
	if f&FieldTOD != 0 {
		p.timeOfDay(e.Time)
	}
	if f&FieldTime != 0 {
		p.time(e.Time, x.Event)
	}
}

// bare reports whether a name is not aligned: lines with call chains have it so, and those of
// side-band records if the first attribute has call chains.
func (p *printer) bare(x *perf.Entry, f Fields) bool {
	if x.Event.Attr == nil && len(p.attrs) > 0 {
		f = p.fields[0]
	}
	attr := p.attrOf(x)
	return attr != nil && f&FieldIP != 0 && p.chains(attr)
}

func (p *printer) cpu(n int32) {
	if p.opts.Latency {
		p.buf = append(number(p.buf, int64(max(n, 0)), 3), ' ')
		return
	}
	p.buf = append(p.buf, '[')
	if n = max(n, 0); n < 1000 {
		p.buf = render.Decimals(p.buf, uint32(n), 3)
	} else {
		p.buf = render.Dec(p.buf, int64(n))
	}
	p.buf = append(p.buf, "] "...)
}

// chains reports whether lines of an event are followed by its call chain.
func (p *printer) chains(a *perf.Attr) bool {
	return a.SampleType&perf.HasCallchain != 0 && p.opts.MaxStack >= 0
}

// attrOf returns the attribute of a record. Side-band records are recorded for the first one.
func (p *printer) attrOf(x *perf.Entry) *perf.Attr {
	if x.Event.Attr != nil {
		return x.Event.Attr
	}
	if len(p.attrs) == 0 {
		return nil
	}
	return p.attrs[0].Attr
}

const blanks = "                                                                "

func pad(dst []byte, n int) []byte {
	for ; n > len(blanks); n -= len(blanks) {
		dst = append(dst, blanks...)
	}
	return append(dst, blanks[:max(n, 0)]...)
}

// number appends a number that is aligned on the right.
func number(dst []byte, n int64, width int) []byte {
	var digits [20]byte
	text := render.Dec(digits[:0], n)
	return append(pad(dst, width-len(text)), text...)
}
