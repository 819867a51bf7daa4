package callstack

import (
	"sort"

	"github.com/tracec/tracec/runtime/record"
)

// minimum is the least duration of shown calls, from a time on.
type minimum struct{ from, time uint64 }

const minimumBytes = 16

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
		q.notes, q.always = true, true
		for held := 0; ; held = cap(q.minimums) {
			_, end := q.Next() // the merge reports an error
			if end != nil {
				q.note()
			}
			if err := p.rec.Hold(int64(cap(q.minimums)-held) * minimumBytes); err != nil {
				return nil, err
			}
			if end != nil {
				break
			}
		}
		all[tid] = q.minimums
	}
	return all, nil
}

// note notes the minimum that is valid from the last noted record on, until the records have been
// shown that have passed since.
func (q *queue) note() {
	if n := len(q.minimums); n == 0 || q.minimums[n-1].time != q.minTime {
		q.minimums = append(q.minimums, minimum{q.noted, q.minTime})
	}
	q.noted = q.passed
}

// minimum returns the least duration of shown calls of a thread.
func (q *queue) minimum(tid int32) uint64 {
	list := q.kernel[tid]
	n := sort.Search(len(list), func(i int) bool { return list[i].from > q.passed })
	if n == 0 || len(q.limits) > 0 {
		return q.minTime
	}
	return list[n-1].time
}
