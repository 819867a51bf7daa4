package parquet

// rows are the rows of a row group: pieces, and the rows after them.
type rows struct {
	fields []*field
	pieces []*piece
	last   loose
	count  int
	mixed  bool // times step back
	spill  *spill
}

// put encodes rows as the next row group of a part.
func (p *pool) put(to *part, r rows) {
	before, done := to.last, make(chan struct{})
	first := to.rows == int64(r.count)
	to.last = done
	p.jobs <- func(e *encoder) error {
		defer close(done)
		last, err := r.last.columns(r.fields, e)
		if first {
			if err == nil {
				err = to.begin(&r, last, e)
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
		err = to.write(e, &r, last, before)
		if last != nil {
			p.slabs.put(last)
		}
		return err
	}
}

// samples is the number of runs of pieceRows in a sample.
const samples = 8

// sample returns some of the rows, or all if they are few. last holds the last rows.
func (r *rows) sample(last *batch, e *encoder) (*batch, error) {
	n := r.count / pieceRows
	if n == 0 && len(r.pieces) == 0 {
		return last, nil
	}
	some := newBatch(r.fields)
	row, run := 0, 0
	for _, x := range r.pieces {
		at := row / pieceRows
		for run < samples && run*n/samples < at {
			run++
		}
		if n == 0 || run < samples && run*n/samples == at {
			if err := x.load(r.spill, e, some); err != nil {
				return nil, err
			}
		}
		row += x.rows
	}
	if n == 0 && last != nil {
		some.takeFrom(last.appendTo(nil))
	}
	return some, nil
}

// batches calls f with the rows in the order of time. last holds the last rows. Each call has the
// rows of a piece, or all rows if times step back.
func (r *rows) batches(last *batch, e *encoder, f func(*batch) error) error {
	b := newBatch(r.fields)
	for _, x := range r.pieces {
		if err := x.load(r.spill, e, b); err != nil {
			return err
		}
		x.free(e.pool)
		if r.mixed || b.rows%pieceRows != 0 {
			continue
		}
		if err := f(b); err != nil {
			return err
		}
		b.reset()
	}
	switch {
	case last == nil && b.rows == 0:
		return nil
	case last == nil:
		last = b
	case b.rows > 0:
		b.takeFrom(last.appendTo(nil))
		last = b
	}
	if r.mixed {
		last.sort()
	}
	return f(last)
}
