package parquet

import (
	"sync"
	"sync/atomic"

	pq "github.com/parquet-go/parquet-go"
)

// pool encodes batches beside the reader of a recording.
type pool struct {
	jobs    chan func(*encoder) error
	workers sync.WaitGroup
	failed  atomic.Pointer[error]
	once    sync.Once
	slabs   slabs
}

func newPool(workers int) *pool {
	p := &pool{jobs: make(chan func(*encoder) error)}
	for range workers {
		p.workers.Go(func() {
			e := &encoder{values: make([]pq.Value, 0, slab)}
			for job := range p.jobs {
				if err := job(e); err != nil {
					p.failed.CompareAndSwap(nil, &err)
				}
			}
		})
	}
	return p
}

// put has a batch encoded as the next row group of a part.
func (p *pool) put(to *part, b *batch) {
	before, done := to.last, make(chan struct{})
	first := to.rows == int64(b.rows)
	to.last = done
	p.jobs <- func(e *encoder) error {
		defer close(done)
		if first {
			err := to.begin(b)
			close(to.begun)
			if err != nil {
				return err
			}
		}
		<-to.begun
		if p.err() != nil {
			return nil
		}
		err := to.write(e, b, before)
		p.slabs.put(b)
		return err
	}
}

// end ends a part.
func (p *pool) end(to *part) {
	before := to.last
	p.jobs <- func(*encoder) error {
		<-before
		if p.err() != nil {
			return nil
		}
		return to.end()
	}
}

// err returns the first error so far.
func (p *pool) err() error {
	if err := p.failed.Load(); err != nil {
		return *err
	}
	return nil
}

// wait ends the work and returns the first error.
func (p *pool) wait() error {
	p.close()
	return p.err()
}

func (p *pool) close() {
	p.once.Do(func() { close(p.jobs) })
	p.workers.Wait()
}
