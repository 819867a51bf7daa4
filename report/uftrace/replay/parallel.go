package replay

import (
	"cmp"
	"context"
	"errors"
	"io"
	"runtime"
	"slices"
	"sync/atomic"

	"github.com/tracec/tracec/internal/ordered"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// pieceBytes is about how many bytes of a recording a worker prints at once. Tests change it.
var pieceBytes int64 = 512 << 10

const (
	// mostText is of a piece: what has more, as with long names, is printed in turn.
	mostText = 16 << 20
	// mostThreads for each processor are cut into pieces: each piece reads a little of each thread anew.
	mostThreads = 64
	// mostMisfits follow each other until workers no longer print.
	mostMisfits = 8
)

// piece is the text of a slice, made without knowing which calls were open before it.
type piece struct {
	slice   record.Slice[uftrace.Entry]
	edges   edges
	stretch *callstack.Stretch
	text    *[]byte
	holes   []int // where durations of calls belong that began before: one for each of stretch.Ended; -1 without the column
	shown   bool
	damaged error
}

// worker prints pieces.
type worker struct {
	printer
	hopeless *atomic.Bool // that of all
}

// divides reports whether several goroutines can print: whether lines depend on those before them by the durations of calls alone, which all have the same
// width.
func (p *printer) divides() bool {
	o := &p.opts
	return o.Workers > 1 && p.apart() && callstack.Plain(p.rec, &o.Options) && p.rec.OnlyThreads() && !p.rec.Follows() && len(p.rec.Tasks()) <= mostThreads*min(o.Workers, runtime.GOMAXPROCS(0)) &&
		o.Match == nil && !o.Flat && !o.ColumnView && !o.TaskNewline && p.rec.Info().Features&uftrace.FeatCallsite == 0
}

// apart reports whether columns follow from the record and the duration of its call alone, and have the same width whatever that is.
func (p *printer) apart() bool {
	for _, f := range p.fields {
		switch f {
		case duration, tid, timestamp, taskName:
		default:
			return false
		}
	}
	return p.opts.Color == nil
}

// cut cuts the recording into slices, where several goroutines can print them.
func (p *printer) cut() {
	if !p.divides() {
		return
	}
	list := p.rec.Slices(record.Options{Workers: p.opts.Workers}, pieceBytes)
	if len(list) > 1 || list[0].Cut != nil {
		p.slices = list
	}
}

// inParallel prints the slices. What the player has played is what has been printed.
func (p *printer) inParallel(ctx context.Context) error {
	workers := make([]*worker, p.opts.Workers+1) // one of them prints anew what began at the wrong place
	var texts ordered.Buffers
	names := p.names.share() // here: workers are made while p prints
	var last *kept           // of the pieces so far: it is not printed yet
	err := record.InSlices(ctx, p.slices, p.opts.Workers, func(i int, s record.Slice[uftrace.Entry]) (*piece, error) {
		w := workers[i]
		if w == nil {
			var err error
			if w, err = p.newWorker(names); err != nil {
				return nil, err
			}
			workers[i] = w
		}
		return w.print(ctx, s, texts.Take())
	}, func(x *piece) (err error) {
		defer texts.Give(x.text)
		last, err = p.join(x, last)
		return err
	})
	if err == nil {
		err = p.between(last, nil)
	}
	return err
}

// newWorker returns a printer that knows nothing of the calls before what it prints.
func (p *printer) newWorker(names names) (*worker, error) {
	player, err := callstack.NewSource(p.rec, p.opts.Options, nil)
	if err != nil {
		return nil, err
	}
	player.Stretches()
	w := &worker{printer{
		opts: p.opts, player: player, rec: p.rec, fields: p.fields, colors: p.colors, plain: p.plain, brief: p.brief, names: names, tasks: slices.Clone(p.tasks), begun: true,
	}, &p.hopeless}
	w.prepareValues()
	return w, nil
}

// print prints a slice.
func (w *worker) print(ctx context.Context, s record.Slice[uftrace.Entry], text *[]byte) (*piece, error) {
	x := &piece{slice: s, text: text}
	m := s.Merge()
	defer m.Close()
	x.edges.Merger = m
	w.buf, w.shown, w.leaf, w.damaged = (*text)[:0], false, false, nil
	w.player.Play(&x.edges)
	if w.hopeless.Load() {
		w.player.Halt()
	}
	err := w.steps(x)
	if w.player.Halted() { // where the slice ends must be known
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
		if w.player.Halted() || w.player.AtEnd() && x.edges.takes(w.player, step) {
			return nil
		}
		switch kind := step.Entry.Kind; {
		case kind == uftrace.Leave && step.Frame.Assumed():
			step.Total = 0
			err = w.step(step)
			x.holes = append(x.holes, w.durationAt)
		case kind == uftrace.Event && step.Record.ID == callstack.Callsite, len(w.buf) > mostText:
			w.player.Halt()
			return nil
		default:
			err = w.step(step)
		}
		if err != nil {
			return err
		}
	}
}
