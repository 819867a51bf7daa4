// Package perf prints perf.data as perf script does: one line for each sample, and one for each frame
// of its call chain (docs/spec/perf.md 10).
package perf

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/style"
	"github.com/tracec/tracec/runtime/perf"
	"github.com/tracec/tracec/runtime/render"
)

// System prints perf.data.
func System() report.System {
	return report.System{Source: sources.Perf(), Report: printReport, List: list, Info: info, Stat: stat, Catalog: catalog, ForList: catalog}
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
	width    int    // of the longest name of an event
	digits   int    // of a thread's number
	inFiles  bool   // frames of programs have their places in files
	big      bool
	resolver *perf.Resolver // of the symbols of frames
	texts    *texts
	fields   []Fields // by Event.Index, of attributes
	attrs    []*perf.Event
	counters *counters
}

// modes are the bits of Entry.Misc that are the mode of the processor.
const modes = 7

func newPrinter(job *report.Job, rec *perf.Recording, o *Options, changes []change) *printer {
	like := likeOf(rec, o.Like)
	p := &printer{
		style: job.Style, opts: o, digits: like.digits, inFiles: like.inFiles,
		big: rec.Machine().BigEndian, resolver: rec.Resolver(), attrs: rec.Attrs(),
		counters: &counters{rec: rec, last: map[counter]uint64{}},
	}
	if like.plugins && !o.Plain {
		p.texts = newTexts(rec)
	}
	for _, e := range rec.Attrs() {
		p.width = max(p.width, len(e.Name))
		f := fieldsOf(e, changes)
		if rec.IsPipe() && len(changes) == 0 && e.IsTracepoint() {
			f &^= FieldSymOff | FieldDSO // perf knows the attributes too late (perf.md 10)
		}
		p.fields = append(p.fields, f)
	}
	return p
}

// append appends the lines of a record.
func (p *printer) append(dst []byte, e *tracec.Event) ([]byte, error) {
	p.buf = dst
	x := e.Entry.(*perf.Entry)
	switch {
	case x.Event.Attr == nil:
		if sides[x.Event.Kind]&p.opts.Sides != 0 {
			p.side(e, x)
			p.buf = append(p.buf, '\n')
		}
	case !p.opts.selects(e):
	case x.Event.Attr.ReadFormat&perf.ReadGroup != 0 && x.Event.Attr.SampleType&perf.HasRead != 0:
		p.group(e, x)
	default:
		n, _ := x.Period(p.big)
		p.sample(e, x, x.Event, n)
	}
	return p.buf, nil
}

// sample prints the line of a sample, as one of an event that happened n times.
func (p *printer) sample(e *tracec.Event, x *perf.Entry, of *perf.Event, n uint64) {
	f := p.fields[of.Index]
	p.head(e, x, f)
	if f&FieldPeriod != 0 {
		p.buf = append(number(p.buf, int64(n), 10), ' ')
	}
	if f&FieldEvent != 0 {
		p.buf = pad(p.buf, p.width-len(of.Name))
		p.buf = append(append(p.buf, p.style.Paint(style.Event, of.Name)...), ": "...)
	}
	if f&FieldTrace != 0 {
		p.buf = p.texts.append(p.buf, e, x)
	}
	p.memory(e, f)
	p.where(x, f)
	p.buf = append(p.buf, '\n')
}

// like is what differs between versions of perf.
type like struct {
	digits  int  // of a thread's number
	plugins bool // texts of tracepoints are those of libtraceevent's plugins
	inFiles bool // frames of programs have their places in files
}

// likeOf returns the texts of a version; "" is that of the recorder.
func likeOf(rec *perf.Recording, version string) like {
	if version == "" {
		version = rec.Info().Version
	}
	if version == "6.1" || strings.HasPrefix(version, "6.1.") {
		return like{digits: 5, inFiles: true}
	}
	return like{digits: 7, plugins: true}
}

// where prints the address of a sample, or the frames of its call chain.
func (p *printer) where(x *perf.Entry, f Fields) {
	if f&FieldIP == 0 {
		return
	}
	if !p.chains(x.Event.Attr) {
		if addr, ok := x.IP(p.big); ok {
			p.buf = append(p.buf, ' ')
			p.frame(x.Maps, x.Misc, addr, f, false)
		}
		return
	}
	left := p.opts.MaxStack
	x.Chain(p.big, func(addr uint64, mode uint16) bool {
		p.buf = append(p.buf, "\n\t"...)
		p.frame(x.Maps, mode, addr, f, p.inFiles)
		left--
		return left > 0
	})
	p.buf = append(p.buf, '\n')
}

// frame prints an address, its symbol and what is mapped there.
// inFile prints the place in the file in place of the address of a program.
func (p *printer) frame(m perf.Maps, mode uint16, addr uint64, fields Fields, inFile bool) {
	f := p.resolver.Frame(m, mode, addr)
	at := len(p.buf)
	if inFile && f.Module != nil && mode&modes != perf.ModeKernel {
		addr = f.FileOffset
	}
	p.buf = strconv.AppendUint(p.buf, addr, 16)
	p.buf = alignRight(p.buf, at, 16)
	switch {
	case fields&FieldSym == 0:
	case f.Symbol == "":
		p.buf = append(p.buf, " [unknown]"...)
	default:
		p.buf = append(append(p.buf, ' '), f.Symbol...)
		if fields&FieldSymOff != 0 {
			p.buf = strconv.AppendUint(append(p.buf, "+0x"...), f.Offset, 16)
		}
	}
	if fields&FieldDSO == 0 {
		return
	}
	name := "[unknown]"
	if f.Module != nil {
		name = f.Module.Name
	}
	p.buf = append(append(append(p.buf, " ("...), name...), ')')
}

