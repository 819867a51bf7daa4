// Package perf prints perf.data as perf script does: one line for each sample, and one for each frame
// of its call chain (docs/spec/perf.md 10).
package perf

import (
	"context"
	"fmt"
	"io"
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
	rec, r, err := job.Events(ctx, o, tracec.WithThreads())
	if err != nil {
		return err
	}
	p := newPrinter(job.Out, job.Style, rec.(*perf.Recording))
	for e := range r.All() {
		if err = p.event(e); err != nil {
			break
		}
	}
	if err == nil {
		err = p.flush()
	}
	if err == nil {
		err = r.Err()
	}
	rec.Close()
	return report.Tell(job, rec, err)
}

// fields are the parts of a line.
type fields uint32

const (
	comm fields = 1 << iota
	pid
	tid
	cpu
	time
	period
	event
	trace
	ip
)

// flushAt is the size of the text that is buffered before writing.
const flushAt = 64 << 10

// printer prints lines.
type printer struct {
	out   io.Writer
	style style.Style
	buf   []byte
	// width is that of the longest name of an event.
	width  int
	digits int // of a thread's number
	big    bool
	fields map[*perf.Event]fields
	// resolver finds the symbols of frames.
	resolver *perf.Resolver
}

func newPrinter(out io.Writer, s style.Style, rec *perf.Recording) *printer {
	p := &printer{out: out, style: s, digits: 7, resolver: rec.Resolver(), big: rec.Machine().BigEndian, fields: map[*perf.Event]fields{}}
	if strings.HasPrefix(rec.Info().Version, "6.1.") {
		p.digits = 5
	}
	for _, e := range rec.Attrs() {
		p.width = max(p.width, len(e.Name))
		f := comm | tid | time | period | event | ip
		if e.IsTracepoint() {
			f = comm | tid | cpu | time | event | trace
			if e.Attr.SampleType&perf.HasCallchain != 0 {
				f |= ip
			}
		}
		if e.Attr.SampleType&perf.HasCPU != 0 {
			f |= cpu
		}
		p.fields[e] = f
	}
	return p
}

// event prints a sample.
func (p *printer) event(e *tracec.Event) error {
	x := e.Entry.(*perf.Entry)
	if x.Event.Attr == nil {
		return nil
	}
	f := p.fields[x.Event]
	p.head(e, x, f)
	if f&trace != 0 {
		p.buf = append(p.buf, ' ')
		p.buf, _ = e.AppendText(p.buf)
	}
	p.where(x, f)
	if p.buf = append(p.buf, '\n'); len(p.buf) >= flushAt {
		return p.flush()
	}
	return nil
}

// where prints the address of a sample, or the frames of its call chain.
func (p *printer) where(x *perf.Entry, f fields) {
	if f&ip == 0 {
		return
	}
	if x.Event.Attr.SampleType&perf.HasCallchain == 0 {
		if addr, ok := x.IP(p.big); ok {
			p.buf = append(p.buf, "  "...)
			p.frame(x.Maps, x.Misc, addr)
		}
		return
	}
	p.buf = append(p.buf, ' ')
	x.Chain(p.big, func(addr uint64, mode uint16) bool {
		p.buf = append(p.buf, "\n\t"...)
		p.frame(x.Maps, mode, addr)
		return true
	})
	p.buf = append(p.buf, '\n')
}

// frame prints an address, its symbol and what is mapped there.
func (p *printer) frame(m perf.Maps, mode uint16, addr uint64) {
	f := p.resolver.Frame(m, mode, addr)
	at := len(p.buf)
	p.buf = strconv.AppendUint(p.buf, addr, 16)
	p.buf = alignRight(p.buf, at, 16)
	if f.Symbol == "" {
		p.buf = append(p.buf, " [unknown] ("...)
	} else {
		p.buf = append(append(append(p.buf, ' '), f.Symbol...), "+0x"...)
		p.buf = append(strconv.AppendUint(p.buf, f.Offset, 16), " ("...)
	}
	name := "[unknown]"
	if f.Module != nil {
		name = f.Module.Name
	}
	p.buf = append(append(p.buf, name...), ')')
}

// head prints what is in front of the text.
func (p *printer) head(e *tracec.Event, x *perf.Entry, f fields) {
	name := e.Comm()
	if name == "" {
		name = ":" + string(render.Dec(nil, int64(e.Task)))
	}
	if x.Event.Attr.SampleType&perf.HasCallchain == 0 {
		p.buf = pad(p.buf, 16-len(name))
	}
	p.buf = append(append(p.buf, name...), ' ')
	switch {
	case f&pid != 0:
		p.buf = fmt.Appendf(p.buf, "%*d/%-*d ", p.digits, e.Process(), p.digits, e.Task)
	default:
		p.buf = number(p.buf, int64(e.Task), p.digits)
		p.buf = append(p.buf, ' ')
	}
	if f&cpu != 0 {
		p.buf = fmt.Appendf(p.buf, "[%03d] ", e.CPU)
	}
	if f&time != 0 {
		ns := e.Time
		if !x.Event.HasTime() {
			ns = 1<<64 - 1
		}
		p.buf = fmt.Appendf(p.buf, "%5d.%06d: ", ns/1e9, ns%1e9/1e3)
	}
	if f&period != 0 {
		n, _ := x.Period(p.big)
		p.buf = fmt.Appendf(p.buf, "%10d ", n)
	}
	if f&event != 0 {
		p.buf = pad(p.buf, p.width-len(x.Event.Name))
		p.buf = append(append(p.buf, p.style.Paint(style.Event, x.Event.Name)...), ':')
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
