// Package ordered works on blocks of a sequence with several goroutines, and passes on what they
// make in the order of the sequence.
package ordered

import (
	"context"
	"errors"
	"io"
	"sync"
)

// Apart is room that keeps what one goroutine writes all the time out of the cache lines of what
// others read or write. It is for both ends of blocks and of what workers have each: what is made
// one after the other is side by side in memory.
type Apart [128]byte

// Steps are what is done with blocks of type B, each of which is used again and again.
type Steps[B any] struct {
	// New makes a block.
	New func() B
	// Fill puts what comes next into a block. It is called on one goroutine, which is not that of
	// the caller. An error ends the sequence: the block is not passed on, those before it are.
	// io.EOF is the end without an error.
	Fill func(B) error
	// Work makes something of a block, which is the worker's until then. Workers count from 0 and
	// work on one block at a time.
	Work func(worker int, b B) error
	// Out receives the blocks in the order they were filled in, on the goroutine of the caller.
	Out func(B) error
}

// mostWorkers bounds the workers of Run: one goroutine fills the blocks of all, and more would wait
// for it and take memory.
const mostWorkers = 16

// Run takes the steps for all blocks, of which there are 2*workers+2 at a time, with mostWorkers
// workers at most. It ends with the first error, in the order of the sequence, of a step or of ctx,
// and returns when no goroutine of it runs any more.
func Run[B any](ctx context.Context, workers int, s Steps[B]) error {
	workers = min(workers, mostWorkers)
	blocks := 2*workers + 2
	p := pipeline[B]{Steps: s, free: make(chan *job[B], blocks), filled: make(chan *job[B], blocks), order: make(chan *job[B], blocks), stop: make(chan struct{})}
	var running sync.WaitGroup
	defer running.Wait()
	defer close(p.stop)
	running.Go(func() { p.fill(blocks) })
	for i := range workers {
		running.Go(func() { p.work(i) })
	}
	return p.collect(ctx)
}

type pipeline[B any] struct {
	Steps[B]
	free   chan *job[B] // to be filled again
	filled chan *job[B] // to be worked on
	order  chan *job[B] // the same, to be passed on
	stop   chan struct{}
}

// job is a block on its way.
type job[B any] struct {
	block B
	err   error
	done  chan struct{} // gets one when err is there
}

// fill fills blocks, of which it makes as many as are needed, until there is nothing more.
func (p *pipeline[B]) fill(blocks int) {
	defer close(p.order)
	defer close(p.filled)
	for {
		j, ok := p.next(&blocks)
		if !ok {
			return
		}
		if err := p.Fill(j.block); err != nil {
			j.err = err
			j.done <- struct{}{}
			p.order <- j
			return
		}
		p.filled <- j
		p.order <- j
	}
}

// next returns a job whose block is free, a new one as long as there may be more. It returns false
// when nobody wants it.
func (p *pipeline[B]) next(more *int) (*job[B], bool) {
	select {
	case <-p.stop:
		return nil, false
	default:
	}
	select {
	case j := <-p.free:
		return j, true
	default:
	}
	if *more > 0 {
		*more--
		return &job[B]{block: p.New(), done: make(chan struct{}, 1)}, true
	}
	select {
	case j := <-p.free:
		return j, true
	case <-p.stop:
		return nil, false
	}
}

// work is what a worker does.
func (p *pipeline[B]) work(worker int) {
	for j := range p.filled {
		select {
		case <-p.stop: // nobody waits for it
			continue
		default:
		}
		j.err = p.Work(worker, j.block)
		j.done <- struct{}{}
	}
}

// collect passes on the blocks in order.
func (p *pipeline[B]) collect(ctx context.Context) error {
	for j := range p.order {
		<-j.done
		err := j.err
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = ctx.Err()
		}
		if err == nil {
			err = p.Out(j.block)
		}
		if err != nil {
			return err
		}
		p.free <- j
	}
	return nil
}
