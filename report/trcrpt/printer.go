package trcrpt

import (
	"bytes"
	"context"
	"errors"
	"slices"

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

// printer prints events as lines.
type printer struct {
	_ ordered.Apart

	opts *Options
	job  *report.Job
	in   reader

	templates templates
	facts     facts.Facts
	choice    choice
	block     *block // block that is being filled; nil when printing in order
	spread    spread

	clock    clock
	columns  *columns
	line     line
	page     page
	previous []byte // the last printed event, for -O removedups
	raw      rawCopy
	out      output

	faults  faults
	outcome outcome

	_ ordered.Apart
}

// clock holds the start times of the time columns.
type clock struct {
	began  bool   // there was an event that does not describe the system: origin is final
	origin uint64 // start of the trace, in ns
	last   uint64 // time of the last line
}

// output buffers text.
type output struct {
	buf     []byte // text not yet written
	scratch []byte
	failed  error // write error, to report before waiting
}

// flushSize is the size of the text that is buffered before writing.
const (
	flushSize  = 64 << 10
	bufferSize = flushSize + 64<<10
)

// newPrinter prepares a report without its inputs.
func newPrinter(o *Options, job *report.Job) *printer {
	p := &printer{opts: o, job: job, columns: newColumns(o), out: output{buf: make([]byte, 0, bufferSize)}}
	p.templates.hooks = make([]*hook, 1<<16)
	p.templates.texts = programs.HookPrinter(&p.facts)
	return p
}

// errStop is the error for $STOP, which ends the report.
var errStop = errors.New("stopped")

// print prints all events. An error of a stream ends the reading of that stream only.
func (p *printer) print(ctx context.Context) error {
	p.in.merge()
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

// inTurn prints the remaining events in order.
func (p *printer) inTurn(ctx context.Context) error {
	look, most := flushSize, int64(0)
	if c := p.opts.common; c != nil && c.Limit > 0 {
		look, most = 0, c.Limit
	}
	for {
		if ok, err := p.next(ctx); !ok {
			return err
		}
		for ; p.in.pos < len(p.in.records); p.in.pos++ {
			r, e := &p.in.records[p.in.pos], &p.in.entries[p.in.pos]
			p.facts.Next(r, e)
			if h := p.hook(uint16(r.ID)); p.isOrdinary(h, e) {
				if err := p.chosenEvent(h, r, e); err != nil {
					return err
				}
			} else if err := p.event(h, r, e); err != nil {
				return err
			}
			if len(p.out.buf) >= look {
				if most > 0 && p.outcome.printed >= most {
					return errStop
				}
				if len(p.out.buf) < flushSize {
					continue
				}
				if err := p.flush(); err != nil {
					return err
				}
			}
		}
	}
}

func (p *printer) flush() error {
	if len(p.out.buf) == 0 {
		return nil
	}
	_, err := p.job.Out.Write(p.out.buf)
	p.out.buf = p.out.buf[:0]
	return err
}

// isOrdinary reports whether an event is printed with columns and in full.
func (p *printer) isOrdinary(h *hook, e *aix.Entry) bool {
	return h.ordinary && p.clock.began && !e.Has(aix.Initial)
}

// event prints an event, unless options exclude it.
func (p *printer) event(h *hook, r *record.Record, e *aix.Entry) error {
	id := uint16(r.ID)
	describes := trcfiles.DescribesSystem(id, e)
	if !p.clock.began {
		if p.clock.began, p.clock.origin, p.clock.last = !describes, r.Time, r.Time; p.clock.began {
			p.limit()
		}
	}
	switch {
	case p.opts.Raw:
		if describes || p.pass(h, r, e) {
			p.outcome.shown = p.outcome.shown || !describes
			return p.raw.append(p, e)
		}
		return nil
	case describes && h.zero(id) && !p.opts.Histogram: // the heading block of the report
		if !p.opts.NoHeading && !p.opts.Never[id] {
			return p.zero(h, r, e)
		}
		return nil
	case !p.pass(h, r, e):
		return nil
	}
	switch {
	case p.opts.Histogram:
		p.outcome.shown = true
		h.count++
		return nil
	case h.zero(id):
		p.outcome.shown = true
		return p.zero(h, r, e)
	}
	if p.opts.RemoveDups {
		p.outcome.shown = true
		if bytes.Equal(p.previous, e.Raw) {
			return nil
		}
		p.previous = append(p.previous[:0], e.Raw...)
	}
	return p.chosenEvent(h, r, e)
}

// chosenEvent prints columns and text, or leaves that to another goroutine.
func (p *printer) chosenEvent(h *hook, r *record.Record, e *aix.Entry) error {
	if p.outcome.shown = true; !p.page.headed {
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
	l.id, l.code, l.tid = h.name, h.code, e.TID
	l.elapsed, l.delta = int64(r.Time-p.clock.origin), int64(r.Time-p.clock.last)
	if p.columns.moreThanTimes {
		p.fill(l, e)
	}
	begin := len(p.out.buf)
	lines, err := p.lines(l, h, k, r, e)
	p.paintID(begin, l.id)
	if p.templates.texts.Outcome.Reason == render.ExitSkip {
		return err
	}
	p.clock.last = r.Time
	p.outcome.printed++
	if p.opts.PageSize > 0 {
		p.page.makeRoom(p, begin, lines)
	}
	p.page.filled = true
	p.page.line += lines
	return err
}

// paintID colours the id at the start of a line.
func (p *printer) paintID(at int, id string) {
	if !p.job.Style.On() || !bytes.HasPrefix(p.out.buf[min(at, len(p.out.buf)):], []byte(id)) {
		return
	}
	p.out.buf = slices.Replace(p.out.buf, at, at+len(id), []byte(p.job.Style.Paint(style.Event, id))...)
}

// lines appends the columns and the text of an event. It returns the number of lines.
func (p *printer) lines(l *line, h *hook, k *kind, r *record.Record, e *aix.Entry) (int, error) {
	begin := len(p.out.buf)
	if k.text != nil {
		buf := p.columns.append(p.out.buf, l, h.column)
		at := len(buf)
		buf = p.templates.texts.AppendText(buf, k.text, r.Data)
		if k.oneLine && p.templates.texts.Outcome.Reason == render.Ended {
			p.out.buf = append(trim(buf, begin), '\n')
			return 1, nil
		}
		p.out.buf = buf
		return p.settle(h, k, r, e, begin, begin, at, p.where(h))
	}
	lines, at := 0, begin
	if p.columns.twoLine {
		p.out.buf = p.columns.append(p.out.buf, l, 0)
		p.out.buf = append(trim(p.out.buf, begin), '\n')
		lines, at = 1, len(p.out.buf)
		p.out.buf = pad(p.out.buf, h.column)
	} else {
		p.out.buf = p.columns.append(p.out.buf, l, h.column)
	}
	more, err := p.text(h, k, r, e, begin, at, p.where(h))
	return lines + more, err
}

// where returns the area for the texts of a hook.
func (p *printer) where(h *hook) area {
	return area{margin: p.columns.margin + h.column, firstTab: tabWidth}
}

// zero prints an event of level 0: its text from column 0 on, if there is any.
func (p *printer) zero(h *hook, r *record.Record, e *aix.Entry) error {
	begin := len(p.out.buf)
	p.facts.Line = p.page.next(p.opts)
	lines, err := p.text(h, p.kind(h, e.Env()), r, e, begin, begin, area{firstTab: firstTabZero})
	if p.templates.texts.Outcome.Reason == render.ExitSkip || len(bytes.TrimSpace(p.out.buf[begin:])) == 0 {
		p.out.buf = p.out.buf[:begin]
		return err
	}
	if !trcfiles.DescribesSystem(uint16(r.ID), e) {
		p.outcome.printed++
	}
	p.page.zero(p, begin, lines)
	return err
}

// text appends the text of an event. The event begins at the byte begin, its current line at the
// byte line. It returns the number of ended lines. The error is errStop after $STOP.
func (p *printer) text(h *hook, k *kind, r *record.Record, e *aix.Entry, begin, line int, where area) (int, error) {
	at := len(p.out.buf)
	p.out.buf = p.appendText(p.out.buf, h, r, e)
	return p.settle(h, k, r, e, begin, line, at, where)
}

// settle completes the text of an event, which begins at the byte at. The other parameters are as
// in text.
func (p *printer) settle(
	h *hook, k *kind, r *record.Record, e *aix.Entry, begin, line, at int, where area,
) (int, error) {
	var stop error
	if p.templates.texts.Outcome.Reason != render.Ended {
		switch p.templates.texts.Outcome.Reason {
		case render.ExitSkip:
			p.out.buf = p.out.buf[:begin]
			return 0, nil
		case render.ExitStop:
			stop = errStop
		case render.ExitError:
			p.out.buf = p.facts.AppendError(p.out.buf, at, h.name)
		case render.ExitShort:
			p.tooShort(h, r, e)
		}
	}
	if p.opts.Rules.Compile.Squeeze {
		p.out.buf = programs.Squeeze(p.out.buf, at)
	}
	if k.oneLine {
		p.out.buf = append(trim(p.out.buf, line), '\n')
		return 1, stop
	}
	var lines int
	p.out.buf, lines = where.finish(p.out.buf, line, at, &p.out.scratch)
	return lines, stop
}

// fill sets the columns other than ids, threads and times.
func (p *printer) fill(l *line, e *aix.Entry) {
	m, o := &p.facts, p.opts
	if o.Exec || o.PID {
		l.pid, l.process, l.depth = m.Context.PID(), m.Context.Process(), m.Context.Depth()
		p.outcome.process = p.outcome.process || l.pid >= 0 || l.process != ""
		if o.Values {
			l.path = m.Context.ExecPath()
		}
	}
	if o.CPUID {
		l.cpu = m.CPU()
		p.outcome.cpu = p.outcome.cpu || l.cpu >= 0
	}
	if o.SVC {
		l.svc = m.SVC()
		p.outcome.svc = p.outcome.svc || l.svc != ""
	}
	if o.FileName {
		l.file = m.File
	}
	if o.PURR {
		var regs [8]uint64
		// The published parts of the format do not mark the register of PURR. We use the first.
		got := e.Registers(regs[:0])
		if l.hasPURR = len(got) > 0; l.hasPURR {
			l.purr = got[0]
		}
	}
	l.reported = m.Live
}
