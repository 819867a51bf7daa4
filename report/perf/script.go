// Package perf prints perf.data as perf script does: one line for each sample, and one for each frame
// of its call chain (docs/spec/perf.md 10).
package perf

import (
	"context"
	"fmt"
	"io"
	"math"
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

// flushAt is the size of the text that is buffered before writing.
const flushAt = 64 << 10

// printer prints lines.
type printer struct {
	out   io.Writer
	style style.Style
	opts  *Options
	buf   []byte
	width int // of the longest name of an event
	like  like
	big   bool
	texts *texts
	// resolver finds the symbols of frames.
	resolver *perf.Resolver
	fields   map[*perf.Event]Fields
	attrs    []*perf.Event
}

func newPrinter(job *report.Job, rec *perf.Recording, o *Options, changes []change) *printer {
	like := likeOf(rec, o.Like)
	p := &printer{
		out: job.Out, style: job.Style, opts: o, like: like, resolver: rec.Resolver(),
		big: rec.Machine().BigEndian, fields: map[*perf.Event]Fields{}, attrs: rec.Attrs(),
	}
	if !o.Plain && (like.plugins || rec.Pipe()) {
		p.texts = newTexts(rec, like.plugins)
	}
	for _, e := range rec.Attrs() {
		p.width = max(p.width, len(e.Name))
		p.fields[e] = fieldsOf(e, changes, rec.Pipe())
	}
	return p
}

// like is what differs between versions of perf.
type like struct {
	digits  int  // of a thread's number
	plugins bool // texts of tracepoints are those of libtraceevent's plugins
	offsets bool // user addresses of call chains are offsets in their files
}

// likeOf returns the texts of a version; "" is that of the recorder.
func likeOf(rec *perf.Recording, version string) like {
	if version == "" {
		version = rec.Info().Version
	}
	if version == "6.1" || strings.HasPrefix(version, "6.1.") {
		return like{digits: 5, offsets: true}
	}
	return like{digits: 7, plugins: true}
}

// event prints a sample, or a side-band record if it was asked for.
func (p *printer) event(e *tracec.Event) error {
	x := e.Entry.(*perf.Entry)
	if x.Event.Attr == nil {
		if sides[x.Event.Kind]&p.opts.Sides == 0 {
			return nil
		}
		p.side(e, x)
		return p.end()
	}
	if !p.opts.selects(e) {
		return nil
	}
	f := p.fields[x.Event]
	p.head(e, x, f)
	if f&FieldEvent != 0 {
		p.buf = pad(p.buf, p.width-len(x.Event.Name))
		p.buf = append(append(p.buf, p.style.Paint(style.Event, x.Event.Name)...), ": "...)
	}
	if f&FieldTrace != 0 {
		p.buf = p.texts.append(p.buf, e)
	}
	p.memory(e, f)
	p.where(x, f)
	return p.end()
}

// end ends a line.
func (p *printer) end() error {
	if p.buf = append(p.buf, '\n'); len(p.buf) >= flushAt {
		return p.flush()
	}
	return nil
}

// head prints what is in front of the event.
func (p *printer) head(e *tracec.Event, x *perf.Entry, f Fields) {
	attr := p.attrOf(x)
	if f&FieldComm != 0 {
		name := e.Comm()
		if name == "" {
			name = ":" + string(render.Dec(nil, int64(e.Task)))
		}
		if attr == nil || f&FieldIP == 0 || !p.chains(attr) {
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
		p.buf = fmt.Appendf(p.buf, "%*d/%-*d ", p.like.digits, process, p.like.digits, tid)
	case FieldPID:
		p.buf = append(number(p.buf, int64(process), p.like.digits), ' ')
	case FieldTID:
		p.buf = append(number(p.buf, int64(tid), p.like.digits), ' ')
	}
	if f&FieldCPU != 0 && attr != nil && attr.SampleType&perf.HasCPU != 0 {
		p.buf = fmt.Appendf(p.buf, "[%03d] ", max(e.CPU, 0))
	}
	if f&FieldTime != 0 {
		p.time(e.Time, x.Event)
	}
	if f&FieldPeriod != 0 {
		n, _ := x.Period(p.big)
		p.buf = append(number(p.buf, int64(n), 10), ' ')
	}
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

func (p *printer) flush() error {
	_, err := p.out.Write(p.buf)
	p.buf = p.buf[:0]
	return err
}
