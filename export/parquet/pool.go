package parquet

import (
	"sync"
	"sync/atomic"

	pq "github.com/parquet-go/parquet-go"

	"github.com/tracec/tracec"
)

// pool encodes batches in parallel with the reader of a recording.
type pool struct {
	jobs    chan func(*encoder) error
	workers sync.WaitGroup
	failed  atomic.Pointer[error]
	once    sync.Once
	slabs   slabs
	reader  *tracec.Reader
	waiting atomic.Int64 // bytes of waiting pieces
	mu      sync.Mutex
	free    []*tracec.Copies
}

func newPool(workers int, r *tracec.Reader) *pool {
	p := &pool{jobs: make(chan func(*encoder) error, 4), reader: r}
	for range workers {
		e := &encoder{pool: p, values: make([]pq.Value, 0, slab), event: r.NewEvent()}
		p.workers.Go(func() {
			for job := range p.jobs {
				p.fail(job(e))
			}
		})
	}
	return p
}

// end ends a part.
func (p *pool) end(to *part) {
	before := to.last
	p.jobs <- func(*encoder) error {
		<-before
		if p.err() != nil || to.writer == nil {
			return nil
		}
		return to.end()
	}
}

// fail keeps the first non-nil error.
func (p *pool) fail(err error) {
	if err != nil {
		p.failed.CompareAndSwap(nil, &err)
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
