package tracecmd

import (
	"context"
	"errors"
	"io"
	"sync/atomic"

	"github.com/tracec/tracec/internal/ordered"
	"github.com/tracec/tracec/runtime/record"
)

// mostSlice is the maximum size of a slice in bytes. The texts of larger slices take too much
// memory.
const mostSlice = 2 << 20

// Bounds of slices. Tests change them.
var (
	// sliceBytes is the approximate number of bytes of a recording that a printer reads and prints
	// at once. With many printers it is less.
	sliceBytes int64 = 512 << 10
	// leastPart is the minimum number of bytes for each stream, since a little of it is read twice
	// where slices meet.
	leastPart int64 = 64 << 10
	// mostText is the maximum size of the text of a slice. With many printers it is less. Slices
	// with more text, such as everything after damage, are printed in order.
	mostText = 16 << 20
)

// slices divides a recording into slices, which printers read themselves. That costs less than
// passing pages to them. It returns nil if records must be in pages: for several recordings, for
// compressed or very long recordings, and for recordings of many processors.
func (p *printer) slices(ctx context.Context) ([]record.Slice[record.None], error) {
	in := p.inputs[0]
	if len(p.inputs) > 1 || len(in.buffers) == 0 {
		return nil, nil
	}
	so, err := p.records(ctx, in.buffers[0], !p.looksAhead(in))
	if err != nil {
		return nil, err
	}
	var cpus []int
	for _, b := range in.buffers {
		cpus = append(cpus, b.cpus()...)
	}
	so.CPUs = p.opts.CPUs.Of(cpus)
	var sources []source
	for _, b := range in.buffers {
		if b.time != in.buffers[0].time { // a window of time would differ between the buffers
			return nil, nil
		}
		for _, cpu := range b.cpus() {
			if so.HasCPU(int32(cpu)) {
				sources = append(sources, source{buffer: b})
			}
		}
	}
	size := max(ordered.Piece(p.job.Parallel(), sliceBytes), int64(len(sources))*leastPart, in.size()/record.MostSlices)
	if size > mostSlice { // their texts take too much memory
		return nil, nil
	}
	list := in.rec.Slices(so, size)
	if len(list) < 2 {
		return nil, nil
	}
	p.sources = sources
	return list, p.alignTo()
}

// slice is the source of a page's records, if they are not in the block.
type slice struct {
	record.Slice[record.None]
	entry uint32 // the event with a line that depends on the next record; valid if looks is set
	looks bool
	most  int     // maximum number of bytes of text
	long  bool    // the text exceeds most, or is not needed
	begun bool    // the first record has been printed
	text  *[]byte // buffer of the text

	head kept // copy of the first record
	tail kept // copy of the last record, if its line depends on a record of the next slice
	next *record.Record
}

// kept is a copy of a record.
type kept struct {
	record.Record
	is bool
}

func (k *kept) copy(r *record.Record) {
	data := append(k.Data[:0], r.Data...)
	k.Record, k.is = *r, true
	k.Data = data
}

// printSlices prints slices on several goroutines.
func (p *printer) printSlices(ctx context.Context, list []record.Slice[record.None]) error {
	workers := p.job.Parallel()
	b, err := p.newBinder(workers + 1) // one printer prints slices again that began at a wrong place
	if err != nil {
		return err
	}
	read := p.readsSlices(len(list))
	entry, looks := p.graphEntry(p.inputs[0])
	most := 2 * ordered.Text(workers, mostText/2)
	texts := ordered.Buffers{Size: int(min(4*sliceBytes, int64(most)))}
	err = record.InSlices(ctx, list, workers, func(worker int, s record.Slice[record.None]) (*page, error) {
		g := &page{slice: &slice{
			Slice: s, entry: entry, looks: looks, most: most, long: b.pages.GaveUp(), text: texts.Take(),
		}}
		g.Text = *g.slice.text
		b.workers[worker].printAttempt(g, b.before.Load())
		return g, nil
	}, func(g *page) error {
		defer read.done.Add(1)
		err := b.add(g)
		*g.slice.text = g.Text
		texts.Give(g.slice.text)
		return err
	})
	if err == nil {
		b.printTail(nil)
	}
	return p.ended(err)
}

// printSlice prints the records of a slice. A printer without earlier state reads a slice to its
// end, even if the text is too long, because the next slice begins there.
func (p *printer) printSlice(g *page) error {
	s, again := g.slice, p.attempt == nil
	open := s.Merge
	if again {
		open = s.MergeAgain
	}
	m := open()
	defer m.Close()
	g.N = 0
	var held kept
	for {
		run, _, err := m.NextRun()
		switch {
		case errors.Is(err, io.EOF):
			s.tail = held
			return nil
		case err != nil:
			if !again {
				g.failed = append(g.failed, err)
			}
			continue
		case g.N == 0:
			s.head.copy(&run[0])
		}
		if held.is {
			p.printOne(g, &held.Record, &run[0])
			held.is = false
		}
		for i := range run {
			r, next := &run[i], (*record.Record)(nil)
			if i+1 < len(run) {
				next = &run[i+1]
			} else if s.looks && r.ID == s.entry {
				held.copy(r)
				g.N++
				break
			}
			g.N++
			p.printOne(g, r, next)
		}
		if !again {
			s.long = s.long || len(p.buf) > s.most
		} else if len(p.buf) >= flushSize {
			if err := p.flush(); err != nil {
				return err
			}
		}
	}
}

// printOne prints a record of a slice, unless it was printed with the previous one.
func (p *printer) printOne(g *page, r, next *record.Record) {
	if g.consumed {
		g.consumed = false
		return
	}
	if g.slice.long && p.attempt != nil {
		return
	}
	s, first, shown := g.slice, !g.slice.begun, p.shown
	s.next, s.begun = next, true
	p.record(r)
	if first {
		g.first = line{len(p.buf), p.shown - shown}
	}
}

// readsSlices adds the slices to the progress of the job.
func (p *printer) readsSlices(n int) *slicesRead {
	read := &slicesRead{size: p.inputs[0].size(), all: int64(n)}
	p.job.Reads(read)
	return read
}

// size returns the number of bytes of records.
func (in *input) size() (n int64) {
	for _, b := range in.buffers {
		for i := range b.buf.CPUs {
			n += b.buf.CPUs[i].Size
		}
	}
	return n
}

// slicesRead is the progress of printing a recording.
type slicesRead struct {
	size, all int64
	done      atomic.Int64
}

// Position implements report.Positioned.
func (r *slicesRead) Position() (done, total int64) {
	return int64(float64(r.size) * float64(r.done.Load()) / float64(r.all)), r.size
}
