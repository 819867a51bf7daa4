package replay

import (
	"cmp"
	"context"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/tracec/tracec/internal/ordered"
	"github.com/tracec/tracec/report/uftrace/color"
	"github.com/tracec/tracec/report/uftrace/internal/line"
	"github.com/tracec/tracec/report/uftrace/values"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// flushAt is the size of the text that is buffered before writing.
const flushAt = 256 << 10

// printer prints the lines of a recording.
type printer struct {
	_      ordered.Apart
	opts   Options
	rec    *uftrace.Recording
	player *callstack.Player
	walker *callstack.Walker // used instead of the player if non-nil

	output
	format
	progress
	tasks []taskLine
	flats flats

	slices []record.Slice[uftrace.Entry] // slices for several goroutines; nil if the player reads all records
	shared shared

	_ ordered.Apart
}

// output buffers the text. Lines are appended to buf, which is written only between two lines. So
// the duration of a call without inner calls can be filled in later.
type output struct {
	w          io.Writer
	buf        []byte
	lineAt     int // position in buf of the columns of the last begin
	durationAt int // position in buf of the current line's duration; -1 without such a column
	// Position in buf of a difference to a record that was not seen. A worker resets it to -1.
	deltaAt int
	leaf    bool // the last line is incomplete: the exit comes next
}

// format is the format of all lines.
type format struct {
	fields []field
	colors *color.Palette
	plain  bool // the columns are duration and thread
	brief  bool // plain, and lines end after the call: short may print them
	names  names
	values *values.Printer
}

// progress is the state after the lines so far.
type progress struct {
	columns  int             // number of columns given to tasks
	previous *callstack.Task // task of the previous line
	first    uint64          // start of elapsed times
	// In a worker, the start of elapsed times before its piece, or math.MaxUint64 if it is unknown.
	since   uint64
	begun   bool  // the header has been printed
	shown   bool  // there was a step to print
	printed int64 // number of lines of events
	damaged error // errors of files that could not be read to their end
	failed  error // write error while the player waits
}

// taskLine is the state of the lines of a thread.
type taskLine struct {
	id     []byte // such as " [   123]"
	plain  []byte // the default columns without a duration
	column int    // column for --column-view; -1 before the first line
	called []byte // text of a callsite event, for the next entry
	chosen []bool // for Options.Match, by depth: whether the open call there was shown
}

// Run prints a recording. Errors of single files are returned together at the end. Everything
// readable is printed.
func Run(ctx context.Context, rec *uftrace.Recording, opts Options, w io.Writer) error {
	fields, err := parseFields(opts.Layout.Fields, opts.Play.Scope.Range)
	if err != nil {
		return err
	}
	opts.Play.Raw, opts.Play.Steps, opts.Play.Deltas = opts.Layout.Flat, opts.steps(), slices.Contains(fields, delta)
	p := &printer{rec: rec, output: output{w: w, buf: make([]byte, 0, flushAt+16<<10)}}
	p.since = math.MaxUint64
	p.format = newFormat(rec, &opts, fields)
	if rec.Follows() {
		opts.Play.Hooks.Idle = p.idle
	}
	if l := &opts.Layout; l.TaskNewline || l.ColumnView {
		opts.Play.Hooks.Dark = p.dark
	}
	p.opts = opts
	switch p.cut(); {
	case p.walks():
		p.walker = callstack.NewSingleWalker(rec, &p.opts.Play)
	case p.slices != nil:
		p.player, err = callstack.NewSource(rec, opts.Play, nil)
	default:
		p.player, err = callstack.New(rec, opts.Play)
	}
	if err != nil {
		return err
	}
	p.flats.time = line.NewClock(line.Nanoseconds, "")
	p.prepareValues()
	p.arrive()
	return p.run(ctx)
}

// newFormat returns the format of lines, without the printer of values: see prepareValues.
func newFormat(rec *uftrace.Recording, o *Options, fields []field) format {
	f := format{fields: fields, colors: o.Layout.Color, names: newNames(rec, o)}
	if f.colors == nil {
		f.colors = &color.Palette{}
	}
	f.plain = len(fields) == 2 && fields[0] == duration && fields[1] == tid && o.Layout.Color == nil
	l := &o.Layout
	f.brief = f.plain && o.Limit == 0 && !l.Flat && o.Match == nil && !o.Text.SrcLine && !l.ColumnView && !l.TaskNewline
	return f
}

// share returns the same format for another goroutine, without the printer of values.
func (f *format) share() format {
	other := *f
	other.names, other.values = f.names.share(), nil
	return other
}

// prepareValues makes the printer of values.
func (p *printer) prepareValues() {
	p.values = values.New(p.rec, values.Replay, p.opts.Style)
	p.values.SetColor(p.opts.Layout.Color)
	if p.opts.Text.Name != nil {
		p.values.SetName(p.names.of)
	}
}

// threads returns the threads of the recording.
func (p *printer) threads() []*callstack.Task {
	if p.walker != nil {
		return p.walker.Tasks()
	}
	return p.player.Tasks()
}

// arrive prepares the lines of new threads.
func (p *printer) arrive() {
	for _, t := range p.threads()[len(p.tasks):] {
		p.tasks = append(p.tasks, p.newTaskLine(t))
	}
}

// idle writes the buffered text before waiting for more records.
func (p *printer) idle() {
	if p.leaf || len(p.buf) == 0 {
		return
	}
	if err := p.flush(); err != nil && p.failed == nil {
		p.failed = err
	}
}

func (p *printer) run(ctx context.Context) error {
	if err := p.all(ctx); err != nil {
		return errors.Join(p.damaged, err)
	}
	if p.opts.Limit == 0 || p.printed < p.opts.Limit {
		p.remaining()
	}
	if p.opts.Shown != nil {
		*p.opts.Shown = p.shown
	}
	return errors.Join(p.damaged, p.flush())
}

// all prints the records. Its error is not about damage.
func (p *printer) all(ctx context.Context) error {
	if p.walker != nil {
		return p.walk(ctx)
	}
	p.missed()
	if p.slices != nil {
		if err := p.flush(); err != nil {
			return err
		}
		if err := p.inParallel(ctx); err != nil {
			return err
		}
	}
	return p.rest(ctx)
}

// rest prints the remaining steps of the player.
func (p *printer) rest(ctx context.Context) error {
	for {
		if err := p.next(); err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		if p.opts.Limit > 0 && p.printed >= p.opts.Limit && !p.leaf {
			return nil
		}
		if len(p.buf) >= flushAt && !p.leaf {
			if err := cmp.Or(p.flush(), ctx.Err()); err != nil {
				return err
			}
		}
	}
}

// next prints the next step. The error is io.EOF after the last one.
func (p *printer) next() error {
	step, err := p.player.Next()
	if !p.begun {
		p.header()
	}
	if err != nil {
		if errors.Is(err, io.EOF) {
			return err
		}
		p.damaged = errors.Join(p.damaged, err)
		return nil
	}
	return p.step(step)
}

// step prints a step.
func (p *printer) step(step *callstack.Step) error {
	if p.brief && p.short(step) {
		return p.failed
	}
	if p.opts.Match != nil && !p.chosen(step) {
		return nil
	}
	p.shown = true
	if p.failed != nil {
		return p.failed
	}
	if step.Task.Index >= len(p.tasks) {
		p.arrive()
	}
	p.first = p.player.First()
	switch {
	case p.opts.Layout.Flat:
		p.flat(step)
		return nil
	case step.Inverted:
		p.inverted(step)
	}
	p.show(step)
	return nil
}

func (o *output) flush() error {
	_, err := o.w.Write(o.buf)
	o.buf = o.buf[:0]
	return err
}

// show prints one step.
func (p *printer) show(s *callstack.Step) {
	switch s.Entry.Kind {
	case uftrace.Enter:
		p.enter(s)
	case uftrace.Leave:
		p.leave(s)
	case uftrace.Lost:
		p.lost(s)
	default:
		p.event(s)
	}
}

// inverted reports that the step is earlier than a printed one.
func (p *printer) inverted(s *callstack.Step) {
	depth := s.Depth
	if s.Entry.Kind == uftrace.Leave {
		depth++
	}
	p.blankColumns()
	p.red(2*depth+3, "/* inverted time: broken data? */\n")
}

// enter prints a call. The line of a leaf remains incomplete until leave.
func (p *printer) enter(s *callstack.Step) {
	if s.Backtrace {
		p.backtrace(s)
	}
	p.begin(s, 0)
	buf := appendBlanks(p.buf, 2*p.indent(s.Task, s.Depth))
	payload := s.Entry.More && !p.opts.Text.NoArgs
	name := p.names.call(s.Entry, s.Entry.More)
	if s.Color != callstack.ColorNone {
		buf = p.colored(buf, s.Color, name)
	} else {
		buf = append(buf, name...)
	}
	if s.Entry.More && !payload {
		buf = append(buf, "()"...)
	}
	if payload {
		buf = append(buf, '(')
		buf = p.values.AppendArgs(buf, p.session(s), s.Record.Time, s.Entry.Sym, s.Record.Data)
		buf = append(buf, ')')
	}
	if p.leaf = !s.Open && !p.opts.Layout.NoMerge; p.leaf {
		p.buf = buf
		if s.End != nil {
			end := *s
			end.Record, end.Entry = s.End, s.EndEntry
			p.leave(&end)
		}
		return
	}
	buf = append(buf, " {"...)
	p.buf = p.source(buf, s)
	p.buf = append(p.buf, '\n')
}

// leave prints the end of a call.
func (p *printer) leave(s *callstack.Step) {
	if p.leaf {
		p.leaf = false
		if p.durationAt >= 0 {
			p.fillDuration(s.Total)
		}
		buf := p.result(p.buf, s)
		buf = append(buf, ';')
		p.buf = append(p.source(buf, s), '\n')
		return
	}
	p.begin(s, s.Total)
	buf := appendBlanks(p.buf, 2*p.indent(s.Task, s.Depth))
	buf = append(buf, '}')
	n := len(buf)
	if buf = p.result(buf, s); len(buf) > n {
		buf = append(buf, ';')
	}
	if !p.opts.Text.NoComment {
		if p.opts.Layout.Color != nil {
			buf = append(buf, p.colors.Gray...)
		}
		buf = append(buf, " /* "...)
		buf = append(buf, p.names.name(s.Entry)...)
		buf = append(buf, " */"...)
		if p.opts.Layout.Color != nil {
			buf = append(buf, p.colors.Reset...)
		}
	}
	p.buf = append(buf, '\n')
}

// result appends the return value of a call.
func (p *printer) result(buf []byte, s *callstack.Step) []byte {
	if !s.Entry.More || p.opts.Text.NoArgs {
		return buf
	}
	n := len(buf)
	buf = append(buf, " = "...)
	m := len(buf)
	buf = p.values.AppendResult(buf, p.session(s), s.Record.Time, s.Entry.Sym, s.Record.Data)
	if len(buf) == m {
		return buf[:n]
	}
	return buf
}

func (p *printer) session(s *callstack.Step) *uftrace.Session {
	return s.Task.SessionAt(s.Record.Time)
}

// source appends the place of a function in the source, and the place of its caller.
func (p *printer) source(buf []byte, s *callstack.Step) []byte {
	if !p.opts.Text.SrcLine && len(p.tasks[s.Task.Index].called) == 0 {
		return buf
	}
	return p.appendSource(buf, s)
}

// lost prints the number of lost records. As in uftrace, only losses within functions count.
func (p *printer) lost(s *callstack.Step) {
	if !s.Task.Inside() && !p.opts.Play.Kernel.Full {
		return
	}
	p.begin(s, 0)
	n := 2 * p.indent(s.Task, s.Depth)
	text := "/* LOST some records!! */\n"
	if count := int64(s.Entry.Addr); count > 0 {
		text = "/* LOST " + strconv.FormatInt(count, 10) + " records!! */\n"
	}
	p.red(n, text)
}
