package tracecmd

import (
	"errors"
	"io"

	"github.com/tracec/tracec/runtime/record"
)

// ahead is the stream of a whole buffer, in time order, with a look at the next record. The
// function graph needs it: a call during which nothing else was recorded is one line for its entry
// and the exit that follows.
//
// A run of the merger is invalid after the next run. So the last record of each run is copied, kept
// back, and returned at the head of the next batch.
type ahead struct {
	merger *record.Merger[record.None]
	damage func(error) // called for streams that fail; reading continues with the others

	batch []record.Record
	bufs  [2][]byte // data of the kept record, alternating: the previous one is still in batch
	turn  int
	last  record.Record // the record that is kept back
	have  bool          // last is valid
	ended bool

	taken    int  // number of records of batch that the printer has taken
	consumed bool // the next record has been printed with the previous one
}

// Next implements record.Stream.
func (a *ahead) Next() (record.Batch[record.None], error) {
	a.batch, a.taken = a.batch[:0], 0
	for {
		if a.have {
			a.batch = append(a.batch, a.last)
			a.have = false
		}
		if len(a.batch) > 0 && !a.ended && !a.merger.Ready() { // the next record may take long
			return record.Plain(a.batch), nil
		}
		switch {
		case !a.ended:
		case len(a.batch) > 0:
			return record.Plain(a.batch), nil
		default:
			return record.Batch[record.None]{}, io.EOF
		}
		run, _, err := a.merger.NextRun()
		switch {
		case errors.Is(err, io.EOF):
			a.ended = true
			continue
		case err != nil:
			a.damage(err)
			continue
		}
		n := len(run) - 1
		a.batch = append(a.batch, run[:n]...)
		a.keep(run[n])
		if len(a.batch) > 0 {
			return record.Plain(a.batch), nil
		}
	}
}

func (a *ahead) keep(r record.Record) {
	a.turn = 1 - a.turn
	a.bufs[a.turn] = append(a.bufs[a.turn][:0], r.Data...)
	a.last, a.have = r, true
	a.last.Data = a.bufs[a.turn]
}

// take counts a record as taken, and reports whether it has already been printed.
func (a *ahead) take() (printed bool) {
	a.taken++
	printed, a.consumed = a.consumed, false
	return printed
}

// peek returns the record after the last one taken. It returns nil at the end, and if events were
// lost before that record.
func (a *ahead) peek() *record.Record {
	var next *record.Record
	switch {
	case a.taken < len(a.batch):
		next = &a.batch[a.taken]
	case a.have:
		next = &a.last
	default:
		return nil
	}
	if next.Lost != 0 {
		return nil
	}
	return next
}
