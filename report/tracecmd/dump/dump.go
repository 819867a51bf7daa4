// Package dump prints the metadata of a trace.dat as trace-cmd dump does, byte for byte.
package dump

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/runtime/ftrace"
)

// Options select the parts to print. The zero value means Summary.
type Options struct {
	Validate                                   bool
	Summary                                    bool
	HeadPage, HeadEvent                        bool
	FtraceEvents, Systems, Events              bool
	Kallsyms, Printk, CmdLines                 bool
	Options, Flyrecord, Clock, Strings, Layout bool // Layout: the list of all sections
}

// All selects everything.
func All() Options {
	return Options{
		Summary: true, HeadPage: true, HeadEvent: true, FtraceEvents: true, Systems: true, Events: true, Kallsyms: true,
		Printk: true, CmdLines: true, Options: true, Flyrecord: true, Clock: true, Strings: true, Layout: true,
	}
}

// dumper prints one recording.
type dumper struct {
	Options
	job      *report.Job
	rec      *ftrace.Recording
	info     *ftrace.Info
	order    binary.ByteOrder
	sections []ftrace.Section
	out      []byte
	damaged  bool
}

// Run prints the selected parts. The error is report.ErrDamaged if some data was unreadable and
// everything else was printed, or an error about the file.
func Run(_ context.Context, rec *ftrace.Recording, o Options, job *report.Job) error {
	if o == (Options{}) {
		o.Summary = true
	}
	d := &dumper{Options: o, job: job, rec: rec, info: rec.Info(), order: rec.Info().ByteOrder}
	if d.info.Version == 0 {
		return fmt.Errorf("%s: a copy of a tracefs directory has no metadata of a trace.dat", job.Path)
	}
	if err := d.print(); err != nil {
		return err
	}
	d.job.EachDamage(rec, d.damage)
	if d.damaged {
		return report.ErrDamaged
	}
	return nil
}

func (d *dumper) damage(err error) {
	d.damaged = true
	d.job.Warn(err)
}

func (d *dumper) printf(format string, args ...any) { d.out = fmt.Appendf(d.out, format, args...) }

// flush bounds the size of the buffered text.
func (d *dumper) flush() error {
	_, err := d.job.Out.Write(d.out)
	d.out = d.out[:0]
	return err
}

func (d *dumper) print() error {
	if d.Validate { // printed alone, even if other parts are selected
		d.printf("File %s is a valid trace-cmd file\n", d.job.Path)
		return d.flush()
	}
	var err error
	if d.sections, err = d.rec.Sections(); err != nil {
		d.damage(err)
	}
	d.head()
	if d.info.Version == 6 {
		return d.version6()
	}
	return d.version7()
}

func (d *dumper) head() {
	if !d.Summary {
		return
	}
	order := "Little"
	big := d.order.Uint16([]byte{0, 1}) == 1
	n := 0
	if big {
		order, n = "Big", 1
	}
	d.printf("\n Tracing meta data in file %s:\n", d.job.Path)
	d.printf("\t[Initial format]\n\t\t%d\t[Version]\n\t\t%d\t[%s endian]\n", d.info.Version, n, order)
	d.printf("\t\t%d\t[Bytes in a long]\n\t\t%d\t[Page size, bytes]\n", d.info.RecorderWord, d.info.FilePageSize)
	if d.info.Version == 7 {
		d.printf("\t\t%s\t[Compression algorithm]\n\t\t%s\t[Compression version]\n", d.info.Compression,
			d.info.CompressionVersion)
	}
}

// version6 prints the parts in the order of the file.
func (d *dumper) version6() error {
	for i := range d.sections {
		if err := d.meta(&d.sections[i]); err != nil {
			return err
		}
	}
	if d.Summary {
		d.printf("\t%d [CPUs with tracing data]\n", d.info.CPUs)
	}
	for i := range d.info.Options {
		d.option(&d.info.Options[i])
	}
	if d.Summary || d.Options.Options {
		d.printf("\t[%d options]\n", len(d.info.Options))
	}
	buffers := d.rec.Buffers()
	if len(buffers) == 0 {
		return d.flush()
	}
	top := buffers[0]
	switch {
	case top.Text() != nil:
		if d.Summary || d.Flyrecord {
			d.printf("\t[Latency tracing data]\n")
		}
		return d.flush()
	case d.Flyrecord || d.Summary:
		d.printf("\t[Flyrecord tracing data]\n")
	}
	if d.Flyrecord {
		for _, c := range top.CPUs {
			d.printf("\t %10d %10d\t[offset, size of cpu %d]\n", c.Offset, c.Size, c.ID)
		}
	}
	if d.Summary || d.Clock {
		clock := d.info.ClockText
		if clock == "" {
			clock = " No tracing clock saved in the file"
		}
		d.printf("\t[Tracing clock]\n\t\t%s\n", clock)
	}
	return d.flush()
}

// version7 follows the options, then prints the sections of metadata in trace-cmd's order.
func (d *dumper) version7() error {
	if d.Strings {
		d.strings()
	}
	if d.Layout {
		d.layout()
	}
	d.optionSections()
	for _, id := range []uint16{
		ftrace.OptionCmdlines, ftrace.OptionPrintk, ftrace.OptionKallsyms, ftrace.OptionEventFormats,
		ftrace.OptionFtraceEvents, ftrace.OptionHeaderInfo,
	} {
		i := slices.IndexFunc(d.sections, func(s ftrace.Section) bool { return s.ID == id })
		if i < 0 {
			continue
		}
		if err := d.meta(&d.sections[i]); err != nil {
			return err
		}
	}
	if d.Summary || d.Layout {
		d.printf("\t[%d sections]\n", len(d.sections))
	}
	return d.flush()
}

// strings prints the table with the descriptions of the sections.
func (d *dumper) strings() {
	d.printf("\t[String @ offset]\n")
	at := 0
	for i := range d.sections {
		if d.sections[i].ID != ftrace.OptionStrings {
			continue
		}
		data, err := d.rec.SectionData(&d.sections[i])
		if err != nil {
			d.damage(err)
		}
		for len(data) > 0 {
			text := untilNUL(data)
			d.printf("\t\t\"%s\" @ %d\n", text, at)
			n := min(len(data), len(text)+1)
			data, at = data[n:], at+n
		}
	}
}

// layout lists the sections in the order of the file.
func (d *dumper) layout() {
	for i := range d.sections {
		s := &d.sections[i]
		d.printf("\t[Section %2d @ %-16d\t\"%s\", flags 0x%X, ", s.ID, s.Offset, s.Name, s.Flags)
		switch chunked := s.ID == ftrace.OptionBuffer || s.ID == ftrace.OptionBufferText; {
		case s.Compressed() && chunked:
			d.printf("%d compressed bytes]\n", s.Size)
		case s.Compressed():
			d.printf("%d compressed, %d uncompressed]\n", s.Size-8, s.Plain) // without the two sizes at the start
		default:
			d.printf("%d bytes]\n", s.Size)
		}
	}
}

// sectionLine prints the line above the details of a section of version 7.
func (d *dumper) sectionLine(s *ftrace.Section) {
	if d.info.Version == 7 {
		d.printf("\t[Section %d @ %d: \"%s\", flags 0x%X, %d bytes]\n", s.ID, s.Offset, s.Name, s.Flags, s.Size)
	}
}

func untilNUL(b []byte) []byte {
	if i := slices.Index(b, 0); i >= 0 {
		return b[:i]
	}
	return b
}

var errShort = errors.New("the section ends too early")
