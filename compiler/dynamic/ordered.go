package dynamic

import (
	"context"
	"errors"
	"iter"
	"sync"
)

// Render has several goroutines, workers of them, append events to blocks of bytes, and passes the blocks to out in the order of time. What out
// gets, one block after the other, is the same for every number of workers.
//
// newAppender is called once for each worker, from the goroutine of the caller. Each appender is for one goroutine and may keep what it needs
// from one event to the next, but it sees some of the events only. What is rendered must depend on nothing but the event.
//
// See [Ordered] for out, the errors and what is not read in parallel.
func (r *Reader) Render(workers int, newAppender func() func(dst []byte, ev *Event) ([]byte, error), out func(block []byte) error) error {
	appenders := make([]func([]byte, *Event) ([]byte, error), max(workers, 1))
	for i := range appenders {
		appenders[i] = newAppender()
	}
	return Ordered(r, workers, func(worker int, events iter.Seq[*Event], dst []byte) ([]byte, error) {
		add, dst := appenders[worker], dst[:0]
		var err error
		for ev := range events {
			if dst, err = add(dst, ev); err != nil {
				break
			}
		}
		return dst, err
	}, out)
}

// Ordered reads the events of r in blocks of some thousand, has several goroutines work on blocks, and passes what they make to out in the
// order of time.
//
// work gets the number of the worker that calls it, from 0, of which each works on one block at a time; the events of a block, in time order, to
// be read once; and a T to use again, that out is done with, or the zero T. Types are the same for all workers. Where blocks begin and end does
// not depend on the number of workers. out is called from the goroutine of the caller.
//
// An error of work or out ends the reading, as the context of [WithRecords] does; Ordered returns it when all goroutines have ended. Otherwise it
// returns the errors of streams that failed, after the events of all others: those of [Reader.Err].
//
// With one worker, and where texts depend on the events before, as they do in traces of AIX, all is done on the goroutine of the caller,
// as worker 0.
func Ordered[T any](r *Reader, workers int, work func(worker int, events iter.Seq[*Event], t T) (T, error), out func(T) error) error {
	w := r.source.open(r.records, &r.chosen)
	defer w.close()
	ctx := r.records.Context
	if ctx == nil {
		ctx = context.Background()
	}
	var err error
	if workers <= 1 || r.source.successive() {
		err = inTurn(ctx, r, w, work, out)
	} else {
		p := pipeline[T]{ctx: ctx, reader: r, walker: w, work: work, out: out}
		err = p.run(workers)
	}
	failed := w.err()
	r.err = errors.Join(r.err, failed)
	if err == nil {
		err = failed
	}
	return err
}

// inTurn is Ordered on one goroutine.
func inTurn[T any](ctx context.Context, r *Reader, w walker, work func(int, iter.Seq[*Event], T) (T, error), out func(T) error) error {
	ev := r.newEvent()
	var t T
	for w.seek() {
		room := emptyBlock
		var err error
		t, err = work(0, func(yield func(*Event) bool) { w.each(ev, &room, yield) }, t)
		if err == nil {
			err = ctx.Err()
		}
		if err == nil {
			err = out(t)
		}
		if err != nil {
			return err
		}
		w.each(ev, &room, func(*Event) bool { return true }) // what work did not read
	}
	return nil
}

// pipeline is Ordered on several goroutines: one walks and fills blocks, the workers work on them, and that of the caller passes on what they
// made.
type pipeline[T any] struct {
	ctx    context.Context
	reader *Reader
	walker walker
	work   func(int, iter.Seq[*Event], T) (T, error)
	out    func(T) error

	free   chan *job[T] // to be filled
	filled chan *job[T] // to be worked on
	order  chan *job[T] // the same, to be passed on
	stop   chan struct{}
}

// job is a block on its way.
type job[T any] struct {
	block *block
	made  T
	err   error
	done  chan struct{} // gets one when made and err are there
}

func (p *pipeline[T]) run(workers int) error {
	jobs := 2*workers + 2
	p.free, p.filled, p.order = make(chan *job[T], jobs), make(chan *job[T], jobs), make(chan *job[T], jobs)
	p.stop = make(chan struct{})
	for range jobs {
		p.free <- &job[T]{done: make(chan struct{}, 1)}
	}
	var running sync.WaitGroup
	defer running.Wait()
	defer close(p.stop)
	running.Go(p.walk)
	for i := range workers {
		running.Go(func() { p.serve(i) })
	}
	return p.collect()
}

// walk fills blocks until there are no more events.
func (p *pipeline[T]) walk() {
	defer close(p.order)
	defer close(p.filled)
	ev := new(Event)
	for p.walker.seek() {
		var j *job[T]
		select {
		case j = <-p.free:
		case <-p.stop:
			return
		}
		if j.block == nil {
			j.block = newBlock(p.reader.source.entries())
		}
		j.block.fill(p.walker, ev)
		p.filled <- j
		p.order <- j
	}
}

// serve is what a worker does.
func (p *pipeline[T]) serve(worker int) {
	ev := p.reader.newEvent()
	for j := range p.filled {
		select {
		case <-p.stop: // nobody waits for it
			continue
		default:
		}
		j.made, j.err = p.work(worker, func(yield func(*Event) bool) { j.block.each(ev, yield) }, j.made)
		j.done <- struct{}{}
	}
}

// collect passes on what was made, in order.
func (p *pipeline[T]) collect() error {
	for j := range p.order {
		<-j.done
		err := j.err
		if err == nil {
			err = p.ctx.Err()
		}
		if err == nil {
			err = p.out(j.made)
		}
		if err != nil {
			return err
		}
		p.free <- j
	}
	return nil
}
