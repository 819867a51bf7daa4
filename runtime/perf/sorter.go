package perf

// held is a record that waits for the end of the next round.
type held struct {
	time  uint64
	at    int // of its bytes in the sorter's
	place int64
	event *Event
}

// sorter puts records in time order. Records that come in rounds may be passed on one round later
// (perf.md 6.2). Records of equal time keep their order.
type sorter struct {
	bytes   []byte // of all that are held
	list    []held
	other   []held // room for merging
	spare   []byte
	ready   int    // so many of list are in order and may be passed on
	latest  uint64 // time of all that came
	barrier uint64 // latest time at the end of the round before
}

// add holds a record.
func (s *sorter) add(h held, record []byte) {
	h.at = len(s.bytes)
	s.bytes = append(s.bytes, record...)
	s.latest = max(s.latest, h.time)
	s.list = append(s.list, h)
}

// round ends a round: what came up to the end of the one before is ready.
func (s *sorter) round() {
	s.sort()
	s.ready = s.upTo(s.barrier)
	s.barrier = s.latest
}

// finish makes all ready.
func (s *sorter) finish() {
	s.sort()
	s.ready = len(s.list)
}

// upTo counts the records until a time.
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

// sort merges the runs of ascending times, of which there are few: each buffer of a processor is
// one.
func (s *sorter) sort() {
	for {
		merged := false
		out := s.other[:0]
		for from := 0; from < len(s.list); {
			mid := run(s.list, from)
			to := mid
			if mid < len(s.list) {
				to = run(s.list, mid)
				merged = true
			}
			out = merge(out, s.list[from:mid], s.list[mid:to])
			from = to
		}
		if !merged {
			s.other = out
			return
		}
		s.list, s.other = out, s.list
	}
}

// run returns the end of the ascending run that begins at i.
func run(list []held, i int) int {
	for i++; i < len(list) && list[i-1].time <= list[i].time; i++ {
	}
	return i
}

func merge(out, a, b []held) []held {
	for len(a) > 0 && len(b) > 0 {
		if b[0].time < a[0].time {
			out, b = append(out, b[0]), b[1:]
		} else {
			out, a = append(out, a[0]), a[1:]
		}
	}
	return append(append(out, a...), b...)
}

// pass forgets the records that were ready. Their bytes were valid until now.
func (s *sorter) pass(o order) {
	rest := s.list[s.ready:]
	bytes := s.spare[:0]
	for i := range rest {
		b := s.bytes[rest[i].at:]
		rest[i].at = len(bytes)
		bytes = append(bytes, b[:o.u16(b[6:])]...)
	}
	s.bytes, s.spare = bytes, s.bytes
	s.list = s.list[:copy(s.list, rest)]
	s.ready = 0
}
