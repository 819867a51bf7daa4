package dump

import (
	"bytes"
	"fmt"

	"github.com/tracec/tracec/runtime/ftrace"
)

// reader decodes a section. Missing data at its end is reported once.
type reader struct {
	d    *dumper
	s    *ftrace.Section
	data []byte
	bad  bool
}

func (r *reader) take(n uint64) []byte {
	if n > uint64(len(r.data)) {
		if !r.bad {
			r.d.damage(fmt.Errorf("%s: offset %d, section %d: %w", r.d.job.Path, r.s.Offset, r.s.ID, errShort))
		}
		r.bad = true
		n = uint64(len(r.data))
	}
	b := r.data[:n]
	r.data = r.data[n:]
	return b
}

func (r *reader) u32() uint32 {
	if b := r.take(4); len(b) == 4 {
		return r.d.order.Uint32(b)
	}
	return 0
}

func (r *reader) u64() uint64 {
	if b := r.take(8); len(b) == 8 {
		return r.d.order.Uint64(b)
	}
	return 0
}

// name takes a text including its NUL.
func (r *reader) name() []byte {
	i := bytes.IndexByte(r.data, 0)
	if i < 0 {
		return r.take(uint64(len(r.data)) + 1)
	}
	return r.take(uint64(i) + 1)[:i]
}

// detailed reports whether the options select more of a section than its line in the summary.
func (d *dumper) detailed(id uint16) bool {
	switch id {
	case ftrace.OptionHeaderInfo:
		return d.HeadPage || d.HeadEvent
	case ftrace.OptionFtraceEvents:
		return d.FtraceEvents
	case ftrace.OptionEventFormats:
		return d.Events || d.Systems
	case ftrace.OptionKallsyms:
		return d.Kallsyms
	case ftrace.OptionPrintk:
		return d.Printk
	case ftrace.OptionCmdlines:
		return d.CmdLines
	}
	return false
}

// meta prints a section of metadata, then flushes the text.
func (d *dumper) meta(s *ftrace.Section) error {
	detailed := d.detailed(s.ID)
	if !detailed && !d.Summary {
		return nil
	}
	data, err := d.rec.SectionData(s)
	if err != nil {
		d.damage(err)
		return d.flush()
	}
	if detailed {
		d.sectionLine(s)
	}
	r := &reader{d: d, s: s, data: data}
	switch s.ID {
	case ftrace.OptionHeaderInfo:
		r.header("header_page\x00", "Header page", d.HeadPage)
		r.header("header_event\x00", "Header event", d.HeadEvent)
	case ftrace.OptionFtraceEvents:
		n := r.u32()
		d.printf("\t[Ftrace format, %d events]\n", n)
		r.formats(n, d.FtraceEvents)
	case ftrace.OptionEventFormats:
		r.systems()
	case ftrace.OptionKallsyms:
		r.text("Kallsyms", uint64(r.u32()), d.Kallsyms)
	case ftrace.OptionPrintk:
		r.text("Trace printk", uint64(r.u32()), d.Printk)
	case ftrace.OptionCmdlines:
		r.text("Saved command lines", r.u64(), d.CmdLines)
	}
	return d.flush()
}

func (r *reader) header(tag, title string, show bool) {
	r.take(uint64(len(tag)))
	n := r.u64()
	if !show && !r.d.Summary {
		r.take(n)
		return
	}
	r.text(title, n, show)
}

func (r *reader) text(title string, n uint64, show bool) {
	r.d.printf("\t[%s, %d bytes]\n", title, n)
	text := r.take(n)
	if show {
		r.d.out = append(append(r.d.out, untilNUL(text)...), '\n')
	}
}

func (r *reader) formats(n uint32, show bool) {
	for i := uint32(0); i < n && !r.bad; i++ {
		text := r.take(r.u64())
		if show {
			r.d.out = append(append(r.d.out, untilNUL(text)...), '\n')
		}
	}
}

func (r *reader) systems() {
	n := r.u32()
	r.d.printf("\t[Events format, %d systems]\n", n)
	for i := uint32(0); i < n && !r.bad; i++ {
		name, events := r.name(), r.u32()
		if r.d.Systems {
			r.d.printf("\t\t%s %d [system, events]\n", name, events)
		}
		r.formats(events, r.d.Events)
	}
}
