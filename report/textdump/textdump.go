// Package textdump prints LTTng traces as the textDump module of LTTV did: one line per event, with
// the process that was running.
//
// [Print] prints the trace of a job, [Run] an open trace. [Options.Plain] omits the columns of the
// process.
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
	// Plain prints only events: without the columns of the process and without the lines at the
	// start and the end.
	Plain bool
	// Name replaces the path of the trace. If empty, the path that opened the trace is printed.
	// LTTV printed the absolute path.
	Name   string
	Filter Filter
	// Workers is the number of goroutines that print lines, in addition to the reader. 0 means the
	// number of processors that Go uses. With 1, the reader also prints. Lines do not depend on
	// Workers.
	Workers int
	// Style has the colours of names. The zero value has no colours.
	Style style.Style
	// Nothing is called if no event passed a valid filter. It may be nil.
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
	defer d.in.merged.Close()
	if !o.Plain {
		d.buf = fmt.Appendf(d.buf, "Trace set contains %d traces\n\n", len(rec.Traces()))
	}
	if workers := (&record.Options{Workers: o.Workers}).Parallel(); workers > 1 && o.Filter.Choice.Limit <= 0 {
		err = d.inParallel(workers)
	} else {
		err = d.inTurn(math.MaxInt64)
	}
	if err != nil {
		return errors.Join(append(d.in.failed, err)...)
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
	return errors.Join(d.in.failed...)
}

// choice returns the options that limit reading. Running processes depend on earlier events of all
// processors, which may give a process its name and its parent. Without the columns of the process
// and a selection by process, such events are not read.
func (d *dumper) choice(o *Options, rec *lttng.Recording) record.Options {
	r := record.Options{Until: d.wanted.records.Until}
	if o.Plain && d.wanted.all && !d.wanted.asksProcess() {
		r = d.wanted.records
	}
	if d.wanted.ids == nil || rec.Live() != nil { // a growing trace may get new markers
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

// A dumper reads a recording and keeps state from earlier events.
type dumper struct {
	ctx    context.Context
	out    io.Writer
	plain  bool
	style  style.Style
	in     reader
	trace  contents
	wanted *wanted
	shown  int64 // number of printed events
	most   int64 // maximum of shown; 0 means unlimited

	buf     []byte // text that has not been written
	line    line
	printer *printer
	spread  spread
}

// reader reads the events of a recording in the order of time.
type reader struct {
	merged  *record.Merger[lttng.Entry]
	records []record.Record // the rest of the current run
	entries []lttng.Entry
	failed  []error // errors of files: reading continues with the others
	ended   bool
}

// contents holds the names of markers, traces and files for lines.
type contents struct {
	rec     *lttng.Recording
	path    string
	names   []string // such as `kernel.irq_entry: `, by Marker.Index
	files   []place  // by position in Files
	parts   []*part
	streams []int32 // by stream: the position of its file
	follows bool    // the recording grows
	late    *lttng.Stream
}

// addMarkers names the markers that have no name yet, and returns them.
func (c *contents) addMarkers(paint style.Style) []*lttng.Marker {
	added := c.rec.Markers()[len(c.names):]
	for _, m := range added {
		c.names = append(c.names, paint.Paint(style.Event, title(m))+": ")
	}
	return added
}

// renew prepares for files and markers that have joined a growing recording. It returns the
// position of the file of a record.
func (d *dumper) renew(r *record.Record, m *lttng.Marker, at int32) int32 {
	if int(r.Stream) == len(d.trace.streams)-1 {
		at = int32(d.trace.late.File().Index())
	}
	if m != nil && int(m.Index) >= len(d.trace.names) {
		for _, m := range d.trace.addMarkers(d.style) {
			d.wanted.addMarker(m)
		}
		d.printer.names = d.trace.names
	}
	if files := d.trace.rec.Files(); int(at) >= len(d.trace.files) {
		for _, f := range files[len(d.trace.files):] {
			p, dir := d.trace.parts[slices.Index(d.trace.rec.Traces(), f.Trace())], d.trace.path
			if f.Trace().Path() != "." {
				dir += "/" + f.Trace().Path()
			}
			d.trace.files = append(d.trace.files, place{p, " (" + d.place(dir, f, len(d.trace.parts) > 1) + ")"})
			d.wanted.addFile(f)
		}
		d.printer.files = d.trace.files
	}
	return at
}

// place is the text for a file.
type place struct {
	part *part
	text string // such as ` (trace/kernel_0)`
}

// part is a trace of the recording. A set has thousands, and many may have no selected event.
type part struct {
	index int
	trace *lttng.Trace
	upper bool           // print function addresses in upper case, for readers of 1.0 and earlier
	state *process.State // nil before its first event
}

func newDumper(ctx context.Context, rec *lttng.Recording, o Options, w io.Writer) (*dumper, error) {
	wanted, err := o.Filter.prepare(rec)
	if err != nil {
		return nil, err
	}
	d := &dumper{ctx: ctx, out: w, plain: o.Plain, style: o.Style, wanted: wanted, most: o.Filter.Choice.Limit}
	d.trace.rec = rec
	d.trace.addMarkers(d.style)
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
		d.trace.parts = append(d.trace.parts, p)
		for _, f := range tr.Files() {
			d.trace.files = append(d.trace.files, place{p, " (" + d.place(dir, f, len(rec.Traces()) > 1) + ")"})
		}
	}
	d.printer = d.newPrinter()
	streams := rec.Streams(d.choice(&o, rec))
	for _, s := range streams {
		d.trace.streams = append(d.trace.streams, int32(s.File().Index()))
	}
	if d.trace.follows = rec.Live() != nil; d.trace.follows {
		d.trace.late, d.trace.path = streams[len(streams)-1], name
	}
	d.in.merged = lttng.MergeStreams(streams)
	return d, nil
}

// place returns the text for a file. Plain texts have a path only for the trace of a set.
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

// next ensures that there is an event. It returns false after the last one. It collects errors of
// files, and returns the error of the context.
func (d *dumper) next() (bool, error) {
	for len(d.in.records) == 0 {
		if err := d.ctx.Err(); err != nil || d.in.ended {
			return false, err
		}
		if len(d.buf) > 0 && !d.in.merged.Ready() { // write the text before waiting for more events
			if err := d.flush(); err != nil {
				return false, err
			}
		}
		var err error
		d.in.records, d.in.entries, err = d.in.merged.NextRun()
		if d.in.ended = errors.Is(err, io.EOF); err != nil && !d.in.ended {
			d.in.failed = append(d.in.failed, err)
		}
	}
	return true, nil
}

// inTurn prints the next n events, or all if there are fewer.
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

// event takes the next event and makes its line if it is selected. Unselected events also update
// the state.
func (d *dumper) event(l *line) bool {
	r, e := &d.in.records[0], &d.in.entries[0]
	d.in.records, d.in.entries = d.in.records[1:], d.in.entries[1:]
	at := d.trace.streams[r.Stream]
	if d.trace.follows {
		at = d.renew(r, e.Marker, at)
	}
	t := d.trace.files[at].part
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
