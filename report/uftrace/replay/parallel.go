package replay

import (
	"context"
	"errors"
	"io"

	"github.com/tracec/tracec/internal/ordered"
	"github.com/tracec/tracec/report/uftrace/held"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// blockLines is how many lines a block has. Tests change it.
var blockLines = 2048

// block is steps that follow each other.
type block struct {
	ordered.Block[line]
	moments []moment // of their lines, when columns show them
}

// line is a step that a worker prints, or a call without calls of its own with its end.
type line struct {
	held.Record
	total  uint64
	end    uint64       // of the call
	result ordered.Span // its payload
	moment int32        // in block.moments
	task   int32        // Task.Index
	depth  int16        // maxShown at most
	color  callstack.Color
	open   bool
	framed bool // it has a frame
	ended  bool // end, result and more are those of its end
	more   bool
}

// moment is what columns show of a thread, and of the call, which changes with every step.
type moment struct {
	last, before, first uint64
	comm                string
	frame               callstack.Frame
}

// worker prints lines of other goroutines.
type worker struct {
	*printer
	block  *block // that is printed
	step   callstack.Step
	record record.Record
	entry  uftrace.Entry
	frame  callstack.Frame
	tasks  []callstack.Task
}

// divides reports whether several goroutines can print the lines: whether no line depends on those before it but by its step. The lines of --flat have
// numbers, and what is recorded meanwhile is not kept waiting.
func (p *printer) divides() bool {
	o := &p.opts
	return o.Workers > 1 && !o.Flat && !o.ColumnView && !o.TaskNewline && !p.rec.Follows()
}

// inParallel prints all steps with workers. The printer plays, on a goroutine of its own, and prints itself what needs more than its step.
func (p *printer) inParallel(ctx context.Context) error {
	var workers []*worker
	for range p.opts.Workers {
		workers = append(workers, p.newWorker())
	}
	late := p.newWorker() // of what is left of blocks
	return ordered.Run(ctx, p.opts.Workers, ordered.Steps[*block]{
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
	b.moments = b.moments[:0]
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
	if p.held != nil {
		l, e := p.held, s.Entry
		p.held = nil
		if l.Same(e) && p.plain {
			l.end, l.total, l.more, l.ended = s.Record.Time, s.Total, e.More, true
			l.result = p.block.Keep(s.Record.Data)
			p.block.Complete()
			return true
		}
	}
	joins := false // with its end, which is the next step
	switch id := s.Record.ID; s.Entry.Kind {
	case uftrace.Enter:
		joins = !s.Open && !p.opts.NoMerge
	case uftrace.Event:
		if id == callstack.Callsite {
			return false
		}
		joins = (id == callstack.SchedOut || id == callstack.SchedOutPreempt) && !s.Open && !p.opts.NoMerge
	}
	if s.Backtrace || p.leaf || len(p.tasks[s.Task.Index].called) > 0 {
		return false
	}
	b := p.block
	b.Text = p.buf
	l := b.Hold(joins)
	l.Keep(s.Record, s.Entry, b.Keep(s.Record.Data))
	l.total, l.task, l.depth, l.color, l.open, l.framed = s.Total, int32(s.Task.Index), int16(s.Depth), s.Color, s.Open, s.Frame != nil
	l.ended = false
	if joins && s.Entry.Kind == uftrace.Enter {
		p.held = l
	}
	if !p.plain {
		l.moment = int32(len(b.moments))
		m := moment{last: s.Task.Last, before: s.Task.Before, first: p.first, comm: s.Task.Comm}
		if s.Frame != nil {
			m.frame = *s.Frame
		}
		b.moments = append(b.moments, m)
	}
	return true
}

// newWorker returns a printer of lines that this one holds.
func (p *printer) newWorker() *worker {
	w := &worker{printer: &printer{
		opts: p.opts, rec: p.rec, fields: p.fields, colors: p.colors, plain: p.plain, names: p.names.share(),
	}}
	w.prepareValues()
	w.step.Record, w.step.Entry = &w.record, &w.entry
	for _, t := range p.player.Tasks() {
		w.tasks = append(w.tasks, callstack.Task{Task: t.Task, Index: t.Index})
		w.printer.tasks = append(w.printer.tasks, taskLine{id: p.tasks[t.Index].id, column: -1})
	}
	return w
}

// line appends the text of a line.
func (w *worker) line(dst []byte, l *line) []byte {
	s, t := &w.step, &w.tasks[l.task]
	l.Restore(&w.record, &w.entry, w.block.Bytes(l.Data()))
	s.Task, s.Depth, s.Total, s.Color, s.Open, s.Frame = t, int(l.depth), l.total, l.color, l.open, nil
	if l.framed {
		s.Frame = &w.frame
	}
	if !w.plain {
		m := &w.block.moments[l.moment]
		t.Last, t.Before, t.Comm, w.first, w.frame = m.last, m.before, m.comm, m.first, m.frame
	}
	w.buf = dst
	w.show(s)
	if l.ended {
		w.record.Time, w.record.Data, w.entry.Kind, w.entry.More = l.end, w.block.Bytes(l.result), uftrace.Leave, l.more
		s.Total = l.total
		w.leave(s)
	}
	return w.buf
}
