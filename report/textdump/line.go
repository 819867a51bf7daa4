package textdump

import (
	"strconv"

	"github.com/tracec/tracec/internal/ordered"
	"github.com/tracec/tracec/internal/programs"
	"github.com/tracec/tracec/runtime/lttng"
	"github.com/tracec/tracec/runtime/lttng/process"
	"github.com/tracec/tracec/runtime/render"
)

// line holds the data of an event's line, from the event and from earlier events.
type line struct {
	time   uint64
	data   []byte
	marker *lttng.Marker // nil: no marker describes the event
	file   int32         // its position in Files
	names  *process.Names

	// The columns of the running process.
	pid, tgid, ppid int32
	name, brand     string
	function        uint64
	mode            process.Mode
}

// printer appends lines. It is for one goroutine.
type printer struct {
	_ ordered.Apart

	plain  bool
	names  []string // names of the dumper
	files  []place
	parts  []*partPrinter // by part.index, nil before its first line
	fields *programs.Markers

	_ ordered.Apart
}

// A partPrinter prints the fields of events of one trace.
type partPrinter struct {
	fields *programs.Printer
	names  named
}

// named holds the names for the line that is being printed.
type named struct{ *process.Names }

func (d *dumper) newPrinter() *printer {
	return &printer{
		plain: d.plain, names: d.trace.names, files: d.trace.files,
		parts: make([]*partPrinter, len(d.trace.parts)), fields: markers(d.trace.rec, d.plain),
	}
}

// part returns the partPrinter of a trace.
func (p *printer) part(of *part) *partPrinter {
	t := p.parts[of.index]
	if t == nil {
		t = &partPrinter{}
		var hooks render.Hooks
		if !p.plain {
			hooks = &t.names
		}
		t.fields = programs.MarkerPrinter(of.trace, hooks)
		p.parts[of.index] = t
	}
	return t
}

// append appends a line.
func (p *printer) append(dst []byte, l *line) []byte {
	file := &p.files[l.file]
	t := p.part(file.part)
	t.names.Names = l.names
	if l.marker != nil {
		dst = append(dst, p.names[l.marker.Index]...)
	} else {
		dst = append(dst, "unknown: "...)
	}
	dst = render.Fixed(dst, l.time, 9)
	dst = append(dst, file.text...)
	if !p.plain {
		dst = l.appendColumns(dst, file.part.upper)
	}
	at := len(dst)
	// an event without fields
	if dst = p.fields.Append(append(dst, ' '), t.fields, l.marker, l.data); len(dst) == at+1 {
		dst = dst[:at]
	}
	return append(dst, '\n')
}

// appendColumns appends pid, tgid, name, brand, ppid, function and mode.
func (l *line) appendColumns(dst []byte, upper bool) []byte {
	dst = render.Dec(append(dst, ", "...), int64(l.pid))
	dst = render.Dec(append(dst, ", "...), int64(l.tgid))
	dst = append(append(dst, ", "...), l.name...)
	dst = append(append(dst, ", "...), l.brand...)
	dst = render.Dec(append(dst, ", "...), int64(l.ppid))
	dst = append(dst, ", 0x"...)
	at := len(dst)
	dst = strconv.AppendUint(dst, l.function, 16)
	if upper {
		for i, c := range dst[at:] {
			if c >= 'a' {
				dst[at+i] = c - 'a' + 'A'
			}
		}
	}
	return append(append(dst, ", "...), l.mode.String()...)
}