// head prints what is in front of the event.
func (p *printer) head(e *tracec.Event, x *perf.Entry, f Fields) {
	attr := p.attrOf(x)
	if f&FieldComm != 0 {
		name := e.Comm()
		if name == "" {
			name = ":" + string(render.Dec(nil, int64(e.Task)))
		}
		if !p.bare(x, f) {
			p.buf = pad(p.buf, 16-len(name))
		}
		p.buf = append(append(p.buf, name...), ' ')
	}
	process, tid := e.Process(), e.Task
	if x.Event.Attr == nil {
		process, tid = x.Recorder(p.big)
	}
	switch f & (FieldPID | FieldTID) {
	case FieldPID | FieldTID:
		p.buf = append(number(p.buf, int64(process), p.digits), '/')
		at := len(p.buf)
		p.buf = render.Dec(p.buf, int64(tid))
		p.buf = append(pad(p.buf, p.digits-(len(p.buf)-at)), ' ')
	case FieldPID:
		p.buf = append(number(p.buf, int64(process), p.digits), ' ')
	case FieldTID:
		p.buf = append(number(p.buf, int64(tid), p.digits), ' ')
	}
	if f&FieldCPU != 0 && attr != nil && attr.SampleType&perf.HasCPU != 0 {
		p.cpu(e.CPU)
	}
	if f&FieldTime != 0 {
		p.time(e.Time, x.Event)
	}
}

// bare reports whether a name is not aligned: lines with call chains have it so, and those of side-band
// records if the first attribute has call chains.
func (p *printer) bare(x *perf.Entry, f Fields) bool {
	if x.Event.Attr == nil && len(p.attrs) > 0 {
		f = p.fields[0]
	}
	attr := p.attrOf(x)
	return attr != nil && f&FieldIP != 0 && p.chains(attr)
}

func (p *printer) cpu(n int32) {
	p.buf = append(p.buf, '[')
	if n = max(n, 0); n < 1000 {
		p.buf = fraction(p.buf, uint64(n), 3)
	} else {
		p.buf = render.Dec(p.buf, int64(n))
	}
	p.buf = append(p.buf, "] "...)
}

// chains reports whether lines of an event are followed by its call chain.
func (p *printer) chains(a *perf.Attr) bool {
	return a.SampleType&perf.HasCallchain != 0 && p.opts.MaxStack > 0
}

// attrOf returns the attribute of a record. Side-band records are recorded for the first one.
func (p *printer) attrOf(x *perf.Entry) *perf.Attr {
	if x.Event.Attr != nil {
		return x.Event.Attr
	}
	for _, e := range p.attrs {
		return e.Attr
	}
	return nil
}

// time prints a time as perf does: truncated, not rounded. An event without a time has the largest.
func (p *printer) time(ns uint64, e *perf.Event) {
	if e.Attr != nil && !e.HasTime() {
		ns = math.MaxUint64
	}
	p.buf = number(p.buf, int64(ns/1e9), 5)
	p.buf = append(p.buf, '.')
	if p.opts.Nanoseconds {
		p.buf = fraction(p.buf, ns%1e9, 9)
	} else {
		p.buf = fraction(p.buf, ns%1e9/1e3, 6)
	}
	p.buf = append(p.buf, ": "...)
}

// fraction appends a number with leading zeros.
func fraction(dst []byte, n uint64, digits int) []byte {
	at := len(dst)
	dst = append(dst, "000000000"[:digits]...)
	for i := len(dst) - 1; i >= at; i-- {
		dst[i] += byte(n % 10)
		n /= 10
	}
	return dst
}

// memory prints what samples of memory accesses have.
func (p *printer) memory(e *tracec.Event, f Fields) {
	for _, m := range [...]struct {
		field Fields
		name  string
		width int
		hex   bool
	}{
		{FieldAddr, "addr", 16, true}, {FieldWeight, "weight", 16, false},
	} {
		if f&m.field == 0 {
			continue
		}
		if v, ok := e.Field(m.name); ok && m.hex {
			p.buf = fmt.Appendf(p.buf, "%*x ", m.width, v.Uint())
		} else if ok {
			p.buf = append(number(p.buf, v.Int(), m.width), ' ')
		}
	}
}

func pad(dst []byte, n int) []byte {
	for ; n > 0; n-- {
		dst = append(dst, ' ')
	}
	return dst
}

// number appends a number that is aligned on the right.
func number(dst []byte, n int64, width int) []byte {
	return alignRight(render.Dec(dst, n), len(dst), width)
}

// alignRight moves the text that begins at a place so that it ends at a width.
func alignRight(dst []byte, at, width int) []byte {
	if short := width - (len(dst) - at); short > 0 {
		dst = pad(dst, short)
		copy(dst[at+short:], dst[at:len(dst)-short])
		for i := range short {
			dst[at+i] = ' '
		}
	}
	return dst
}
