package trcrpt

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"

	"github.com/tracec/tracec/compiler/interp"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/internal/ordered"
	"github.com/tracec/tracec/internal/programs"
	"github.com/tracec/tracec/runtime/aix"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
)

// blockEvents and blockBytes are the capacity of a block. With a quarter of it, goroutines spend a
// tenth of the time on waking each other. Tests change blockEvents.
var blockEvents = 8192

const blockBytes = 512 << 10

// spread is the state of printing on several goroutines.
type spread struct {
	workers []*printer
	late    *printer // prints events that exceed the limit of a worker; nil until needed
	lines   int      // number of lines printed by the workers
	stopped bool     // $STOP has ended the report
}

// block holds consecutive events and their state.
type block struct {
	ordered.Block[held]

	filling bool // events are being added
	states  []heldState
	inTurn  []byte // text of events that were printed in order
	faults  []fault
	lines   int // number of lines in the text

	_ ordered.Apart
}

// held is an event that can be printed without earlier events, except for the state of its line.
type held struct {
	elapsed, delta int64
	tid            uint64
	offset         int64
	data           int32 // end of its data in the block; the data begin at the end of the previous data
	inTurn         int32 // length of the block's inTurn text before it
	state          int32 // index in the block's states
	flags          aix.Flags
	id             uint16
}

// heldState is the state from earlier events. Many events share it.
type heldState struct {
	state
	file *aix.File
}

// canSpread reports whether several goroutines can print the report. They cannot print pages, since
// the number of earlier lines determines page breaks. They would delay data from a pipe. Counts and
// raw copies have no text.
func (p *printer) canSpread() bool {
	return !p.opts.Raw && !p.opts.Histogram && p.opts.PageSize == 0 &&
		!slices.ContainsFunc(p.in.sources, func(s *source) bool { return s.walk.File().Size < 0 })
}

// inParallel prints events with workers, until the end or an event that depends on earlier lines.
// This printer reads on its own goroutine. It selects the events, and keeps the state from earlier
// events.
func (p *printer) inParallel(ctx context.Context, workers int) error {
	if err := p.flush(); err != nil {
		return err
	}
	for range workers {
		p.spread.workers = append(p.spread.workers, p.worker())
	}
	err := ordered.Run(ctx, workers, ordered.Steps[*block]{
		New: func() *block {
			return &block{Block: ordered.MakeBlock[held](ordered.Room{Items: blockEvents, Bytes: blockBytes})}
		},
		Fill: func(b *block) error { return p.fillBlock(ctx, b) },
		Work: func(worker int, b *block) error {
			p.spread.workers[worker].printBlock(b, ordered.MaxText)
			return nil
		},
		Out: p.passOn,
	})
	p.page.line += p.spread.lines
	if err == nil && p.spread.stopped {
		err = errStop
	}
	return err
}

// worker returns a printer for held events.
func (p *printer) worker() *printer {
	opts := *p.opts
	opts.match = nil // the reading printer has selected the events
	w := &printer{
		opts: &opts, job: p.job, columns: newColumns(p.opts),
		templates: templates{
			compiled: p.templates.compiled, programs: programs.NewHooks(p.charge, p.templates.compiled),
			hooks: make([]*hook, 1<<16),
		},
	}
	w.facts.Names = p.facts.Names
	w.templates.texts = programs.HookPrinter(&w.facts)
	return w
}

// fillBlock fills a block with the next events. It returns io.EOF after the last one, and before an
// event that depends on the number of lines before it.
func (p *printer) fillBlock(ctx context.Context, b *block) (err error) {
	if p.spread.stopped {
		return io.EOF
	}
	b.Reset()
	b.filling, b.states, b.faults, b.lines = true, b.states[:0], b.faults[:0], 0
	p.block, p.out.buf = b, b.inTurn[:0]
	defer func() {
		b.inTurn, b.filling, p.out.buf, p.block = p.out.buf, false, nil, nil
		if errors.Is(err, io.EOF) && (b.N > 0 || len(b.inTurn) > 0 || len(b.faults) > 0) {
			err = nil // the next call returns io.EOF
		}
	}()
	for {
		if p.in.pos == len(p.in.records) {
			if ok, err := p.next(ctx); !ok {
				return cmp.Or(err, io.EOF)
			}
		}
		r, e := &p.in.records[p.in.pos], &p.in.entries[p.in.pos]
		if !b.Fits(len(p.out.buf) + len(r.Data)) {
			return nil
		}
		h := p.hook(uint16(r.ID))
		asks := unasked
		if h.chosen {
			if asks = p.kind(h, e.Env()).asks; asks == asksLines {
				return io.EOF
			}
		}
		p.in.pos++
		p.facts.Next(r, e)
		if asks == asksNothing && p.isOrdinary(h, e) && p.page.headed {
			p.hold(r, e)
			continue
		}
		switch err := p.event(h, r, e); {
		case err == nil:
		case errors.Is(err, errStop):
			p.spread.stopped = true
			return io.EOF
		default:
			return err
		}
		if len(p.out.buf) >= blockBytes {
			return nil
		}
	}
}

// answer describes the state that a text uses besides its event.
type answer uint8

const (
	unasked     answer = iota // not known yet
	asksNothing               // only its event
	asksEarlier               // state from earlier events
	asksLines                 // the number of lines before it
)

