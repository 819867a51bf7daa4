package replay

import (
	"context"
	"errors"
	"io"

	"github.com/tracec/tracec/internal/ordered"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// blockLines is how many lines a block has: many, since a line takes less time to print than a processor to take over what another one had. Tests change it.
var blockLines = 16 << 10

// block is steps that follow each other.
type block struct {
	ordered.Block[line]
	extras []extra
}

// line is a step that a worker prints, or a call without calls of its own with its end. It is small: what one processor writes and another one reads costs more
// than to make it.
type line struct {
	total uint64
	sym   *uftrace.Symbol
	extra int32 // in block.extras; -1: the line needs no more
	task  int32 // Task.Index
	depth int16 // maxShown at most
	kind  uftrace.Kind
	color callstack.Color
	state lineState
}

type lineState uint8

const (
	isOpen   lineState = 1 << iota // Step.Open
	isFramed                       // it has a frame
	isEnded                        // it is a call with its end
	isMore                         // which has a payload
)

// extra is what few lines need: those with payloads, of unknown functions and of events, and all with columns that show more than the duration and the thread.
type extra struct {
	time, addr uint64
	data       ordered.Span // the payload
	id         uint32
	more       bool

	end    uint64       // of the call
	result ordered.Span // its payload

	// What changes with every step of a thread.
	last, before, first uint64
	comm                string
	frame               callstack.Frame
}

// worker prints lines of other goroutines.
type worker struct {
	_ ordered.Apart
	printer
	block  *block // that is printed
	step   callstack.Step
	record record.Record
	entry  uftrace.Entry
	frame  callstack.Frame
	tasks  []callstack.Task

	_ ordered.Apart
}

// divides reports whether several goroutines can print the lines: whether no line depends on those before it but by its step. The lines of --flat have
// numbers, and what is recorded meanwhile is not kept waiting.
func (p *printer) divides() bool {
	o := &p.opts
	return o.Workers > 1 && !o.Flat && !o.ColumnView && !o.TaskNewline && !p.rec.Follows()
}

// inParallel prints all steps with workers. The printer plays, on a goroutine of its own, and prints itself what needs more than its step.
func (p *printer) inParallel(ctx context.Context) error {
	workers := make([]*worker, p.opts.Workers-1) // the player takes about as long as all lines do
	for i := range workers {
		workers[i] = p.newWorker()
	}
	late := p.newWorker() // of what is left of blocks
	return ordered.Run(ctx, len(workers), ordered.Steps[*block]{
		New:  func() *block { return &block{Block: ordered.NewBlock[line](blockLines)} },
		Fill: p.fillBlock,
		Work: func(i int, b *block) error {
			workers[i].block = b
			b.Print(workers[i].line)
			return nil
		},
		Out: func(b *block) error {
			late.block = b
			return b.Write(p.w, late.line)
		},
	})
}

// fillBlock fills a block with the steps that come next. The error is io.EOF after the last one.
func (p *printer) fillBlock(b *block) error {
	b.Reset()
	b.extras = b.extras[:0]
	p.block, p.buf = b, b.Text
	var err error
	for err == nil && (p.leaf || !b.Full()) {
		err = p.next()
		b.Text = p.buf
	}
	if errors.Is(err, io.EOF) && !b.Empty() {
		err = nil // and io.EOF the next time
	}
	return err
}

// holds reports whether a step can be left to a worker, and keeps it then.
func (p *printer) holds(s *callstack.Step) bool {
	if l := p.held; l != nil {
		if p.held = nil; p.ends(l, s) {
			return true
		}
	}
	joins, more := false, false // with its end, which is the next step; needs an extra
	switch id := s.Record.ID; s.Entry.Kind {
	case uftrace.Enter:
		joins = !s.Open && !p.opts.NoMerge
	case uftrace.Leave:
	case uftrace.Event:
		if id == callstack.Callsite {
			return false
		}
		joins = (id == callstack.SchedOut || id == callstack.SchedOutPreempt) && !s.Open && !p.opts.NoMerge
		more = true
	default:
		more = true
	}
	if s.Backtrace || p.leaf || len(p.tasks[s.Task.Index].called) > 0 {
		return false
	}
	b := p.block
	b.Text = p.buf
	l := b.Hold(joins)
	*l = line{total: s.Total, sym: s.Entry.Sym, extra: -1, task: int32(s.Task.Index), depth: int16(s.Depth), kind: s.Entry.Kind, color: s.Color}
	if s.Open {
		l.state |= isOpen
	}
	if s.Frame != nil {
		l.state |= isFramed
	}
	if joins && s.Entry.Kind == uftrace.Enter {
		p.held = l
	}
	if more || s.Entry.More || s.Entry.Sym == nil || !p.plain {
		l.extra = int32(len(b.extras))
		b.extras = append(b.extras, p.extraOf(s))
	}
	return true
}

// extraOf returns what a line does not hold of a step.
func (p *printer) extraOf(s *callstack.Step) (x extra) {
	x.time, x.addr, x.id, x.more = s.Record.Time, s.Entry.Addr, s.Record.ID, s.Entry.More
	x.data = p.block.Keep(s.Record.Data)
	if !p.plain {
		x.last, x.before, x.first, x.comm = s.Task.Last, s.Task.Before, p.first, s.Task.Comm
		if s.Frame != nil {
			x.frame = *s.Frame
		}
	}
	return x
}

// ends adds its end to the line of a call, and reports whether that says it all.
func (p *printer) ends(l *line, s *callstack.Step) bool {
	e := s.Entry
	if e.Sym != l.sym || e.Sym == nil || !p.plain {
		return false
	}
	l.total = s.Total
	l.state |= isEnded
	p.block.Complete()
	if !e.More {
		return true
	}
	l.state |= isMore
	if l.extra < 0 {
		l.extra = int32(len(p.block.extras))
		p.block.extras = append(p.block.extras, extra{})
	}
	x := &p.block.extras[l.extra]
	x.end, x.result = s.Record.Time, p.block.Keep(s.Record.Data)
	return true
}

// newWorker returns a printer of lines that this one holds.
func (p *printer) newWorker() *worker {
	w := &worker{printer: printer{
		opts: p.opts, rec: p.rec, fields: p.fields, colors: p.colors, plain: p.plain, names: p.names.share(),
	}}
	w.prepareValues()
	w.step.Record, w.step.Entry = &w.record, &w.entry
	w.tasks = make([]callstack.Task, 1, len(p.tasks)+2)
	for _, t := range p.player.Tasks() {
		w.tasks = append(w.tasks, callstack.Task{Task: t.Task, Index: t.Index})
		w.printer.tasks = append(w.printer.tasks, taskLine{id: p.tasks[t.Index].id, column: -1})
	}
	w.tasks = w.tasks[1:] // the first and the last are room between these and what others write
	return w
}

// line appends the text of a line.
func (w *worker) line(dst []byte, l *line) []byte {
	s, t := &w.step, &w.tasks[l.task]
	w.entry.Sym, w.entry.Kind, w.entry.More = l.sym, l.kind, false
	s.Task, s.Depth, s.Total, s.Color, s.Open, s.Frame = t, int(l.depth), l.total, l.color, l.state&isOpen != 0, nil
	if l.state&isFramed != 0 {
		s.Frame = &w.frame
	}
	var x *extra
	if l.extra >= 0 {
		x = &w.block.extras[l.extra]
		w.record.Time, w.record.ID, w.record.Data = x.time, x.id, w.block.Bytes(x.data)
		w.entry.Addr, w.entry.More = x.addr, x.more
		if !w.plain {
			t.Last, t.Before, t.Comm, w.first, w.frame = x.last, x.before, x.comm, x.first, x.frame
		}
	}
	w.buf = dst
	w.show(s)
	if l.state&isEnded != 0 {
		if w.entry.Kind, w.entry.More = uftrace.Leave, l.state&isMore != 0; w.entry.More {
			w.record.Time, w.record.Data = x.end, w.block.Bytes(x.result)
		}
		w.leave(s)
	}
	return w.buf
}
