package callstack

import (
	"errors"
	"io"

	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// shortSchedules has a bit for each event of perf files in time order. It is set for times off the
// processor that -t hides. Only the end of such a time, which may be in the file of another
// processor, shows whether it is too short. So the files are read once in advance. This costs one
// bit per event.
type shortSchedules struct {
	bits []uint64
	pos  uint64
}

// next reports whether the next event is hidden. It must be called for every event of a perf file,
// in order.
func (s *shortSchedules) next() bool {
	hidden := s.hidden()
	s.pos++
	return hidden
}

// pass skips a record that is not needed, such as a record of another thread.
func (s *shortSchedules) pass(e *uftrace.Entry) {
	if e.Source == uftrace.Perf {
		s.pos++
	}
}

// hidden returns the bit of the event that next returns.
func (s *shortSchedules) hidden() bool {
	i := s.pos
	return i>>6 < uint64(len(s.bits)) && s.bits[i>>6]>>(i&63)&1 != 0
}

func (s *shortSchedules) hide(i uint64) {
	s.bits[i>>6] |= 1 << (i & 63)
}

// firstPerf returns the time of the first event of the first perf file that has one, or 0. For -t
// and for dump --chrome, uftrace 0.13 counts elapsed times from there.
func firstPerf(rec *uftrace.Recording) uint64 {
	for _, r := range rec.PerfStreams() {
		for {
			batch, err := r.Next()
			if len(batch.Records) > 0 {
				return batch.Records[0].Time
			}
			if err != nil {
				break // a file that cannot be read is reported when it is played
			}
		}
	}
	return 0
}

// leaving is the event by which a thread has left its processor.
type leaving struct {
	index, time uint64
	open        bool
}

// survey finds the schedules that are shorter than a time.
func (s *shortSchedules) survey(rec *uftrace.Recording, byTID *tidTable, least uint64) error {
	streams := rec.PerfStreams()
	if len(streams) == 0 {
		return nil
	}
	outs := make([]leaving, len(rec.Tasks()))
	m := record.Merge(streams, nil)
	var failed error
	for i := uint64(0); ; {
		run, _, err := m.NextRun()
		if errors.Is(err, io.EOF) {
			return failed
		}
		if err != nil {
			failed = errors.Join(failed, err)
			continue
		}
		for k := range run {
			r := &run[k]
			if i>>6 >= uint64(len(s.bits)) {
				s.bits = append(s.bits, 0)
			}
			if t := byTID.find(r.Task); t != nil {
				switch o := &outs[t.Index]; r.ID {
				case SchedOut, SchedOutPreempt:
					*o = leaving{i, r.Time, true}
				case SchedIn:
					if o.open && r.Time-o.time < least {
						s.hide(o.index)
						s.hide(i)
					}
					o.open = false
				}
			}
			i++
		}
	}
}
