// Package textdump prints LTTng traces as LTTV's module textDump did: one line an event, with the process that ran.
package textdump

import (
	"context"
	"errors"
	"io"
	"strconv"

	"github.com/tracec/tracec/cmd/internal/report/textdump/fields"
	"github.com/tracec/tracec/cmd/internal/report/textdump/state"
	"github.com/tracec/tracec/runtime/lttng"
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

// Run prints a trace. Errors are those of w and of files that cannot be read; damage within files is told by the recording.
func Run(ctx context.Context, rec *lttng.Recording, o Options, w io.Writer) error {
	d, err := newDumper(rec, o)
	if err != nil {
		return err
	}
	if !o.Plain {
		d.buf = append(d.buf, "Trace set contains 1 traces\n\n"...)
	}
	m := rec.Merge()
	defer m.Close()
	var errs []error
	for {
		if err := ctx.Err(); err != nil {
			return errors.Join(append(errs, err)...)
		}
		run, entries, err := m.NextRun()
		for i := range run {
			d.event(&run[i], &entries[i])
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

// dumper prints events.
type dumper struct {
	plain   bool
	upper   bool // the function in upper-case digits: readers of 1.0 and before
	buf     []byte
	state   *state.State
	fields  *fields.Printer
	markers []string // `kernel.irq_entry: ` by Marker.Index
	files   []string // ` (trace/kernel_0)` by place in Files
	wanted  *wanted
	shown   int64 // events
}

func newDumper(rec *lttng.Recording, o Options) (*dumper, error) {
	wanted, err := o.Filter.prepare(rec)
	if err != nil {
		return nil, err
	}
	info := rec.Info()
	d := &dumper{plain: o.Plain, upper: info.Dialect < lttng.V20 || info.Dialect == lttng.Seed, wanted: wanted}
	var hooks render.Hooks
	if d.state = state.New(rec); !o.Plain {
		hooks = &d.state.Names
	}
	d.fields = fields.New(rec, hooks)
	for _, m := range rec.Markers() {
		d.markers = append(d.markers, title(m)+": ")
	}
	name := o.Name
	if name == "" {
		name = rec.Name()
	}
	for _, f := range rec.Files() {
		place := f.Channel + "_" + strconv.Itoa(f.CPU)
		switch {
		case d.plain:
		case place[0] == '/': // up to 2.2 (lttng.md 3.5)
			place = name + place
		default:
			place = name + "/" + place
		}
		d.files = append(d.files, " ("+place+")")
	}
	return d, nil
}

// title is the name of an event as its line begins (lttng.md 8.1).
func title(m *lttng.Marker) string {
	if m.Channel == "" {
		return m.Name
	}
	return m.Channel + "." + m.Name
}

// event prints one line, if it is wanted. The state heeds all events.
func (d *dumper) event(r *record.Record, e *lttng.Entry) {
	d.state.Apply(r, e.Marker)
	if !d.wanted.has(r, e.Marker) {
		return
	}
	p := d.state.Running(r.CPU)
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
	dst = appendTime(dst, r.Time)
	dst = append(dst, d.files[r.Stream]...)
	if !d.plain {
		dst = d.columns(dst, p)
	}
	dst = d.fields.Append(dst, e.Marker, r.Data)
	d.buf = append(dst, '\n')
}

// columns are pid, tgid, name, brand, ppid, function and mode.
func (d *dumper) columns(dst []byte, p *state.Process) []byte {
	dst = strconv.AppendInt(append(dst, ", "...), int64(p.PID), 10)
	dst = strconv.AppendInt(append(dst, ", "...), int64(p.TGID), 10)
	dst = append(append(dst, ", "...), p.Name...)
	dst = append(append(dst, ", "...), p.Brand...)
	dst = strconv.AppendInt(append(dst, ", "...), int64(p.PPID), 10)
	dst = append(dst, ", 0x"...)
	at := len(dst)
	dst = strconv.AppendUint(dst, p.Function(), 16)
	if d.upper {
		for i, c := range dst[at:] {
			if c >= 'a' {
				dst[at+i] = c - 'a' + 'A'
			}
		}
	}
	return append(append(dst, ", "...), p.Mode().String()...)
}

// appendTime appends seconds and nine digits.
func appendTime(dst []byte, ns uint64) []byte {
	dst = strconv.AppendUint(dst, ns/1e9, 10)
	dst = append(dst, ".000000000"...)
	for i, v := len(dst)-1, ns%1e9; v > 0; i, v = i-1, v/10 {
		dst[i] = byte('0' + v%10)
	}
	return dst
}
