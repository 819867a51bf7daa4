package dump

import (
	"math"

	"github.com/tracec/tracec/cmd/internal/report/uftrace/play"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// span decides which records are within -r. Elapsed times count from the first record of the first file.
type span struct {
	opts     play.Range
	all      bool
	begun    bool
	from, to uint64 // once it has begun
}

func newSpan(r play.Range) span { return span{opts: r, all: r == play.Range{}} }

// holds says whether a time is within. The first one that it is asked for is the zero point.
func (s *span) holds(t uint64) bool {
	if s.all {
		return true
	}
	if !s.begun {
		s.begin(t)
	}
	return t >= s.from && t <= s.to
}

func (s *span) begin(zero uint64) {
	s.begun, s.from, s.to = true, s.opts.From, s.opts.To
	if s.opts.FromElapsed {
		s.from += zero
	}
	if s.opts.ToElapsed {
		s.to += zero
	}
	if s.opts.To == 0 {
		s.to = math.MaxUint64
	}
}

// within is a stream of the records within the span, as the player reads it: all that it yields is one run.
type within struct {
	s    *uftrace.Stream
	span *span
	recs []record.Record
	ents []uftrace.Entry
}

// NextRun implements play.Source.
func (w *within) NextRun() ([]record.Record, []uftrace.Entry, error) {
	for {
		recs, err := w.s.Next()
		ents := w.s.Entries()
		if w.span.all || err != nil {
			return recs, ents, err
		}
		w.recs, w.ents = w.recs[:0], w.ents[:0]
		for i := range recs {
			if w.span.holds(recs[i].Time) {
				w.recs, w.ents = append(w.recs, recs[i]), append(w.ents, ents[i])
			}
		}
		if len(w.recs) > 0 {
			return w.recs, w.ents, nil
		}
	}
}
