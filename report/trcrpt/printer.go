package trcrpt

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"

	compiler "github.com/tracec/tracec/compiler/trcfmt"
	"github.com/tracec/tracec/internal/ordered"
	"github.com/tracec/tracec/internal/programs"
	"github.com/tracec/tracec/internal/trcfiles"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/style"
	"github.com/tracec/tracec/runtime/aix"
	"github.com/tracec/tracec/runtime/aix/facts"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
)

// printer turns events into lines.
type printer struct {
	_ ordered.Apart

	opts    *Options
	job     *report.Job
	inputs  []*input
	sources []*source // by Record.Stream

	merged  *record.Merger[aix.Entry]
	records []record.Record // of the run that is being printed
	entries []aix.Entry
	pos     int       // in the run
	file    *aix.File // that it is from
	ended   bool

	templates *compiler.Result
	programs  *programs.Hooks
	hooks     []*hook // by id; nil until an event needs it
	faults    faults
	block     *block // block that is being filled; nil when printing in order
	spread    spread
	texts     *programs.Printer
	facts     facts.Facts

	columns *columns
	line    line
	buf     []byte // lines not yet written
	scratch []byte
	page    page
	choice  choice

	began    bool   // some event was not one that describes the system: origin and last stay
	origin   uint64 // when the trace began, ns
	last     uint64 // time of the last line
	previous []byte // the event printed last, for -O removedups
	raw      rawCopy
	damaged  bool
	told     told
	failed   error // to write before a wait
	shown    bool  // an event
	printed  int64 // events, by this printer
	noCPU    int64 // events without a known processor that were skipped

	_ ordered.Apart
}

// flushSize is the size of the text that is buffered before writing.
const (
	flushSize  = 64 << 10
	bufferSize = flushSize + 64<<10
)

// newPrinter prepares a report but for its inputs.
func newPrinter(o *Options, job *report.Job) *printer {
	p := &printer{opts: o, job: job, hooks: make([]*hook, 1<<16), buf: make([]byte, 0, bufferSize)}
	p.columns = newColumns(o)
	p.texts = programs.HookPrinter(&p.facts)
	return p
}

// errStop is the error for $STOP, which ends the report.
var errStop = errors.New("stopped")

// print prints all events. Trouble with a stream costs the rest of that stream.
func (p *printer) print(ctx context.Context) error {
	p.merged = record.Merge(p.sources, nil)
	var err error
	if workers := p.job.Parallel(); workers > 1 && p.canSpread() {
		err = p.inParallel(ctx, workers)
	}
	if err == nil {
		err = p.inTurn(ctx)
	}
	if errors.Is(err, errStop) {
		return nil
	}
	return err
}

// inTurn prints the events that are left, one after the other.
func (p *printer) inTurn(ctx context.Context) error {
	look, most := flushSize, int64(0)
	if c := p.opts.common; c != nil && c.Limit > 0 {
		look, most = 0, c.Limit
	}
	for {
		if ok, err := p.next(ctx); !ok {
			return err
		}
		for ; p.pos < len(p.records); p.pos++ {
			r, e := &p.records[p.pos], &p.entries[p.pos]
			p.facts.Next(r, e)
			if h := p.hook(uint16(r.ID)); p.isOrdinary(h, e) {
				if err := p.chosenEvent(h, r, e); err != nil {
					return err
				}
			} else if err := p.event(h, r, e); err != nil {
				return err
			}
			if len(p.buf) >= look {
				if most > 0 && p.printed >= most {
					return errStop
				}
				if len(p.buf) < flushSize {
					continue
				}
				if err := p.flush(); err != nil {
					return err
				}
			}
		}
	}
}

// next makes sure that there is an event. It returns false after the last one.
func (p *printer) next(ctx context.Context) (bool, error) {
	for p.pos == len(p.records) {
		if err := ctx.Err(); err != nil || p.ended {
			return false, err
		}
		if len(p.buf) > 0 && p.block == nil && !p.merged.Ready() { // flush the text before waiting for more
			if err := p.flush(); err != nil {
				return false, err
			}
		}
		run, entries, err := p.merged.NextRun()
		switch {
		case p.failed != nil:
			return false, p.failed
		case errors.Is(err, io.EOF):
			p.ended = true
			return false, nil
		case err != nil:
			p.tell(fault{err: err})
			continue
		}
		p.records, p.entries, p.pos = run, entries, 0
		p.enter(p.sources[run[0].Stream])
	}
	return true, nil
}

