package parquet

import (
	"errors"
	"slices"

	"github.com/klauspost/compress/s2"

	"github.com/tracec/tracec"
)

// Rows wait for the rest of their row group in pieces. The columns of a piece take a third of the
// memory of the events, which matters since a hundred tables may fill up at the same time. Pieces
// end at multiples of pieceRows in the row group. Only pieces in the temporary file are smaller. So
// a file does not depend on the available memory.
const pieceRows = slab

// mostPlain is the number of bytes of pieces above which later pieces are compressed. Compression
// takes a fifth of the time of an export of texts.
const mostPlain = 16 << 20

// piece holds rows of a table.
type piece struct {
	rows       int
	ready      chan struct{} // closed when data is there
	data       []byte        // in the form of appendTo; nil if the piece is in the temporary file
	at         extent        // place in the temporary file
	compressed bool
}

// loose holds rows that are not in a piece: a batch, or copies of events. Both are nil without
// rows.
type loose struct {
	batch  *batch
	copies *tracec.Copies
}

// rows returns the number of rows.
func (l loose) rows() int {
	switch {
	case l.copies != nil:
		return l.copies.Len()
	case l.batch != nil:
		return l.batch.rows
	}
	return 0
}

// columns returns the columns of the rows. Any goroutine may call it with its own encoder.
func (l loose) columns(fields []*field, e *encoder) (*batch, error) {
	if l.copies == nil {
		return l.batch, nil
	}
	return e.columns(fields, l.copies)
}

// pack compresses rows on another goroutine.
func (p *pool) pack(fields []*field, l loose) *piece {
	to := &piece{rows: l.rows(), ready: make(chan struct{})}
	p.jobs <- func(e *encoder) error {
		defer close(to.ready)
		b, err := l.columns(fields, e)
		if err != nil {
			p.fail(err) // before others see that data is missing
			return nil
		}
		e.piece = b.appendTo(e.piece[:0])
		data := e.piece
		if to.compressed = p.waiting.Load() > mostPlain; to.compressed {
			e.packed = s2.Encode(e.packed[:cap(e.packed)], data)
			data = e.packed
		}
		to.data = slices.Clone(data)
		p.waiting.Add(int64(len(data)))
		p.slabs.put(b)
		return nil
	}
	return to
}

// pack makes a piece of the last rows of a table.
func (t *table) pack() {
	t.packed.pieces = append(t.packed.pieces, t.pool.pack(t.fields, t.take()))
}

// take removes and returns the last rows of a table.
func (t *table) take() loose {
	l := t.last
	t.last = loose{}
	if t.before.rows = l.rows(); l.batch != nil {
		for i := range l.batch.columns {
			t.before.bytes[i] = len(l.batch.columns[i].bytes)
		}
	}
	return l
}

// errPiece follows an error of the encoder that should have made a piece. Only the encoder's error
// is reported.
var errPiece = errors.New("a piece of a row group was not made")

// load appends the rows of a piece to a batch of its table.
func (x *piece) load(from *spill, e *encoder, b *batch) (err error) {
	<-x.ready
	data := x.data
	if data == nil {
		if x.at.size == 0 {
			return errPiece
		}
		e.packed = slices.Grow(e.packed[:0], x.at.size)[:x.at.size]
		data = e.packed
		if err := from.read(x.at, data); err != nil {
			return err
		}
	}
	if x.compressed {
		if e.piece, err = s2.Decode(e.piece[:cap(e.piece)], data); err != nil {
			return err
		}
		data = e.piece
	}
	b.takeFrom(data)
	return nil
}

// free releases the memory of a piece.
func (x *piece) free(p *pool) {
	p.waiting.Add(-int64(len(x.data)))
	x.data = nil
}

// away moves a piece to the temporary file.
func (x *piece) away(p *pool, to *spill) (err error) {
	<-x.ready
	if x.data != nil {
		x.at, err = to.put(x.data)
		x.free(p)
	}
	return err
}
