package tracecmd

import (
	"context"
	"errors"
	"io"

	"github.com/tracec/tracec/internal/ordered"
	"github.com/tracec/tracec/runtime/record"
)

// Bounds of a page. Tests change pageRecords.
var pageRecords = 4096

const pageBytes = 256 << 10 // bytes of data; a single record may have more

// A page holds consecutive records in the order of time, and their text by a printer without
// earlier state.
type page struct {
	ordered.Block[record.Record] // Data holds the memory that records alias

	next    record.Record // the first record after the page
	hasNext bool
	failed  []error // errors of streams

	at       int  // position of the record that is being printed
	consumed bool // the next record has been printed with this one
	looks    bool // texts may depend on the next record
	first    line // text of the first record

	slice *slice // reads the records; nil if they are in the block

	printed bool // printed without earlier state: the text is in Text
	made    attempt

	_ ordered.Apart
}

// line is the end of a record's text, and the number of events up to there.
type line struct {
	to    int
	shown int64
}

// peek returns the record after the one that is being printed. It returns nil at the end, and if
// events were lost before that record.
func (g *page) peek() *record.Record {
	next := &g.next
	switch {
	case g.slice != nil:
		if next = g.slice.next; next == nil {
			return nil
		}
	case !g.looks:
		return nil
	case g.at+1 < g.N:
		next = &g.Items[g.at+1]
	case !g.hasNext:
		return nil
	}
	if next.Lost != 0 {
		return nil
	}
	return next
}

// add copies a record. It returns false if it does not fit.
func (g *page) add(r *record.Record) bool {
	if !g.Fits(len(r.Data)) {
		return false
	}
	own := &g.Items[g.N]
	*own = *r
	own.Data = g.Copy(r.Data)
	g.N++
	return true
}

// pages fills pages with the records of streams, in the order of time.
type pages struct {
	merge *record.Merger[record.None]
	run   []record.Record // records that are not yet in a page
	looks bool
	ended bool
}

// load ensures that there is a record in the run. It returns false after the last one.
func (s *pages) load(g *page) bool {
	for len(s.run) == 0 && !s.ended {
		run, _, err := s.merge.NextRun()
		switch {
		case errors.Is(err, io.EOF):
			s.ended = true
		case err != nil:
			g.failed = append(g.failed, err)
		default:
			s.run = run
		}
	}
	return len(s.run) > 0
}

// fill puts the next records into a page.
func (s *pages) fill(g *page) error {
	g.Reset()
	g.failed, g.looks, g.hasNext, g.printed = nil, s.looks, false, false
	for s.load(g) {
		if !g.add(&s.run[0]) {
			g.hasNext = true
			data := append(g.next.Data[:0], s.run[0].Data...)
			g.next = s.run[0]
			g.next.Data = data
			return nil
		}
		s.run = s.run[1:]
	}
	if g.N == 0 && len(g.failed) == 0 {
		return io.EOF
	}
	return nil
}

// divisible reports whether pages can be printed in parallel. Lines must depend on earlier state
// only in ways that a binder handles.
func (p *printer) divisible() bool {
	o, looks, buffers := p.opts, false, 0
	for _, in := range p.inputs {
		looks = looks || p.looksAhead(in)
		buffers += len(in.buffers)
	}
	return !o.TSDiff && !o.TSCheck && !o.Wakeup && !(looks && (p.stacks || buffers > 1))
}

// printPages prints the records of streams on several goroutines.
func (p *printer) printPages(ctx context.Context, streams []record.Stream[record.None]) error {
	workers := p.job.Parallel()
	b, err := p.newBinder(workers)
	if err != nil {
		return err
	}
	s := &pages{merge: record.Merge(streams, nil)}
	for _, in := range p.inputs {
		s.looks = s.looks || p.looksAhead(in)
	}
	err = ordered.Run(ctx, workers, ordered.Steps[*page]{
		New: func() *page {
			return &page{Block: ordered.MakeBlock[record.Record](ordered.Room{Items: pageRecords, Bytes: pageBytes})}
		},
		Fill: s.fill,
		Work: func(worker int, g *page) error {
			if !b.pages.GaveUp() {
				b.workers[worker].printAttempt(g, b.before.Load())
			}
			return nil
		},
		Out: b.add,
	})
	return p.ended(err)
}

// ended returns the error of printing on several goroutines. The end of the text may still be in
// the buffer.
func (p *printer) ended(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return nil // the caller checks the context
	}
	if err != nil {
		return err
	}
	return p.flush()
}

// printRecords prints the records of a page.
func (p *printer) printRecords(g *page) error {
	p.page = g
	if g.slice != nil {
		return p.printSlice(g)
	}
	shown := p.shown
	for i := range g.N {
		g.at = i
		if g.consumed {
			g.consumed = false
		} else {
			p.record(&g.Items[i])
		}
		if i == 0 {
			g.first = line{len(p.buf), p.shown - shown}
		}
		if p.attempt == nil && len(p.buf) >= flushSize {
			if err := p.flush(); err != nil {
				return err
			}
		}
	}
	return nil
}
