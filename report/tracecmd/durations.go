package tracecmd

import "fmt"

// durations sums up times in ns: of wakeups, pairs of events, and stacks.
type durations struct {
	count, sum uint64
	max, maxAt uint64
	min, minAt uint64
}

// add counts a duration that ended at a time.
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

// merge adds another sum of the same kind, which must not be empty.
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

// seconds returns a time in seconds, to the nearest microsecond.
func seconds(ns uint64) string {
	us := (ns + 500) / 1000
	return fmt.Sprintf("%d.%06d", us/1e6, us%1e6)
}