// enter sets the source of the next records.
func (p *printer) enter(s *source) {
	p.file = s.walk.File()
	p.facts.Info, p.facts.Context, p.facts.File = s.input.rec.Info(), s.input.ctx, p.file.Name
}

func (p *printer) flush() error {
	if len(p.buf) == 0 {
		return nil
	}
	_, err := p.job.Out.Write(p.buf)
	p.buf = p.buf[:0]
	return err
}

// isOrdinary reports whether an event is printed with columns and in full.
func (p *printer) isOrdinary(h *hook, e *aix.Entry) bool {
	return h.ordinary && p.began && !e.Has(aix.Initial)
}

// event prints an event, unless options leave it out.
func (p *printer) event(h *hook, r *record.Record, e *aix.Entry) error {
	id := uint16(r.ID)
	describes := trcfiles.DescribesSystem(id, e)
	if !p.began {
		if p.began, p.origin, p.last = !describes, r.Time, r.Time; p.began {
			p.limit()
		}
	}
	switch {
	case p.opts.Raw:
		if describes || p.pass(h, r, e) {
			p.shown = p.shown || !describes
			return p.raw.append(p, e)
		}
		return nil
	case describes && h.zero(id) && !p.opts.Histogram: // the heading of the report
		if !p.opts.NoHeading && !p.opts.Never[id] {
			return p.zero(h, r, e)
		}
		return nil
	case !p.pass(h, r, e):
		return nil
	}
	switch {
	case p.opts.Histogram:
		p.shown = true
		h.count++
		return nil
	case h.zero(id):
		p.shown = true
		return p.zero(h, r, e)
	}
	if p.opts.RemoveDups {
		p.shown = true
		if bytes.Equal(p.previous, e.Raw) {
			return nil
		}
		p.previous = append(p.previous[:0], e.Raw...)
	}
	return p.chosenEvent(h, r, e)
}

// chosenEvent prints columns and text, or leaves that to another goroutine.
func (p *printer) chosenEvent(h *hook, r *record.Record, e *aix.Entry) error {
	if p.shown = true; !p.page.headed {
		p.page.begin(p)
	}
	k := p.kind(h, e.Env())
	if p.block != nil && k.asks == asksNothing {
		p.hold(r, e)
		return nil
	}
	if k.asks == asksLines {
		p.facts.Line = p.page.next(p.opts)
	}
	l := &p.line
	l.id, l.code, l.tid, l.elapsed, l.delta = h.name, h.code, e.TID, int64(r.Time-p.origin), int64(r.Time-p.last)
	if p.columns.moreThanTimes {
		p.fill(l, e)
	}
	begin := len(p.buf)
	lines, err := p.lines(l, h, k, r, e)
	p.paintID(begin, l.id)
	if p.texts.Outcome.Reason == render.ExitSkip {
		return err
	}
	p.last = r.Time
	p.printed++
	if p.opts.PageSize > 0 {
		p.page.makeRoom(p, begin, lines)
	}
	p.page.filled = true
	p.page.line += lines
	return err
}

// paintID gives the id at the begin of a line its colour.
func (p *printer) paintID(at int, id string) {
	if !p.job.Style.On() || !bytes.HasPrefix(p.buf[min(at, len(p.buf)):], []byte(id)) {
		return
	}
	p.buf = slices.Replace(p.buf, at, at+len(id), []byte(p.job.Style.Paint(style.Event, id))...)
}

