package callstack

import (
	"sort"

	"github.com/tracec/tracec/runtime/record"
)

// minimum is the least duration of shown calls, from a time on.
type minimum struct{ from, time uint64 }

const minimumBytes = 16

// minimums are the minimums of a thread, in the order of their times.
type minimums struct {
	list  []minimum
	until uint64 // they are known up to here
}

// add adds the minimum that is valid until a time.
func (m *minimums) add(least, until uint64) {
	if n := len(m.list); n == 0 || m.list[n-1].time != least {
		m.list = append(m.list, minimum{m.until, least})
	}
	m.until = until
}

// kernelLimits finds the minimums that time= triggers of a thread's own functions set for its
// functions of the kernel. It reads the files of all threads.
//
// uftrace 0.13 reads each file ahead, up to an exit that passes. When it has shown the records
// before that, it reads on. A function of the kernel has the minimum at the place up to which the
// file of its thread has been read then. This was found by comparing replays with uftrace 0.13.
func (p *Player) kernelLimits() (map[int32][]minimum, error) {
	opts := p.opts
	opts.Hooks = Hooks{}
	own, err := NewSource(p.rec, opts, nil)
	if err != nil {
		return nil, err
	}
	all := map[int32][]minimum{}
	for i, s := range p.rec.Streams(record.Options{}) {
		tid := p.rec.Tasks()[i].TID
		q := own.newQueue(own.byTID.find(tid), s)
		q.notes = &minimums{}
		for held := 0; ; held = cap(q.notes.list) {
			_, end := q.Next() // the merge reports an error
			if end != nil {
				q.notes.add(q.minTime, q.passed)
			}
			if err := p.rec.Hold(int64(cap(q.notes.list)-held) * minimumBytes); err != nil {
				return nil, err
			}
			if end != nil {
				break
			}
		}
		all[tid] = q.notes.list
	}
	return all, nil
}

// minimum returns the least duration of shown calls of a thread.
func (q *queue) minimum(tid int32) uint64 {
	if q.kernel == nil || len(q.limits) > 0 {
		return q.minTime
	}
	list := q.kernel[tid]
	n := sort.Search(len(list), func(i int) bool { return list[i].from > q.passed })
	if n == 0 {
		return q.minTime
	}
	return list[n-1].time
}
