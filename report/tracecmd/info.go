package tracecmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/facts"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/record"
)

// optionNames are the names of options in the file format (ftrace.md 1.4).
var optionNames = map[uint16]string{
	ftrace.OptionDate: "DATE", ftrace.OptionCPUStat: "CPUSTAT", ftrace.OptionBuffer: "BUFFER",
	ftrace.OptionTraceClock: "TRACECLOCK", ftrace.OptionUname: "UNAME", ftrace.OptionHook: "HOOK",
	ftrace.OptionOffset: "OFFSET", ftrace.OptionCPUCount: "CPUCOUNT", ftrace.OptionVersion: "VERSION",
	ftrace.OptionProcMaps: "PROCMAPS", ftrace.OptionTraceID: "TRACEID", ftrace.OptionTimeShift: "TIME_SHIFT",
	ftrace.OptionGuest: "GUEST", ftrace.OptionTSC2NSEC: "TSC2NSEC", ftrace.OptionStrings: "STRINGS",
	ftrace.OptionHeaderInfo: "HEADER_INFO", ftrace.OptionFtraceEvents: "FTRACE_EVENTS",
	ftrace.OptionEventFormats: "EVENT_FORMATS", ftrace.OptionKallsyms: "KALLSYMS",
	ftrace.OptionPrintk: "PRINTK", ftrace.OptionCmdlines: "CMDLINES", ftrace.OptionBufferText: "BUFFER_TEXT",
	ftrace.OptionBTF: "BTF_FILE", ftrace.OptionLastBoot: "LAST_BOOT_INFO", ftrace.OptionModules: "MODULES_FILE",
}

// info implements tracec info: the metadata of a recording, and results of reading all of its
// records.
func info(ctx context.Context, job *report.Job) (*facts.Info, error) {
	in, err := openInput(ctx, job, Input{Path: job.Path}, job.Memory, false)
	if err != nil {
		return nil, err
	}
	p := &printer{settings: settings{opts: &Options{}, job: job}, inputs: []*input{in}}
	defer p.close()
	for _, b := range in.buffers {
		p.settle(in, b, 0)
	}
	f := p.infoHeader(in)
	p.infoOptions(in, f)
	for _, b := range in.buffers {
		if err := p.infoBuffer(ctx, b, f); err != nil {
			return nil, err
		}
	}
	f.Recording = facts.Of(job.Path, "ftrace", in.rec)
	p.buf = fmt.Appendf(p.buf, "damage:         %d places, %d bytes skipped\n", f.DamagePlaces, f.Skipped)
	f.Text = p.buf
	p.reportDamage()
	if p.damaged {
		return f, report.ErrDamaged
	}
	return f, nil
}

func (p *printer) infoHeader(in *input) *facts.Info {
	i := in.info
	kind := fmt.Sprintf("trace.dat version %d", i.Version)
	if i.Version == 0 {
		kind = "tracefs snapshot"
	}
	f := facts.NewInfo(kind, in.rec)
	order := f.ByteOrder
	compression := "none"
	if i.Compression != "" && i.Compression != "none" {
		compression = strings.TrimSpace(i.Compression + " " + i.CompressionVersion)
	}
	f.Compression, f.Kernel, f.Recorder, f.Described = compression, oneLine(i.Uname), oneLine(i.Recorder),
		int64(len(in.rec.Formats()))
	if i.TraceClock != "" {
		f.Clock = oneLine(i.TraceClock)
	}
	p.buf = fmt.Appendf(p.buf, "file:           %s\n", in.opts.Path)
	p.buf = fmt.Appendf(p.buf, "kind:           %s, %s endian, %d-bit kernel\n", kind, order, 8*i.WordSize)
	p.buf = fmt.Appendf(p.buf, "compression:    %s\n", compression)
	p.buf = fmt.Appendf(p.buf, "page size:      %d\n", i.PageSize)
	p.buf = fmt.Appendf(p.buf, "cpus:           %d\n", i.CPUs)
	p.buf = fmt.Appendf(p.buf, "events:         %d described\n", len(in.rec.Formats()))
	p.buf = fmt.Appendf(p.buf, "symbols:        %d\n", in.rec.Symbols().Len())
	for _, x := range [][2]string{{"kernel", i.Uname}, {"recorder", i.Recorder}, {"clock", i.TraceClock}} {
		if x[1] != "" {
			p.buf = fmt.Appendf(p.buf, "%-15s %s\n", x[0]+":", oneLine(x[1]))
		}
	}
	return f
}

// oneLine replaces characters of a text that would break the layout or control the terminal.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, strings.TrimSpace(s))
}

