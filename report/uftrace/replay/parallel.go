package replay

import (
	"cmp"
	"context"
	"errors"
	"io"
	"runtime"
	"slices"
	"sync/atomic"

	"github.com/tracec/tracec/internal/fold"
	"github.com/tracec/tracec/internal/ordered"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// pieceBytes is the approximate number of bytes of a recording that a worker prints at once. With
// smaller pieces of many threads, too much is read twice. With many workers pieces are smaller.
// Tests change it.
var pieceBytes int64 = 1 << 20

const (
	// mostText is the maximum text of a piece, with few workers.
	mostText = 16 << 20
	// mostThreads is the maximum number of threads per processor for pieces, since each piece reads
	// a little of each thread again.
	mostThreads = 64
)

// piece is the text of a slice, printed without the calls that were open before it.
type piece struct {
	slice   record.Slice[uftrace.Entry]
	edges   edges
	stretch *callstack.Stretch
	text    *[]byte
	holes   []hole // one for each of stretch.Ended that is not hidden
	gaps    []gap
	first   uint64 // assumed start of elapsed times
	shown   bool
	damaged error
}

// shared is the state that workers share with the joiner.
type shared struct {
	fold  *fold.Fold[*piece]
	first atomic.Uint64            // start of elapsed times, as far as it is known after the joined pieces
	names atomic.Pointer[[]string] // names of threads there; nil for the names at the start of the recording
}

// worker prints pieces.
type worker struct {
	printer
	shared *shared
	// Maximum number of bytes of text of a piece, twice the capacity of its buffer. Longer pieces
	// are printed in order.
	most int
}

// divides reports whether several goroutines print. Lines may depend on earlier ones only by the
// columns of ended calls, differences of times, the start of elapsed times, and the number of open
// calls. Hidden calls count for the differences. With -D one goroutine skips most records, and is
// faster.
func (p *printer) divides() bool {
	o := &p.opts
	switch {
	case o.Workers <= 1, len(p.rec.Tasks()) > mostThreads*min(o.Workers, runtime.GOMAXPROCS(0)), p.rec.MostlyPerf():
		return false
	case o.Play.Limits.Depth > 0, o.Match != nil, o.Layout.Flat, o.Layout.ColumnView, o.Layout.TaskNewline,
		p.rec.Info().Features&uftrace.FeatCallsite != 0:
		return false
	}
	return callstack.Plain(p.rec, &o.Play) && callstack.CanStretch(p.rec, &o.Play)
}

// cut divides the recording into slices if several goroutines can print them.
func (p *printer) cut() {
	if !p.divides() {
		return
	}
	list := p.rec.Slices(record.Options{Workers: p.opts.Workers}, ordered.Piece(p.opts.Workers, pieceBytes))
	if len(list) > 1 || list[0].Cut != nil {
		p.slices = list
	}
}

// inParallel prints the slices. The player of p has played the slices that are printed.
func (p *printer) inParallel(ctx context.Context) error {
	// Of the maximum size, since growing a buffer costs more memory.
	texts := ordered.Buffers{Size: 2 * ordered.TextBytes * int(ordered.Piece(p.opts.Workers, pieceBytes))}
	// A copy, since workers are made while p prints.
	look := p.format.share()
	workers := ordered.MakeWorkers(p.opts.Workers, func() (*worker, error) { return p.newWorker(look) })
	p.shared.first.Store(p.firstTime())
	j := &joiner{printer: p}
	p.shared.fold = fold.New(j)
	err := record.InSlices(ctx, p.slices, p.opts.Workers, func(i int, s record.Slice[uftrace.Entry]) (*piece, error) {
		w, err := workers.Of(i)
		if err != nil {
			return nil, err
		}
		return w.print(ctx, s, texts.Take())
	}, func(x *piece) error {
		defer texts.Give(x.text)
		return j.join(x)
	})
	if err == nil {
		_, err = p.between(j.last, nil)
	}
	return err
}

// newWorker returns a printer that does not know earlier calls.
func (p *printer) newWorker(look format) (*worker, error) {
	player, err := callstack.NewSource(p.rec, p.opts.Play, nil)
	if err != nil {
		return nil, err
	}
	player.Stretches()
	w := &worker{printer: printer{
		opts: p.opts, rec: p.rec, player: player, format: look, progress: progress{begun: true},
		tasks: slices.Clone(p.tasks),
	}, shared: &p.shared, most: 2 * ordered.Text(p.opts.Workers, mostText/2)}
	w.prepareValues()
	return w, nil
}

// print prints a slice.
func (w *worker) print(ctx context.Context, s record.Slice[uftrace.Entry], text *[]byte) (*piece, error) {
	x := &piece{slice: s, text: text, first: w.shared.first.Load()}
	w.countFrom(x.first)
	if names := w.shared.names.Load(); names != nil {
		w.player.Suppose(*names)
	}
	m := s.Merge()
	defer m.Close()
	x.edges.Merger = m
	w.buf, w.shown, w.leaf, w.damaged, w.deltaAt = (*text)[:0], false, false, nil, -1
	w.player.Play(&x.edges)
	if w.shared.fold.GaveUp() {
		w.player.Halt()
	}
	err := w.steps(x)
	if w.player.Halted() { // read on to find the end of the slice
		for err := error(nil); !errors.Is(err, io.EOF); {
			_, _, err = m.NextRun()
		}
	}
	x.stretch, x.shown, x.damaged = w.player.Stretch(), w.shown, w.damaged
	*text, w.buf = w.buf, nil
	return x, cmp.Or(err, ctx.Err())
}

// steps prints the steps of a slice.
func (w *worker) steps(x *piece) error {
	for {
		step, err := w.player.Next()
		if err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			w.damaged = errors.Join(w.damaged, err)
			continue
		}
		if w.player.Halted() {
			return nil
		}
		if w.player.AtEnd() {
			if x.edges.last = held(w.player, step); x.edges.last != nil {
				return nil
			}
		}
		switch kind := step.Entry.Kind; {
		case (kind == uftrace.Leave || kind == uftrace.Event && step.Record.ID == callstack.SchedIn) &&
			step.Frame != nil && step.Frame.Assumed():
			err = w.ended(x, step)
		case kind == uftrace.Event && step.Record.ID == callstack.Callsite, len(w.buf) > w.most:
			w.player.Halt()
			return nil
		default:
			if err = w.step(step); w.deltaAt >= 0 && !w.leaf {
				w.differs(x, step)
			}
		}
		if err != nil {
			return err
		}
	}
}
