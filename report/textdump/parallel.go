package textdump

import (
	"io"

	"github.com/tracec/tracec/internal/ordered"
	"github.com/tracec/tracec/internal/programs"
	"github.com/tracec/tracec/runtime/lttng"
)

// blockLines and blockBytes are the capacity of a block. With a quarter of it, goroutines spend a
// tenth of the time on waking each other. Tests change blockLines.
var blockLines = 4096

const (
	blockBytes = 256 << 10
	// largeEvent is the size of data from which an event is printed directly. Blocks of such events
	// would take too much memory.
	largeEvent = 128 << 10
	// maxCopied bounds the number of names copied for lines that are printed later. A trace names
	// its system calls once, at its start. A trace with more names is printed in order.
	maxCopied = 1 << 22
)

// spread is the state of printing on several goroutines.
type spread struct {
	printers []*printer // by worker
	blocks   []*block
	used     int // number of printers used since all were last free
	copied   int // number of copied names
	programs *programs.Markers
	asks     []asks // by Marker.Index
}

// asks records whether the text of a marker uses names from earlier events.
type asks uint8

const (
	unasked asks = iota // not known yet
	asksNothing
	asksNames
)

// block holds consecutive lines, with the data of their events.
type block = ordered.Block[line]

// inParallel prints all events. The dumper reads on its own goroutine and fills blocks with lines,
// which the workers print. Some events must be printed in order, after all lines before them.
func (d *dumper) inParallel(workers int) error {
	if err := d.flush(); err != nil {
		return err
	}
	d.spread.programs = markers(d.trace.rec, d.plain)
	d.spread.asks = make([]asks, len(d.trace.names))
	for range workers {
		d.spread.printers = append(d.spread.printers, d.newPrinter())
	}
	for {
		d.spread.used = 0
		err := ordered.Run(d.ctx, workers, ordered.Steps[*block]{New: d.newBlock, Fill: d.fill, Work: d.work,
			Out: d.passOn})
		if err != nil || d.in.ended && len(d.in.records) == 0 {
			return err
		}
		n := int64(1)
		if d.spread.copied > maxCopied {
			n = 1 << 62
		}
		if err := d.inTurn(n); err != nil {
			return err
		}
		if err := d.flush(); err != nil {
			return err
		}
	}
}

func (d *dumper) newBlock() *block {
	s := &d.spread
	if s.used == len(s.blocks) {
		b := ordered.MakeBlock[line](ordered.Room{Items: blockLines, Bytes: blockBytes})
		s.blocks = append(s.blocks, &b)
	}
	s.used++
	return s.blocks[s.used-1]
}

// fill fills a block with the next lines. It returns io.EOF after the last line, and before an
// event that must be printed in order.
func (d *dumper) fill(b *block) error {
	b.Reset()
	for {
		if len(d.in.records) == 0 {
			if _, err := d.next(); err != nil {
				return err
			}
		}
		switch {
		case len(d.in.records) == 0 || d.spread.copied > maxCopied || len(d.in.records[0].Data) > largeEvent:
			if b.N > 0 {
				return nil // the next call returns io.EOF
			}
			return io.EOF
		case !b.Fits(len(d.in.records[0].Data)):
			return nil
		}
		if l := &b.Items[b.N]; d.event(l) {
			d.keep(l, b)
			b.N++
		}
	}
}

// keep copies the data that a line borrows into the block.
func (d *dumper) keep(l *line, b *block) {
	l.data = b.Copy(l.data)
	if !d.asks(l.marker) {
		l.names = nil
		return
	}
	names, copied := l.names.Frozen()
	l.names = names
	d.spread.copied += copied
}

// asks reports whether the text of a marker uses names.
func (d *dumper) asks(m *lttng.Marker) bool {
	if d.plain || m == nil {
		return false
	}
	known := &d.spread.asks[m.Index]
	if *known == unasked {
		*known = asksNothing
		if ev := d.spread.programs.Program(m).Event; ev != nil && ev.Needs().Hooks {
			*known = asksNames
		}
	}
	return *known == asksNames
}

// work prints the lines of a block.
func (d *dumper) work(worker int, b *block) error {
	d.spread.printers[worker].block(b, ordered.MaxText)
	return nil
}

// block prints the lines of a block that have no text yet, until there are limit bytes. Lines of
// processes with long names can exceed the limit.
func (p *printer) block(b *block, limit int) {
	for ; b.Done < b.N && len(b.Text) < limit; b.Done++ {
		b.Text = p.append(b.Text, &b.Items[b.Done])
	}
}

// passOn writes the text of a block, and prints its remaining lines.
func (d *dumper) passOn(b *block) error {
	return b.Write(d.out, func() { d.printer.block(b, flushAt) })
}
