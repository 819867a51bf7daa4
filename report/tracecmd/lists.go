package tracecmd

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"

	compiler "github.com/tracec/tracec/compiler/ftrace"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/record"
)

// lists prints the requested list. As in trace-cmd, only the first of several is printed, in this
// order (tried on 3.1.6).
func (p *printer) lists() error {
	l := p.opts.Lists
	for _, in := range p.inputs {
		switch {
		case l.PageSize:
			p.pageSize(in)
		case l.Endian:
			p.endian(in)
		case l.CheckEvents:
			p.checkEvents(in)
		case l.EventFormats:
			p.eventFormats(in)
		case l.Functions:
			p.functions(in)
		case l.Printk:
			p.printk(in)
		case l.EventNames:
			p.eventNames(in)
		case l.CPUs, l.FirstEvent, l.LastEvent:
			if err := p.cpus(in); err != nil {
				return err
			}
		default:
			p.about(in)
		}
		if err := p.flush(); err != nil {
			return err
		}
	}
	return nil
}

func (p *printer) pageSize(in *input) {
	p.buf = fmt.Appendf(p.buf, "file page size is %d, and host page size is %d\n", in.info.FilePageSize,
		os.Getpagesize())
}

func (p *printer) endian(in *input) {
	name := map[bool]string{false: "little", true: "big"}
	p.buf = fmt.Appendf(p.buf, "file is %s endian and host is %s endian\n", name[in.formats.target.BigEndian],
		name[hostIsBig])
}

// cpus lists the processors of the top buffer that have data. On request it adds the times of their
// first and last events.
func (p *printer) cpus(in *input) error {
	p.buf = fmt.Appendf(p.buf, "List of CPUs in %s with data:\n", in.opts.Path)
	if len(in.buffers) == 0 {
		return nil
	}
	b := in.buffers[0]
	so, err := p.streamOptions(in, b)
	if err != nil {
		return err
	}
	for i, s := range b.buf.Streams(so) {
		if b.buf.CPUs[i].Size == 0 {
			continue
		}
		p.buf = fmt.Appendf(p.buf, "  %d", b.buf.CPUs[i].ID)
		if p.opts.Lists.FirstEvent || p.opts.Lists.LastEvent {
			p.firstAndLast(s, b.time)
		}
		p.buf = append(p.buf, '\n')
	}
	return nil
}

func (p *printer) firstAndLast(s record.Stream[record.None], f timeFormat) {
	var first, last uint64
	n := 0
	for {
		batch, err := s.Next()
		if len(batch.Records) > 0 {
			if n++; n == 1 {
				first = batch.Records[0].Time
			}
			last = batch.Records[len(batch.Records)-1].Time
		}
		if err != nil && !errors.Is(err, io.EOF) {
			p.damage(err)
		}
		if err != nil || !p.opts.Lists.LastEvent && n > 0 {
			break
		}
	}
	if n == 0 {
		return
	}
	for _, x := range []struct {
		show  bool
		label string
		time  uint64
	}{{p.opts.Lists.FirstEvent, "First", first}, {p.opts.Lists.LastEvent, "Last", last}} {
		if x.show {
			p.buf = fmt.Appendf(p.buf, "\t%s event:", x.label)
			t := p.seconds.appendTime(nil, x.time, f)
			if f != ticks {
				t = t[1:] // the blank that separates columns
			}
			p.buf = append(p.buf, t...)
		}
	}
}

// checkEvents compiles every event and names the events that cannot be rendered.
func (p *printer) checkEvents(in *input) {
	for _, f := range in.rec.Formats() {
		ev, diags := compiler.CompileEvent(f.System, path.Join(f.System, f.Name), []byte(f.Text), in.formats.target)
		if ev != nil && ev.HasText {
			continue
		}
		p.damaged = true
		for _, d := range diags {
			p.job.Warn(d)
		}
		if len(diags) == 0 {
			p.job.Warn(fmt.Errorf("%s:%s cannot be rendered", f.System, f.Name))
		}
	}
}

