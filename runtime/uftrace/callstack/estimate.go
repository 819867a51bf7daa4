package callstack

import (
	"errors"
	"io"

	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// interval is a time off the processor.
type interval struct {
	out, in uint64
}

// estimate corrects the exits of a recording whose times of exits were estimated (uftrace.md 2.5).
// The recorder placed the first exit after a call halfway to the next call, and did not know the
// scheduler. If an exit is at a time at which its thread is off the processor, or after that, it is
// moved halfway between the thread's return and the next call.
type estimate struct {
	uftrace.Reader
	times []interval // of the thread, in order; 16 bytes each
	recs  []record.Record

	entries []uint64 // times of the open calls by their depth; 0 if unknown
	exit    uint64   // time of the last moved exit, 0 if it was not moved
}

// Next implements uftrace.Reader.
func (s *estimate) Next() (record.Batch[uftrace.Entry], error) {
	batch, err := s.Reader.Next()
	ents := batch.Entries
	s.recs = append(s.recs[:0], batch.Records...)
	for i := range s.recs {
		r := &s.recs[i]
		switch ents[i].Kind {
		case uftrace.Enter:
			s.exit = 0
			for len(s.entries) <= int(ents[i].Depth) {
				s.entries = append(s.entries, 0)
			}
			s.entries[ents[i].Depth] = r.Time
		case uftrace.Leave:
			switch {
			case s.exit != 0:
				s.exit++
				r.Time = s.exit
			case int(ents[i].Depth) < len(s.entries) && s.entries[ents[i].Depth] != 0:
				if t := s.move(s.entries[ents[i].Depth], r.Time); t != r.Time {
					r.Time, s.exit = t, t
				}
			}
		}
	}
	return record.Batch[uftrace.Entry]{Records: s.recs, Entries: ents}, err
}

// move returns the corrected time of an estimated exit.
func (s *estimate) move(entry, exit uint64) uint64 {
	for len(s.times) > 0 && s.times[0].out < entry {
		s.times = s.times[1:]
	}
	next := 2*exit - entry // approximate time of the next call
	for len(s.times) > 0 && s.times[0].out < exit {
		in := s.times[0].in
		s.times = s.times[1:]
		exit = in + 1
		if next > in {
			exit += (next - in) / 2
		}
	}
	return exit
}

// schedules collects the times at which each thread was off the processor.
func (p *Player) schedules() ([][]interval, error) {
	all := make([][]interval, len(p.tasks))
	outs := make([]uint64, len(p.tasks))
	m := record.Merge(p.rec.PerfStreams(), nil)
	var failed error
	for {
		run, _, err := m.NextRun()
		if errors.Is(err, io.EOF) {
			return all, failed
		}
		if err != nil {
			failed = errors.Join(failed, err)
			continue
		}
		for i := range run {
			r := &run[i]
			t := p.byTID.find(r.Task)
			if t == nil {
				continue
			}
			switch r.ID {
			case SchedOut, SchedOutPreempt:
				outs[t.Index] = r.Time
			case SchedIn:
				if out := outs[t.Index]; out != 0 {
					all[t.Index] = append(all[t.Index], interval{out, r.Time})
					outs[t.Index] = 0
				}
			}
		}
	}
}
