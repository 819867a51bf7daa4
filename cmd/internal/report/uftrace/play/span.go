package play

import (
	"errors"
	"io"
	"math"

	"github.com/tracec/tracec/runtime/uftrace"
)

// span is a range of times with both ends absolute.
type span struct {
	from, to uint64
}

// resolve makes the bounds of -r absolute: elapsed time counts from the earliest record of a thread, which it returns
// when it needs it.
func (r Range) resolve(rec *uftrace.Recording) (span, uint64, error) {
	s := span{from: r.From, to: r.To}
	if r.To == 0 {
		s.to = math.MaxUint64
	}
	if !r.FromElapsed && !r.ToElapsed {
		return s, 0, nil
	}
	first, err := firstTime(rec)
	if err != nil {
		return s, 0, err
	}
	if r.FromElapsed {
		s.from += first
	}
	if r.ToElapsed && r.To != 0 {
		s.to += first
	}
	return s, first, nil
}

// firstTime is the time of the earliest record of a thread, 0 without records.
func firstTime(rec *uftrace.Recording) (uint64, error) {
	m := rec.Merge(uftrace.MergeOptions{NoKernel: true, NoPerf: true, NoExtern: true})
	for {
		recs, ents, err := m.NextRun()
		if errors.Is(err, io.EOF) {
			return 0, nil
		}
		if err != nil {
			return 0, err
		}
		for i := range ents {
			if ents[i].Kind != uftrace.Lost {
				return recs[i].Time, nil
			}
		}
	}
}
