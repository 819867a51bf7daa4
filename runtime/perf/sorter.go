package perf

import "math"

// held is a record that waits for the end of the next round.
type held struct {
	time   uint64
	at     int64 // in its window
	place  int64 // in the file
	event  int32 // its Event.Index
	packed bool  // it is in the window of unpacked bytes
	size   uint16
}

// sorter puts records in time order. Records that come in rounds may be passed on one round later
// (perf.md 6.2). Records of equal time keep their order.
type sorter struct {
	list    []held
	starts  []int  // starts of the ascending runs in list, except for the first
	other   []held // room for merging
	ready   int    // number of records of list that are in order and may be passed on
	latest  uint64 // latest time of all added records
	barrier uint64 // latest time at the end of the round before
	passed  uint64 // barrier of the round before that: all records up to it were passed on
}

// add adds a record, for which there must be room.
func (s *sorter) add(h held) {
	if n := len(s.list); n > 0 && h.time < s.list[n-1].time {
		s.starts = append(s.starts, n)
	}
	s.latest = max(s.latest, h.time)
	s.list = append(s.list, h)
}

// full reports whether there is no room.
func (s *sorter) full() bool { return len(s.list) == cap(s.list) }

// grow makes room for n records.
func (s *sorter) grow(n int) {
	s.list = append(make([]held, 0, n), s.list...)
	s.other = make([]held, n)
}

// round ends a round. All records up to the end of the previous round are then ready.
func (s *sorter) round() {
	s.sort()
	s.ready = s.upTo(s.barrier)
	s.passed, s.barrier = s.barrier, s.latest
}

// finish makes all records ready.
func (s *sorter) finish() {
	s.sort()
	s.ready = len(s.list)
}

// upTo counts the records up to a time.
func (s *sorter) upTo(time uint64) int {
	low, high := 0, len(s.list)
	for low < high {
		mid := (low + high) / 2
		if s.list[mid].time <= time {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}

// sort merges the ascending runs. There are few, because each buffer of a processor is one run.
func (s *sorter) sort() {
	for len(s.starts) > 0 {
		ends, n := append(s.starts, len(s.list)), 0
		for i, from := 0, 0; i < len(ends); i += 2 {
			if from > 0 {
				s.starts[n] = from // of which i is ahead
				n++
			}
			mid, to := ends[i], ends[min(i+1, len(ends)-1)]
			merge(s.other[from:to], s.list[from:mid], s.list[mid:to])
			from = to
		}
		s.starts = s.starts[:n]
		s.list, s.other = s.other[:len(s.list)], s.list[:cap(s.list)]
	}
}

// merge fills out with two runs. At equal times, the records of a come first.
func merge(out, a, b []held) {
	i, j := 0, 0
	for k := 0; i < len(a) && j < len(b) && k < len(out); k++ {
		if b[j].time < a[i].time {
			out[k] = b[j]
			j++
		} else {
			out[k] = a[i]
			i++
		}
	}
	copy(out[i+j:], a[i:])
	copy(out[len(a)+j:], b[j:])
}

// pass removes the records that were ready. It returns the first places of the other records in
// their windows.
func (s *sorter) pass() (first [2]int64) {
	s.list = s.list[:copy(s.list, s.list[s.ready:])]
	s.ready = 0
	first = [2]int64{math.MaxInt64, math.MaxInt64}
	for i := range s.list {
		h := &s.list[i]
		in := fromFile
		if h.packed {
			in = unpacked
		}
		first[in] = min(first[in], h.at)
	}
	return first
}
