// Package textdump prints LTTng traces as the textDump module of LTTV did: one
// line per event, with the process that was running.
//
// [Print] prints a trace that a job names, [Run] one that is open.
// [Options.Plain] omits the columns of the process.
package textdump

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/tracec/tracec/report/style"
	"github.com/tracec/tracec/runtime/lttng"
	"github.com/tracec/tracec/runtime/lttng/process"
	"github.com/tracec/tracec/runtime/record"
)

// Options select the contents and form of the text. The zero value prints LTTV's text.
type Options struct {
	// Plain prints events alone: without the columns of the process and without the lines at the
	// start and the end.
	Plain bool
	// Name replaces the path of the trace. If empty, the path is the one that opened it. LTTV
	// printed the absolute path.
	Name   string
	Filter Filter
	// Workers is the number of goroutines that print lines, in addition to the reader. 0 is the
	// number of processors that Go uses. With 1 there is only the reader. Lines do not depend on
	// it.
	Workers int
	// Style has the colours of names. The zero value has no colours.
	Style style.Style
	// Nothing is called when the filter was possible and no event passed it; may be nil.
	Nothing func()
}

// flushAt is the size of the text that is buffered before writing.
const flushAt = 64 << 10

// Run prints a recording: a trace, or a set of traces in the order of time, each with its own
// processes. Errors come from w and from unreadable files. The recording reports damage within
// files.
func Run(ctx context.Context, rec *lttng.Recording, o Options, w io.Writer) error {
	d, err := newDumper(ctx, rec, o, w)
	if err != nil {
		return err
	}
	defer d.merged.Close()
	if !o.Plain {
		d.buf = fmt.Appendf(d.buf, "Trace set contains %d traces\n\n", len(rec.Traces()))
	}
	if workers := (&record.Options{Workers: o.Workers}).Parallel(); workers > 1 && o.Filter.Choice.Limit <= 0 {
		err = d.inParallel(workers)
	} else {
		err = d.inTurn(math.MaxInt64)
	}
	if err != nil {
		return errors.Join(append(d.failed, err)...)
	}
	if !o.Plain {
		d.buf = append(d.buf, "End trace set\n\n"...)
	}
	if err := d.flush(); err != nil {
		return err
	}
	if chosen := o.Filter.chosen(); d.shown == 0 && chosen != "" && o.Nothing != nil {
		o.Nothing()
	}
	return errors.Join(d.failed...)
}

// choice returns the options that limit reading. Running processes depend on earlier events of all
// processors, which may give a process its name and its parent. Without the columns of the process
// and a selection by process, such events are not read.
func (d *dumper) choice(o *Options, rec *lttng.Recording) record.Options {
	r := record.Options{Until: d.wanted.records.Until}
	if o.Plain && d.wanted.all && !d.wanted.asksProcess() {
		r = d.wanted.records
	}
	if d.wanted.ids == nil || rec.Live() != nil { // a followed trace may get new markers
		return r
	}
	switch {
	case !o.Plain:
		r.IDs = process.Kinds(d.wanted.ids, rec)
	case !d.wanted.all || d.wanted.asksProcess():
		r.IDs = process.RunningKinds(d.wanted.ids, rec)
	default:
		r.IDs = d.wanted.ids
	}
	return r
}

// A dumper walks a recording and has the state from earlier events.
type dumper struct {
	ctx     context.Context
	out     io.Writer
	plain   bool
	merged  *record.Merger[lttng.Entry]
	records []record.Record // of the run that is being printed
	entries []lttng.Entry
	failed  []error // of files: the others go on
	ended   bool

	names   []string // `kernel.irq_entry: ` by Marker.Index
	files   []place  // by the position in Files
	parts   []*part
	streams []int32 // the position of the file of each stream
	follows bool    // the recording grows
	late    *lttng.Stream
	rec     *lttng.Recording
	path    string
	wanted  *wanted
	shown   int64 // events
	most    int64 // of them, 0 for all

	style   style.Style
	buf     []byte // lines that have not been written
	line    line
	printer *printer
	spread  spread
}

// renew prepares for files and markers that have joined a recording that is followed. It returns
// the position of the file of a record.
func (d *dumper) renew(r *record.Record, m *lttng.Marker, at int32) int32 {
	if int(r.Stream) == len(d.streams)-1 {
		at = int32(d.late.File().Index())
	}
	if markers := d.rec.Markers(); m != nil && int(m.Index) >= len(d.names) {
		for _, m := range markers[len(d.names):] {
			d.names = append(d.names, d.style.Paint(style.Event, title(m))+": ")
			d.wanted.addMarker(m)
		}
		d.printer.names = d.names
	}
	if files := d.rec.Files(); int(at) >= len(d.files) {
		for _, f := range files[len(d.files):] {
			p, dir := d.parts[slices.Index(d.rec.Traces(), f.Trace())], d.path
			if f.Trace().Path() != "." {
				dir += "/" + f.Trace().Path()
			}
			d.files = append(d.files, place{p, " (" + d.place(dir, f, len(d.parts) > 1) + ")"})
			d.wanted.addFile(f)
		}
		d.printer.files = d.files
	}
	return at
}

