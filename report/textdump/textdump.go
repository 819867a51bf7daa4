// Package textdump prints LTTng traces as LTTV's module textDump did: one line an event, with the process that ran.
package textdump

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/tracec/tracec/compiler/programs"
	"github.com/tracec/tracec/runtime/lttng"
	"github.com/tracec/tracec/runtime/lttng/process"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
)

// Options choose what is printed and how. The zero value prints what LTTV printed.
type Options struct {
	// Plain prints events alone: without the columns of the process and without the lines at the start and the end.
	Plain bool
	// Name is what stands for the path of the trace; empty is the path that it was opened by. LTTV printed the absolute one.
	Name   string
	Filter Filter
	// Nothing is called when the filter, as on a command line, was possible and no event passed it; may be nil.
	Nothing func(filter string)
}

// flushAt is how much text is collected before it is written.
const flushAt = 64 << 10

// Run prints a recording: a trace, or a set of traces in the order of time, each with processes of its own. Errors are those
// of w and of files that cannot be read; damage within files is reported by the recording.
func Run(ctx context.Context, rec *lttng.Recording, o Options, w io.Writer) error {
	d, err := newDumper(rec, o)
	if err != nil {
		return err
	}
	if !o.Plain {
		d.buf = fmt.Appendf(d.buf, "Trace set contains %d traces\n\n", len(rec.Traces()))
	}
	streams := rec.Streams(d.records(&o))
	for _, s := range streams {
		d.streams = append(d.streams, int32(s.File().Index()))
	}
	m := lttng.MergeStreams(streams)
	defer m.Close()
	var errs []error
	for {
		if err := ctx.Err(); err != nil {
			return errors.Join(append(errs, err)...)
		}
		records, entries, err := m.NextRun()
		for i := range records {
			d.event(&records[i], &entries[i])
		}
		if len(d.buf) >= flushAt {
			if _, err := w.Write(d.buf); err != nil {
				return err
			}
			d.buf = d.buf[:0]
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil { // of one file: the others go on
			errs = append(errs, err)
		}
	}
	if !o.Plain {
		d.buf = append(d.buf, "End trace set\n\n"...)
	}
	if _, err := w.Write(d.buf); err != nil {
		return err
	}
	if chosen := o.Filter.chosen(); d.shown == 0 && chosen != "" && o.Nothing != nil {
		o.Nothing(chosen)
	}
	return errors.Join(errs...)
}

// records returns what need not be read. The processes that run follow from all events before one, of all processors: they may give a process its
// name and its parent. Without the columns of the process, and when events of all processes are wanted, nothing needs them.
func (d *dumper) records(o *Options) record.Options {
	r := record.Options{Until: d.wanted.records.Until}
	if o.Plain && d.wanted.all {
		r = d.wanted.records
	}
	return r
}

// dumper prints events.
type dumper struct {
	plain   bool
	buf     []byte
	markers []string // `kernel.irq_entry: ` by Marker.Index
	fields  *programs.Markers
	files   []place // by the position in Files
	streams []int32 // the position of the file of each stream
	wanted  *wanted
	shown   int64 // events
}

// place is a file.
type place struct {
	part *part
	text string // ` (trace/kernel_0)`
}

// part is a trace of the recording. A set has thousands, of which many may have no event that is wanted.
type part struct {
	trace  *lttng.Trace
	upper  bool // the function in upper-case digits: readers of 1.0 and before
	state  *process.State
	fields *programs.Printer
}

func (p *part) begin(plain bool) {
	info := p.trace.Info()
	p.upper = info.Dialect < lttng.V20 || info.Dialect == lttng.Seed
	var hooks render.Hooks
	if p.state = process.New(p.trace); !plain {
		hooks = &p.state.Names
	}
	p.fields = programs.MarkerPrinter(p.trace, hooks)
}

func newDumper(rec *lttng.Recording, o Options) (*dumper, error) {
	wanted, err := o.Filter.prepare(rec)
	if err != nil {
		return nil, err
	}
	d := &dumper{plain: o.Plain, wanted: wanted, fields: markers(o.Plain)}
	for _, m := range rec.Markers() {
		d.markers = append(d.markers, title(m)+": ")
	}
	name := o.Name
	if name == "" {
		name = rec.Name()
	}
	for _, tr := range rec.Traces() {
		p, dir := &part{trace: tr}, name
		if tr.Path() != "." {
			dir += "/" + tr.Path()
		}
		for _, f := range tr.Files() {
			d.files = append(d.files, place{p, " (" + d.place(dir, f, len(rec.Traces()) > 1) + ")"})
		}
	}
	return d, nil
}

// place returns how lines name a file. Plain ones have no path, but for the trace of a set.
func (d *dumper) place(dir string, f *lttng.File, set bool) string {
	name := f.Channel + "_" + strconv.Itoa(f.CPU)
	if d.plain {
		if dir = f.Trace().Path(); !set || dir == "." {
			return name
		}
	}
	if name[0] == '/' { // up to 2.2 (lttng.md 3.5)
		return dir + name
	}
	return dir + "/" + name
}

// title returns the name of an event as its line begins (lttng.md 8.1).
func title(m *lttng.Marker) string {
	if m.Channel == "" {
		return m.Name
	}
	return m.Channel + "." + m.Name
}

// event prints one line, if it is wanted. The state heeds all events.
func (d *dumper) event(r *record.Record, e *lttng.Entry) {
	at := d.streams[r.Stream]
	file := &d.files[at]
	t := file.part
	if t.state == nil {
		t.begin(d.plain)
	}
	t.state.Apply(r, e.Marker)
	if !d.wanted.files[at] || !d.wanted.has(r, e.Marker) {
		return
	}
	p := t.state.Running(r.CPU)
	if !d.wanted.hasProcess(p) {
		return
	}
	d.shown++
	dst := d.buf
	if e.Marker != nil {
		dst = append(dst, d.markers[e.Marker.Index]...)
	} else {
		dst = append(dst, "unknown: "...)
	}
	dst = render.Fixed(dst, r.Time, 9)
	dst = append(dst, file.text...)
	if !d.plain {
		dst = columns(dst, p, t.upper)
	}
	dst = d.fields.Append(dst, t.fields, e.Marker, r.Data)
	d.buf = append(dst, '\n')
}

// columns are pid, tgid, name, brand, ppid, function and mode.
func columns(dst []byte, p *process.Process, upper bool) []byte {
	dst = strconv.AppendInt(append(dst, ", "...), int64(p.PID), 10)
	dst = strconv.AppendInt(append(dst, ", "...), int64(p.TGID), 10)
	dst = append(append(dst, ", "...), p.Name...)
	dst = append(append(dst, ", "...), p.Brand...)
	dst = strconv.AppendInt(append(dst, ", "...), int64(p.PPID), 10)
	dst = append(dst, ", 0x"...)
	at := len(dst)
	dst = strconv.AppendUint(dst, p.Function(), 16)
	if upper {
		for i, c := range dst[at:] {
			if c >= 'a' {
				dst[at+i] = c - 'a' + 'A'
			}
		}
	}
	return append(append(dst, ", "...), p.Mode().String()...)
}