// lines appends the columns and the text of an event. It returns their number of lines.
func (p *printer) lines(l *line, h *hook, k *kind, r *record.Record, e *aix.Entry) (int, error) {
	begin := len(p.buf)
	if k.text != nil {
		buf := p.columns.append(p.buf, l, h.column)
		at := len(buf)
		buf = p.texts.AppendText(buf, k.text, r.Data)
		if k.oneLine && p.texts.Outcome.Reason == render.Ended {
			p.buf = append(trim(buf, begin), '\n')
			return 1, nil
		}
		p.buf = buf
		return p.settle(h, k, r, e, begin, begin, at, p.where(h))
	}
	lines, at := 0, begin
	if p.columns.twoLine {
		p.buf = p.columns.append(p.buf, l, 0)
		p.buf = append(trim(p.buf, begin), '\n')
		lines, at = 1, len(p.buf)
		p.buf = pad(p.buf, h.column)
	} else {
		p.buf = p.columns.append(p.buf, l, h.column)
	}
	more, err := p.text(h, k, r, e, begin, at, p.where(h))
	return lines + more, err
}

// where returns where the texts of a hook go.
func (p *printer) where(h *hook) area {
	return area{margin: p.columns.margin + h.column, firstTab: tabWidth}
}

// zero prints an event of level 0: its text from column 0 on, if it has text.
func (p *printer) zero(h *hook, r *record.Record, e *aix.Entry) error {
	begin := len(p.buf)
	p.facts.Line = p.page.next(p.opts)
	lines, err := p.text(h, p.kind(h, e.Env()), r, e, begin, begin, area{firstTab: firstTabZero})
	if p.texts.Outcome.Reason == render.ExitSkip || len(bytes.TrimSpace(p.buf[begin:])) == 0 {
		p.buf = p.buf[:begin]
		return err
	}
	if !trcfiles.DescribesSystem(uint16(r.ID), e) {
		p.printed++
	}
	p.page.zero(p, begin, lines)
	return err
}

// text appends the text of an event that begins at the byte begin, with a line of columns or a text
// line at the byte line. It returns the number of lines that it ended. The error is errStop after
// $STOP.
func (p *printer) text(h *hook, k *kind, r *record.Record, e *aix.Entry, begin, line int, where area) (int, error) {
	at := len(p.buf)
	p.buf = p.appendText(p.buf, h, r, e)
	return p.settle(h, k, r, e, begin, line, at, where)
}

// settle completes the text of an event, which begins at the byte at. The other parameters are as
// for text.
func (p *printer) settle(h *hook, k *kind, r *record.Record, e *aix.Entry, begin, line, at int, where area) (int, error) {
	var stop error
	if p.texts.Outcome.Reason != render.Ended {
		switch p.texts.Outcome.Reason {
		case render.ExitSkip:
			p.buf = p.buf[:begin]
			return 0, nil
		case render.ExitStop:
			stop = errStop
		case render.ExitError:
			p.buf = p.facts.AppendError(p.buf, at, h.name)
		case render.ExitShort:
			p.tooShort(h, r, e)
		}
	}
	if p.opts.Rules.Compile.Squeeze {
		p.buf = programs.Squeeze(p.buf, at)
	}
	if k.oneLine {
		p.buf = append(trim(p.buf, line), '\n')
		return 1, stop
	}
	var lines int
	p.buf, lines = where.finish(p.buf, line, at, &p.scratch)
	return lines, stop
}

// fill sets the columns other than ids, threads and times.
func (p *printer) fill(l *line, e *aix.Entry) {
	m, o := &p.facts, p.opts
	if o.Exec || o.PID {
		l.pid, l.process, l.depth = m.Context.PID(), m.Context.Process(), m.Context.Depth()
		p.told.process = p.told.process || l.pid >= 0 || l.process != ""
		if o.Values {
			l.path = m.Context.ExecPath()
		}
	}
	if o.CPUID {
		l.cpu = m.CPU()
		p.told.cpu = p.told.cpu || l.cpu >= 0
	}
	if o.SVC {
		l.svc = m.SVC()
		p.told.svc = p.told.svc || l.svc != ""
	}
	if o.FileName {
		l.file = m.File
	}
	if o.PURR {
		var regs [8]uint64
		got := e.Registers(regs[:0]) // which register is the PURR is not recorded where we could read it: the first
		if l.hasPURR = len(got) > 0; l.hasPURR {
			l.purr = got[0]
		}
	}
	l.reported = m.Live
}
