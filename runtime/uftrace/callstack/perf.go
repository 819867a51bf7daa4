package callstack

import (
	"errors"
	"io"

	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// shortSchedules tells, of the events of perf files in time order, which are a time off the processor that -t hides.
// Whether one is too short is known at its end, which may be in the file of another processor, so that the files are
// read once before. It costs a bit an event.
type shortSchedules struct {
	bits []uint64
	pos  uint64
}

// next says whether the next event is hidden. Every event of a perf file must be asked for, in its order.
func (s *shortSchedules) next() bool {
	i := s.pos
	s.pos++
	return i>>6 < uint64(len(s.bits)) && s.bits[i>>6]>>(i&63)&1 != 0
}

func (s *shortSchedules) hide(i uint64) {
	s.bits[i>>6] |= 1 << (i & 63)
}

// surveyPerf finds the schedules that -t hides. Elapsed times then count from the first record of the first perf file.
func (p *Player) surveyPerf() error {
	streams := p.rec.PerfStreams()
	if len(streams) == 0 {
		return nil
	}
	type out struct {
		index, time uint64
		open        bool
	}
	outs := make([]out, len(p.tasks))
	m := record.Merge(streams, nil)
	first := int32(len(streams))
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
			if r.Stream < first && p.byTID.find(r.Task) != nil {
				first, p.first = r.Stream, r.Time
			}
			if i>>6 >= uint64(len(p.short.bits)) {
				p.short.bits = append(p.short.bits, 0)
			}
			if t := p.byTID.find(r.Task); t != nil {
				switch o := &outs[t.Index]; r.ID {
				case uftrace.EventSchedOut, uftrace.EventSchedOutPre:
					*o = out{i, r.Time, true}
				case uftrace.EventSchedIn:
					if o.open && r.Time-o.time < p.opts.Time {
						p.short.hide(o.index)
						p.short.hide(i)
					}
					o.open = false
				}
			}
			i++
		}
	}
}
