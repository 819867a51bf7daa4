package parquet

import (
	"slices"
	"sync"
	"sync/atomic"

	pq "github.com/parquet-go/parquet-go"

	"github.com/tracec/tracec/compiler/dynamic"
)

// pool encodes batches beside the reader of a recording.
type pool struct {
	jobs    chan func(*encoder) error
	workers sync.WaitGroup
	failed  atomic.Pointer[error]
	once    sync.Once
	slabs   slabs
	reader  *dynamic.Reader
	mu      sync.Mutex
	free    []*dynamic.Events
}

func newPool(workers int, r *dynamic.Reader) *pool {
	p := &pool{jobs: make(chan func(*encoder) error, 4), reader: r}
	for range workers {
		e := &encoder{values: make([]pq.Value, 0, slab), event: r.NewEvent()}
		p.workers.Go(func() {
			for job := range p.jobs {
				if err := job(e); err != nil {
					p.failed.CompareAndSwap(nil, &err)
				}
			}
		})
	}
	return p
}

// rows are what becomes a row group: a batch, or copies of events, and the batches before in the temporary file.
type rows struct {
	fields []*field
	batch  *batch
	copies []*dynamic.Events
	kept   []extent
	count  int
	spill  *spill
}

// load returns all rows as one batch.
func (r *rows) load(p *pool, e *encoder) (*batch, error) {
	if r.copies != nil {
		var err error
		if r.batch, err = p.columns(r.fields, r.copies, e); err != nil {
			return nil, err
		}
	}
	if len(r.kept) == 0 {
		return r.batch, nil
	}
	b := newBatch(r.fields)
	for _, x := range r.kept {
		if err := r.spill.load(x, b); err != nil {
			return nil, err
		}
	}
	if r.batch != nil {
		b.rows += r.batch.rows
		for i := range b.columns {
			b.columns[i].takeFrom(r.batch.columns[i].appendTo(nil))
		}
	}
	b.mixed = !slices.IsSorted(b.columns[0].wide)
	return b, nil
}

// put has rows encoded as the next row group of a part.
func (p *pool) put(to *part, r rows) {
	before, done := to.last, make(chan struct{})
	first := to.rows == int64(r.count)
	to.last = done
	p.jobs <- func(e *encoder) error {
		defer close(done)
		b, err := r.load(p, e)
		if first {
			if err == nil {
				err = to.begin(b)
			}
			close(to.begun)
		}
		if err != nil {
			return err
		}
		<-to.begun
		if p.err() != nil || to.writer == nil {
			return nil
		}
		err = to.write(e, b, before)
		p.slabs.put(b)
		return err
	}
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