// eventFormats prints the format files of the events that Events selects, by system. As in
// trace-cmd it omits the events of the ring buffer itself. (For version 7 trace-cmd prints
// nothing.)
func (p *printer) eventFormats(in *input) {
	system := ""
	for _, f := range in.rec.Formats() {
		if f.System == "ftrace" || p.opts.Events != nil && !p.opts.Events(f.System, f.Name) {
			continue
		}
		if f.System != system {
			system = f.System
			p.buf = fmt.Appendf(p.buf, "\nsystem: %s\n", system)
		}
		p.buf = append(p.buf, strings.TrimRight(f.Text, "\n")...)
		p.buf = append(p.buf, "\n\n"...)
	}
}

// functions lists the symbols by address.
func (p *printer) functions(in *input) {
	in.rec.Symbols().All(func(addr uint64, name, module string) {
		p.buf = fmt.Appendf(p.buf, "%016x %s", addr, name)
		if module != "" {
			p.buf = fmt.Appendf(p.buf, " [%s]", module)
		}
		p.buf = append(p.buf, '\n')
	})
}

// printk lists the constant strings of the kernel by address.
func (p *printer) printk(in *input) {
	type entry struct {
		addr uint64
		text string
	}
	var list []entry
	in.rec.Printks(func(addr uint64, text string) { list = append(list, entry{addr, text}) })
	slices.SortStableFunc(list, func(a, b entry) int { return cmp.Compare(a.addr, b.addr) })
	for _, e := range list {
		p.buf = fmt.Appendf(p.buf, "%016x %s\n", e.addr, strings.TrimRight(e.text, "\n"))
	}
}

func (p *printer) eventNames(in *input) {
	formats := slices.Clone(in.rec.Formats())
	slices.SortStableFunc(formats, func(a, b *ftrace.Format) int {
		return cmp.Or(cmp.Compare(a.System, b.System), cmp.Compare(a.Name, b.Name))
	})
	for _, f := range formats {
		p.buf = fmt.Appendf(p.buf, "%s:%s\n", f.System, f.Name)
	}
}

// about prints the lines after the first line of the header: statistics, kernel and recorder.
func (p *printer) about(in *input) {
	if len(p.inputs) > 1 {
		p.buf = fmt.Appendf(p.buf, "%*s: ", p.width, in.name)
	}
	p.buf = fmt.Appendf(p.buf, "cpus=%d\n", in.info.CPUs)
	l := p.opts.Lists
	if l.Uname && !l.Version {
		p.buf = appendOr(p.buf, in.info.Uname, " uname was not recorded in this file")
	}
	if l.Uname || l.Version {
		p.buf = appendOr(p.buf, in.info.Recorder, " version was not recorded in this file")
		return
	}
	if l.Stat {
		p.statistics(in)
	}
}

func appendOr(dst []byte, text, other string) []byte {
	if text == "" {
		text = other
	}
	return append(append(dst, strings.TrimRight(text, "\n")...), '\n')
}

// statistics prints the statistics, and at their end the offset of the data of the top buffer in
// the file. (For packed data trace-cmd prints the offset in its unpacked temporary file.)
func (p *printer) statistics(in *input) {
	p.buf = append(p.buf, "\nKernel buffer statistics:\n"+
		"  Note: \"entries\" are the entries left in the kernel ring buffer and are not\n"+
		"        recorded in the trace data. They should all be zero.\n\n"...)
	if len(in.info.CPUStats) == 0 {
		p.buf = append(p.buf, " No stats in this file"...)
	}
	for _, s := range in.info.CPUStats {
		p.buf = append(append(p.buf, s...), '\n')
	}
	p.buf = append(p.buf, '\n')
	if len(in.buffers) == 0 {
		return
	}
	for _, c := range in.buffers[0].buf.CPUs {
		p.buf = fmt.Appendf(p.buf, "CPU%d data recorded at offset=0x%x\n    %d bytes in size\n", c.ID, c.Offset, c.Size)
	}
}
