package dump

import (
	"slices"

	"github.com/tracec/tracec/runtime/ftrace"
)

// optionSections follows the options of version 7, section by section.
func (d *dumper) optionSections() {
	count := 0
	list := d.info.Options
	sections := d.optionOrder()
	for i, s := range sections {
		if d.Options.Options {
			d.sectionLine(s)
		}
		for len(list) > 0 && within(&list[0], s) {
			d.option(&list[0])
			list, count = list[1:], count+1
		}
		next := int64(0)
		if i+1 < len(sections) {
			next = sections[i+1].Offset
		}
		count++
		if !d.Options.Options {
			continue
		}
		d.printf("\t\t[Option DONE, 8 bytes]\n%d\n", next)
		if next != 0 {
			d.printf("\n\n")
		}
	}
	if d.Summary || d.Options.Options {
		d.printf("\t[%d options]\n", count)
	}
}

// optionOrder returns the sections of options in the order of the options that refer to them.
func (d *dumper) optionOrder() []*ftrace.Section {
	var list []*ftrace.Section
	for i := range d.info.Options {
		o := &d.info.Options[i]
		if len(list) > 0 && within(o, list[len(list)-1]) {
			continue
		}
		at := slices.IndexFunc(d.sections, func(s ftrace.Section) bool {
			return s.ID == ftrace.OptionDone &&
				within(o, &s)
		})
		if at >= 0 {
			list = append(list, &d.sections[at])
		}
	}
	return list
}

// within reports whether an option is in a section. Options of compressed sections have the offset
// of the section.
func within(o *ftrace.Option, s *ftrace.Section) bool {
	return o.Offset >= s.Offset && o.Offset < s.Offset+16+s.Size
}

// The names of the options that trace-cmd shows as text, and of the options that refer to sections.
var (
	textOptions = map[uint16]string{
		ftrace.OptionDate: "DATE", ftrace.OptionCPUStat: "CPUSTAT", ftrace.OptionUname: "UNAME",
		ftrace.OptionHook:   "HOOK",
		ftrace.OptionOffset: "OFFSET", ftrace.OptionVersion: "VERSION", ftrace.OptionProcMaps: "PROCMAPS",
	}
	placeOptions = map[uint16]string{
		ftrace.OptionHeaderInfo: "HEADERS", ftrace.OptionFtraceEvents: "FTRACE EVENTS",
		ftrace.OptionEventFormats: "EVENT FORMATS", ftrace.OptionKallsyms: "KALLSYMS", ftrace.OptionPrintk: "PRINTK",
		ftrace.OptionCmdlines: "CMDLINES",
	}
)

// option prints one option.
func (d *dumper) option(o *ftrace.Option) {
	switch o.ID {
	case ftrace.OptionBuffer, ftrace.OptionBufferText:
		d.buffer(o)
		return
	case ftrace.OptionTraceClock:
		if d.Options.Options {
			d.printf("\t\t[Option TRACECLOCK, %d bytes]\n", len(o.Payload))
		}
		if d.Options.Options || d.Clock {
			d.printf("%s\n", untilNUL(o.Payload))
		}
		return
	}
	if !d.Options.Options {
		return
	}
	r := &reader{d: d, s: &ftrace.Section{ID: o.ID, Offset: o.Offset}, data: o.Payload}
	size := len(o.Payload)
	switch o.ID {
	case ftrace.OptionTraceID:
		d.printf("\t\t[Option TRACEID, %d bytes]\n0x%X\n", size, r.u64())
	case ftrace.OptionCPUCount:
		d.printf("\t\t[Option CPUCOUNT, %d bytes]\n%d\n", size, r.u32())
	case ftrace.OptionTSC2NSEC:
		d.printf("\t\t[Option TSC2NSEC, %d bytes]\n%d %d %d [multiplier, shift, offset]\n", size, r.u32(), r.u32(),
			r.u64())
	case ftrace.OptionGuest:
		r.guest(size)
	case ftrace.OptionTimeShift:
		r.timeShift(size)
	default:
		if name, ok := textOptions[o.ID]; ok {
			d.printf("\t\t[Option %s, %d bytes]\n%s\n", name, size, untilNUL(o.Payload))
		} else if name, ok := placeOptions[o.ID]; ok {
			d.printf("\t\t[Option %s, %d bytes] @ %d\n", name, size, r.u64())
		} else {
			d.printf(" %d %d\t[Unknown option, size - skipping]\n", o.ID, size)
		}
	}
}

func (r *reader) guest(size int) {
	d := r.d
	d.printf("\t\t[Option GUEST, %d bytes]\n%s [Guest name]\n", size, r.name())
	d.printf("0x%X [trace id]\n", r.u64())
	n := r.u32()
	d.printf("%d [Guest CPUs]\n", n)
	for i := uint32(0); i < n && !r.bad; i++ {
		d.printf("  %d %d [guest cpu, host pid]\n", int32(r.u32()), int32(r.u32()))
	}
}

// timeShift prints the samples after reading all of them, since they are stored in columns.
func (r *reader) timeShift(size int) {
	d := r.d
	d.printf("\t\t[Option TimeShift, %d bytes]\n0x%X [peer's trace id]\n0x%X [peer's protocol flags]\n", size, r.u64(),
		r.u32())
	d.printf("0x%X [peer's CPU count]\n", r.u32())
	t := d.info.TimeShift
	if t == nil { // damaged, which was reported
		return
	}
	for cpu, samples := range t.CPUs {
		d.printf("%d [samples count for CPU %d]\n", len(samples), cpu)
		for _, s := range samples {
			d.printf("\t%d %d %d %d[offset * scaling >> fraction @ time]\n", s.Offset, s.Scaling, s.Fraction, s.Time)
		}
	}
}

// buffer prints an option that refers to a buffer. In version 6 it has only the offset and the
// name.
func (d *dumper) buffer(o *ftrace.Option) {
	r := &reader{d: d, s: &ftrace.Section{ID: o.ID, Offset: o.Offset}, data: o.Payload}
	offset, name := r.u64(), r.name()
	show := d.Options.Options || d.Flyrecord
	if d.info.Version == 7 && d.Flyrecord {
		if i := slices.IndexFunc(d.sections, func(s ftrace.Section) bool { return s.Offset == int64(offset) }); i >= 0 {
			d.sectionLine(&d.sections[i])
		}
	}
	if show {
		d.printf("\t\t[Option BUFFER, %d bytes]\n%d [offset]\n\"%s\" [name]\n", len(o.Payload), offset, name)
	}
	if d.info.Version == 6 {
		return
	}
	clock := r.name()
	if show {
		d.printf("\"%s\" [clock]\n", clock)
	}
	if o.ID == ftrace.OptionBufferText {
		if d.Summary {
			d.printf("\t[buffer \"%s\", \"%s\" clock, latency data]\n", name, clock)
		}
		return
	}
	d.bufferCPUs(r, name, clock, show)
}

func (d *dumper) bufferCPUs(r *reader, name, clock []byte, show bool) {
	page, cpus := r.u32(), r.u32()
	if show {
		d.printf("%d [Page size, bytes]\n%d [CPUs]:\n", page, cpus)
	}
	total := uint64(0)
	for i := uint32(0); i < cpus && !r.bad; i++ {
		id, offset, size := r.u32(), r.u64(), r.u64()
		total += size
		if show {
			d.printf("   %d %d\t%d\t[id, data offset and size]\n", id, offset, size)
		}
	}
	if d.Summary {
		d.printf("\t[buffer \"%s\", \"%s\" clock, %d page size, %d cpus, %d bytes flyrecord data]\n", name, clock, page,
			cpus, total)
	}
}
