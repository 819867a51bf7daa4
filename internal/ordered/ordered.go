// Package ordered processes blocks in parallel and delivers the results in order.
package ordered

import (
	"context"
	"errors"
	"io"
	"sync"
)

// Apart is padding that keeps data of one goroutine out of the cache lines of others. It belongs at
// both ends of blocks and of the data of each worker, since consecutive allocations are adjacent in
// memory.
type Apart [128]byte

// Steps are the steps of processing blocks of type B. Blocks are reused.
type Steps[B any] struct {
	// New makes a block.
	New func() B
	// Fill puts the next items into a block. It runs on one goroutine, which is not the caller's.
	// An error ends the sequence. The block is then not passed on, but earlier blocks are. io.EOF
	// ends the sequence without an error.
	Fill func(B) error
	// Work processes a block, which meanwhile belongs to the worker. Workers are numbered from 0
	// and have one block at a time.
	Work func(worker int, b B) error
	// Out receives the blocks in the order of Fill, on the goroutine of the caller.
	Out func(B) error
}

// mostWorkers bounds the workers of Run. One goroutine fills all blocks, so more workers would only
// wait for it and take memory.
const mostWorkers = 16

// Run runs the steps for all blocks, with at most mostWorkers workers and 2*workers+2 blocks at a
// time. It ends with the first error, in the order of the sequence, of a step or of ctx. It returns
// when all its goroutines have ended.
func Run[B any](ctx context.Context, workers int, s Steps[B]) error {
	workers = min(workers, mostWorkers)
	blocks := 2*workers + 2
	p := pipeline[B]{Steps: s, free: make(chan *job[B], blocks), filled: make(chan *job[B], blocks),
		order: make(chan *job[B], blocks), stop: make(chan struct{})}
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
	free   chan *job[B] // blocks to fill
	filled chan *job[B] // blocks to process
	order  chan *job[B] // the same blocks, to pass on in order
	stop   chan struct{}
}

// job is a block in the pipeline.
type job[B any] struct {
	block B
	err   error
	done  chan struct{} // receives a value once err is set
}

// fill fills blocks until the end. It makes blocks as needed.
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

// next returns a job with a free block, or a new job while more are allowed. It returns false if
// the pipeline has stopped.
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

// work runs a worker.
func (p *pipeline[B]) work(worker int) {
	for j := range p.filled {
		select {
		case <-p.stop: // nobody waits for the result
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
