// Package babeltrace prints traces in the Common Trace Format as babeltrace2 does: one line for
// each event (docs/spec/ctf.md 7).
package babeltrace

import (
	"context"
	"io"
	"strings"
	"time"

	"github.com/tracec/tracec"
	compiler "github.com/tracec/tracec/compiler/ctf"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/internal/programs"
	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/style"
	"github.com/tracec/tracec/runtime/ctf"
	"github.com/tracec/tracec/runtime/render"
)

// System prints traces in the Common Trace Format.
func System() report.System {
	return report.System{Source: sources.CTF(), Report: printReport, List: list, Info: info, Stat: stat, Catalog: catalog, ForList: catalog}
}

// printReport is tracec report.
func printReport(ctx context.Context, job *report.Job, o *report.Options) error {
	rec, r, err := job.Events(ctx, o)
	if err != nil {
		return err
	}
	p := &printer{out: job.Out, style: job.Style, traces: map[*ctf.Trace]*traceText{}, zone: time.Local}
	for e := range r.All() {
		if err = p.line(e); err != nil {
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

// flushAt is the size of the text that is buffered before writing.
const flushAt = 64 << 10

// printer prints lines.
type printer struct {
	out    io.Writer
	style  style.Style
	traces map[*ctf.Trace]*traceText
	zone   *time.Location
	buf    []byte
	before uint64 // time of the line before
	any    bool
	second int64 // whose text is clock
	clock  []byte
}

// traceText is what lines of a trace share.
type traceText struct {
	head    string // `HOST:PROC:(VPID) `
	packets map[*ctf.Form]*programs.Program
	print   *programs.Printer
	base    int64
}

// headOf returns what is in front of the names of events: those of the environment.
func headOf(t *ctf.Trace) string {
	var parts []string
	for _, name := range []string{"hostname", "procname", "vpid"} {
		for _, v := range t.Environment {
			switch {
			case v.Name != name:
			case name == "vpid" && !v.IsText:
				parts = append(parts, "("+string(render.Dec(nil, v.Number))+")")
			case v.IsText:
				parts = append(parts, v.Text)
			}
		}
	}
	if parts == nil {
		return ""
	}
	return strings.Join(parts, ":") + " "
}

// line prints an event.
func (p *printer) line(e *tracec.Event) error {
	x := e.Entry.(*ctf.Entry)
	t := p.trace(x)
	if x.Event.Stream.Clock != nil {
		p.time(x.Event.Base(), e.Time)
	}
	p.buf = append(p.buf, t.head...)
	p.buf = append(append(p.buf, p.style.Paint(style.Event, x.Event.Name.Name)...), ": "...)
	at := len(p.buf)
	if prog := p.packet(t, x); prog != nil {
		p.buf = t.print.Append(p.buf, prog, x.Packet)
	}
	text := len(p.buf)
	if text > at {
		p.buf = append(p.buf, ", "...)
	}
	end := len(p.buf)
	p.buf, _ = e.AppendText(p.buf)
	if len(p.buf) == end {
		p.buf = p.buf[:text]
	}
	if p.buf = append(p.buf, '\n'); len(p.buf) >= flushAt {
		return p.flush()
	}
	return nil
}

func (p *printer) flush() error {
	_, err := p.out.Write(p.buf)
	p.buf = p.buf[:0]
	return err
}

func (p *printer) trace(x *ctf.Entry) *traceText {
	tr := x.Event.Trace()
	t := p.traces[tr]
	if t == nil {
		t = &traceText{head: headOf(tr), packets: map[*ctf.Form]*programs.Program{}, print: programs.NewPrinter(&render.Env{WordSize: 8})}
		p.traces[tr] = t
	}
	return t
}

// packet returns the program of the context of packets, or nil.
func (p *printer) packet(t *traceText, x *ctf.Entry) *programs.Program {
	form := x.Event.PacketForm()
	if form == nil {
		return nil
	}
	prog := t.packets[form]
	if prog == nil {
		ev, err := compiler.CompilePacket(x.Event, compiler.Default)
		prog = programs.NewProgram(ev, ir.Target{WordSize: 8}, err, nil)
		t.packets[form] = prog
	}
	return prog
}

// time prints `[HH:MM:SS.nnnnnnnnn] (+s.nnnnnnnnn) `.
func (p *printer) time(base int64, ns uint64) {
	const second = 1_000_000_000
	s := base/second + int64(ns/second)
	if p.clock == nil || s != p.second {
		p.second = s
		p.clock = time.Unix(s, 0).In(p.zone).AppendFormat(append(p.clock[:0], '['), "15:04:05.")
	}
	p.buf = digits(append(p.buf, p.clock...), ns%second)
	if !p.any {
		p.buf = append(p.buf, "] (+?.?????????) "...)
	} else {
		d := ns - p.before
		p.buf = digits(append(render.Udec(append(p.buf, "] (+"...), d/second), '.'), d%second)
		p.buf = append(p.buf, ") "...)
	}
	p.before, p.any = ns, true
}

// digits appends nine digits.
func digits(dst []byte, n uint64) []byte {
	for div := uint64(100_000_000); div > 0; div /= 10 {
		dst = append(dst, '0'+byte(n/div%10))
	}
	return dst
}
