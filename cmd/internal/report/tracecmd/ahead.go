package tracecmd

import "github.com/tracec/tracec/runtime/record"

// ahead is a stream that lets the printer look at the record after the current one, which the function graph
// needs: a call without inner calls is one line made of an entry and the exit that follows on the same CPU.
//
// What a batch aliases is gone with the next batch, so that the last record of each batch is kept back,
// copied, and comes out at the head of the next one.
type ahead struct {
	stream record.Stream
	batch  []record.Record
	bufs   [2][]byte // data of the record kept back, by turns: that of the one before is still in batch
	turn   int
	last   record.Record // kept back
	have   bool          // last is valid
	err    error

	taken    int  // records of batch that the printer has taken
	consumed bool // the next record has been printed with its predecessor
}

// Next implements record.Stream.
func (a *ahead) Next() ([]record.Record, error) {
	a.batch, a.taken = a.batch[:0], 0
	for {
		if a.have {
			a.batch = append(a.batch, a.last)
			a.have = false
		}
		switch {
		case a.err == nil:
		case len(a.batch) > 0:
			return a.batch, nil
		default:
			return nil, a.err
		}
		var next []record.Record
		next, a.err = a.stream.Next()
		n := len(next) - 1
		if n < 0 {
			continue
		}
		a.batch = append(a.batch, next[:n]...)
		a.keep(next[n])
		if len(a.batch) > 0 {
			return a.batch, nil
		}
	}
}

func (a *ahead) keep(r record.Record) {
	a.turn = 1 - a.turn
	a.bufs[a.turn] = append(a.bufs[a.turn][:0], r.Data...)
	a.last, a.have = r, true
	a.last.Data = a.bufs[a.turn]
}

// take counts a record as taken and reports whether it has been printed already.
func (a *ahead) take() (printed bool) {
	a.taken++
	printed, a.consumed = a.consumed, false
	return printed
}

// peek returns the record after the last one taken, nil at the end and when events were lost before it.
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