// place is a file.
type place struct {
	part *part
	text string // ` (trace/kernel_0)`
}

// part is a trace of the recording. A set has thousands, and many may have no selected event.
type part struct {
	index int
	trace *lttng.Trace
	upper bool           // the function in upper-case digits: readers of 1.0 and before
	state *process.State // nil before its first event
}

func newDumper(ctx context.Context, rec *lttng.Recording, o Options, w io.Writer) (*dumper, error) {
	wanted, err := o.Filter.prepare(rec)
	if err != nil {
		return nil, err
	}
	d := &dumper{ctx: ctx, out: w, rec: rec, plain: o.Plain, wanted: wanted, style: o.Style, most: o.Filter.Choice.Limit}
	for _, m := range rec.Markers() {
		d.names = append(d.names, d.style.Paint(style.Event, title(m))+": ")
	}
	name := o.Name
	if name == "" {
		name = rec.Name()
	}
	for i, tr := range rec.Traces() {
		dialect := tr.Info().Dialect
		p, dir := &part{index: i, trace: tr, upper: dialect < lttng.V20 || dialect == lttng.Seed}, name
		if tr.Path() != "." {
			dir += "/" + tr.Path()
		}
		d.parts = append(d.parts, p)
		for _, f := range tr.Files() {
			d.files = append(d.files, place{p, " (" + d.place(dir, f, len(rec.Traces()) > 1) + ")"})
		}
	}
	d.printer = d.newPrinter()
	streams := rec.Streams(d.choice(&o, rec))
	for _, s := range streams {
		d.streams = append(d.streams, int32(s.File().Index()))
	}
	if d.follows = rec.Live() != nil; d.follows {
		d.late, d.path = streams[len(streams)-1], name
	}
	d.merged = lttng.MergeStreams(streams)
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

// next ensures that there is an event. It returns false after the last one. It keeps errors of
// files, and returns the error of the context.
func (d *dumper) next() (bool, error) {
	for len(d.records) == 0 {
		if err := d.ctx.Err(); err != nil || d.ended {
			return false, err
		}
		if len(d.buf) > 0 && !d.merged.Ready() { // flush the text before waiting for more
			if err := d.flush(); err != nil {
				return false, err
			}
		}
		var err error
		d.records, d.entries, err = d.merged.NextRun()
		if d.ended = errors.Is(err, io.EOF); err != nil && !d.ended {
			d.failed = append(d.failed, err)
		}
	}
	return true, nil
}

// inTurn prints n events, or as many as there are.
func (d *dumper) inTurn(n int64) error {
	for ; n > 0; n-- {
		if ok, err := d.next(); !ok {
			return err
		}
		if d.event(&d.line) {
			d.buf = d.printer.append(d.buf, &d.line)
			if len(d.buf) >= flushAt {
				if err := d.flush(); err != nil {
					return err
				}
			}
			if d.shown == d.most {
				return nil
			}
		}
	}
	return nil
}

func (d *dumper) flush() error {
	if len(d.buf) == 0 {
		return nil
	}
	_, err := d.out.Write(d.buf)
	d.buf = d.buf[:0]
	return err
}

// event takes the next event and makes its line, if it is wanted. The state heeds all events.
func (d *dumper) event(l *line) bool {
	r, e := &d.records[0], &d.entries[0]
	d.records, d.entries = d.records[1:], d.entries[1:]
	at := d.streams[r.Stream]
	if d.follows {
		at = d.renew(r, e.Marker, at)
	}
	t := d.files[at].part
	if t.state == nil {
		t.state = process.New(t.trace)
	}
	t.state.Apply(r, e.Marker)
	if !d.wanted.files[at] || !d.wanted.has(r, e.Marker) {
		return false
	}
	p := t.state.Running(r.CPU)
	if !d.wanted.hasProcess(p) || !d.wanted.passes(r, e, p) {
		return false
	}
	d.shown++
	l.time, l.data, l.marker, l.file, l.names = r.Time, r.Data, e.Marker, at, &t.state.Names
	if !d.plain {
		l.pid, l.tgid, l.ppid, l.name, l.brand = p.PID, p.TGID, p.PPID, p.Name, p.Brand
		l.function, l.mode = p.Function(), p.Mode()
	}
	return true
}