// ofEvent are the facts that an event itself contains, or that recordings never contain.
const ofEvent = 1<<ir.FactTID | 1<<ir.FactLogIndex | 1<<ir.FactLogIndex0 | 1<<ir.FactLogFile | 1<<ir.FactTraceID | 1<<ir.FactTraceEnv |
	1<<ir.FactRelativeLine | 1<<ir.FactLargeData | 1<<ir.FactBuffering | 1<<ir.FactIPAddress

// kind holds properties of the text of a hook in one of its environments.
type kind struct {
	asks    answer
	oneLine bool            // the text has neither newlines nor tabs
	text    *interp.Program // appends a text that stays on the line of the columns; nil if more work is needed
}

// kind returns the properties of the text of a hook, from its compiled program.
func (p *printer) kind(h *hook, env aix.Env) *kind {
	k := &h.texts[env]
	if k.asks == unasked {
		*k = p.kindOf(h, env)
	}
	return k
}

func (p *printer) kindOf(h *hook, env aix.Env) kind {
	prog := h.Program(env)
	if p.opts.Words || prog.Event == nil {
		return kind{asks: asksNothing, oneLine: true}
	}
	n := prog.Event.Needs()
	k := kind{asks: asksNothing, oneLine: prog.Event.OneLine() && !n.Exit(ir.Error)}
	if text := prog.Text(); prog.Err == nil && !p.columns.twoLine && !p.opts.Rules.Compile.Squeeze {
		k.text = text
	}
	switch {
	case n.Fact(ir.FactLine):
		k.asks = asksLines
	// A template may skip the event, which must be known before the next one.
	case n.Hooks, n.Facts&^ofEvent != 0, n.Exit(ir.Skip), n.Exit(ir.Stop):
		k.asks = asksEarlier
	}
	return k
}

// hold leaves the printing of an event to a worker.
func (p *printer) hold(r *record.Record, e *aix.Entry) {
	b, now := p.block, len(p.block.states)-1
	if p.columns.moreThanTimes {
		p.fill(&p.line, e)
	}
	if now < 0 || p.columns.moreThanTimes && b.states[now].state != p.line.state || b.states[now].file != p.in.file {
		b.states = append(b.states, heldState{p.line.state, p.in.file})
		now++
	}
	b.Data = append(b.Data, r.Data...)
	x := &b.Items[b.N]
	b.N++
	x.elapsed, x.delta = int64(r.Time-p.clock.origin), int64(r.Time-p.clock.last)
	x.tid, x.offset, x.flags, x.id = e.TID, e.Offset, e.Flags, uint16(r.ID)
	x.data, x.inTurn, x.state = int32(len(b.Data)), int32(len(p.out.buf)), int32(now)
	p.clock.last, p.page.filled, p.outcome.shown = r.Time, true, true
}

// printBlock prints the events of a block, and between them the text that was printed in order. It
// stops at limit bytes, which templates with loops may exceed.
func (p *printer) printBlock(b *block, limit int) {
	var r record.Record
	var e aix.Entry
	p.out.buf, p.block = b.Text, b
	p.facts.At(&r, &e)
	var from, data, state int32 = 0, 0, -1
	if b.Done > 0 {
		from, data = b.Items[b.Done-1].inTurn, b.Items[b.Done-1].data
	}
	l := &p.line
	for ; b.Done < b.N && len(p.out.buf) < limit; b.Done++ {
		x := &b.Items[b.Done]
		if x.inTurn > from {
			p.out.buf = append(p.out.buf, b.inTurn[from:x.inTurn]...)
			from = x.inTurn
		}
		r.ID, r.Data = uint32(x.id), b.Data[data:x.data:x.data]
		data = x.data
		e.TID, e.Offset, e.Flags = x.tid, x.offset, x.flags
		if x.state != state {
			state = x.state
			l.state, p.facts.File = b.states[state].state, b.states[state].file.Name
		}
		h := p.hook(x.id)
		l.id, l.code, l.tid, l.elapsed, l.delta = h.name, h.code, x.tid, x.elapsed, x.delta
		begin := len(p.out.buf)
		n, _ := p.lines(l, h, p.kind(h, e.Env()), &r, &e)
		p.paintID(begin, l.id)
		b.lines += n
	}
	if b.Done == b.N {
		p.out.buf = append(p.out.buf, b.inTurn[from:]...)
	}
	b.Text, p.out.buf, p.block = p.out.buf, nil, nil
}

// passOn writes the text of a block, prints its remaining events, and reports their faults.
func (p *printer) passOn(b *block) error {
	err := b.Write(p.job.Out, func() {
		if p.spread.late == nil {
			p.spread.late = p.worker()
		}
		p.spread.late.printBlock(b, flushSize)
	})
	if err != nil {
		return err
	}
	p.spread.lines += b.lines
	slices.SortStableFunc(b.faults, func(x, y fault) int { return x.place - y.place })
	for _, f := range b.faults {
		p.report(f)
	}
	return nil
}

// missed reports whether a template used a fact that the recording lacks.
func (p *printer) missed(id render.Fact) bool {
	missed := func(w *printer) bool { return w.facts.Missed(id) }
	return missed(p) || slices.ContainsFunc(p.spread.workers, missed) || p.spread.late != nil && missed(p.spread.late)
}
