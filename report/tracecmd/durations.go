package tracecmd

import "fmt"

// durations sums up times: wakeups, pairs of events, stacks. Times are ns.
type durations struct {
	count, sum uint64
	max, maxAt uint64
	min, minAt uint64
}

// add counts a time that ended at another.
func (s *durations) add(d, at uint64) {
	if s.count == 0 || d > s.max {
		s.max, s.maxAt = d, at
	}
	if s.count == 0 || d < s.min {
		s.min, s.minAt = d, at
	}
	s.count++
	s.sum += d
}

// merge adds another sum, of the same kind and not empty.
func (s *durations) merge(o *durations) {
	if o.max > s.max {
		s.max, s.maxAt = o.max, o.maxAt
	}
	if o.min < s.min {
		s.min, s.minAt = o.min, o.minAt
	}
	s.count += o.count
	s.sum += o.sum
}

// seconds returns a time to the nearest microsecond.
func seconds(ns uint64) string {
	us := (ns + 500) / 1000
	return fmt.Sprintf("%d.%06d", us/1e6, us%1e6)
}