func (p *printer) infoOptions(in *input, f *facts.Info) {
	i := in.info
	if i.Date != 0 || i.Offset != 0 {
		p.buf = fmt.Appendf(p.buf, "time shift:     %d ns (date), %d ns (offset)\n", i.Date, i.Offset)
	}
	if i.TSC != nil {
		p.buf = fmt.Appendf(p.buf, "tsc to ns:      * %d >> %d\n", i.TSC.Mult, i.TSC.Shift)
	}
	if i.TraceID != 0 {
		p.buf = fmt.Appendf(p.buf, "trace id:       %#x\n", i.TraceID)
	}
	for _, g := range i.Guests {
		p.buf = fmt.Appendf(p.buf, "guest:          %s, trace id %#x, %d cpus\n", oneLine(g.Name), g.TraceID,
			len(g.VCPUs))
	}
	for _, m := range i.ProcMaps {
		p.buf = fmt.Appendf(p.buf, "memory map:     pid %d %s, %d libraries\n", m.PID, oneLine(m.Name),
			len(m.Libraries))
	}
	for _, h := range i.Hooks {
		p.buf = fmt.Appendf(p.buf, "hook:           %s\n", oneLine(h))
	}
	if len(i.Options) == 0 {
		return
	}
	p.buf = append(p.buf, "options:\n"...)
	for _, o := range i.Options {
		name := optionNames[o.ID]
		f.Options = append(f.Options, facts.Option{ID: o.ID, Name: name, Bytes: len(o.Payload), Offset: o.Offset})
		if name == "" {
			name = "unknown"
		}
		p.buf = fmt.Appendf(p.buf, "  %3d %-15s %7d bytes at %#x\n", o.ID, name, len(o.Payload), o.Offset)
	}
}

// infoBuffer reads a buffer and counts its records.
func (p *printer) infoBuffer(ctx context.Context, b *buffer, f *facts.Info) error {
	name := b.buf.Name
	if name == "" {
		name = "(top)"
	}
	clock := b.buf.Clock
	if clock == "" {
		clock = "unknown"
	}
	p.buf = fmt.Appendf(p.buf, "buffer %s: clock %s, page size %d\n", oneLine(name), oneLine(clock), b.buf.PageSize)
	of := facts.Buffer{Name: oneLine(b.buf.Name), Clock: oneLine(b.buf.Clock), PageSize: b.buf.PageSize}
	defer func() { f.Buffers = append(f.Buffers, of) }()
	if text := b.buf.Text(); text != nil {
		n, err := io.Copy(io.Discard, text)
		of.Text = n
		p.buf = fmt.Appendf(p.buf, "  text of a latency tracer, %d bytes\n", n)
		return err
	}
	streams := b.buf.Streams(ftrace.StreamOptions{Options: record.Options{Context: ctx}})
	p.job.ReadsAll(streams)
	for i, s := range streams {
		c := b.buf.CPUs[i]
		var w walk
		w.run(record.Waiting(s), p.damage)
		f.Add(w.stream(of.Name, &c, b.time == ticks))
		p.buf = fmt.Appendf(p.buf, "  cpu %-3d %9d bytes at %#-9x %9d events", c.ID, c.Size, c.Offset, w.events)
		if w.events > 0 {
			p.buf = p.seconds.appendTime(append(p.buf, ' '), w.first, b.time)
			p.buf = p.seconds.appendTime(append(p.buf, " .."...), w.last, b.time)
		}
		if w.gaps > 0 {
			p.buf = facts.AppendLost(append(p.buf, ", "...), w.lost, w.unknown, w.gaps)
		}
		p.buf = append(p.buf, '\n')
	}
	return ctx.Err()
}

// stream returns the facts about the stream of a CPU.
func (w *walk) stream(buffer string, c *ftrace.CPU, ticks bool) facts.Stream {
	s := facts.Stream{
		Buffer: buffer, CPU: facts.Number(c.ID), Events: w.events, Bytes: facts.Number(c.Size),
		Offset: facts.Number(c.Offset),
		Lost:   w.lost, LostUnknown: w.unknown, Gaps: w.gaps,
	}
	if w.events > 0 {
		s.Span = facts.SpanOf(w.first, w.last, ticks)
	}
	return s
}

// walk holds the results of counting the records of a stream.
type walk struct {
	events, gaps, lost int64
	unknown            bool // the size of some gaps is unknown
	first, last        uint64
}

func (w *walk) run(s record.Stream[record.None], damage func(error)) {
	for {
		batch, err := s.Next()
		for i := range batch.Records {
			r := &batch.Records[i]
			if w.events == 0 {
				w.first = r.Time
			}
			w.events++
			w.last = r.Time
			switch {
			case r.Lost > 0:
				w.lost += r.Lost
				w.gaps++
			case r.Lost != 0:
				w.unknown = true
				w.gaps++
			}
		}
		if err != nil {
			if !errors.Is(err, io.EOF) {
				damage(err)
			}
			return
		}
	}
}
