package main

// stream checks one stream: its times, and the running task of its processor.
type stream struct {
	last    uint64
	running int64 // the task of the last switch; unknown before the first switch and after a loss
}

const unknown = -1

// streams are made on first use, by their position.
type streams []*stream

func (s *streams) at(i int32) *stream {
	for int(i) >= len(*s) {
		*s = append(*s, &stream{running: unknown})
	}
	return (*s)[i]
}

// time checks that times do not step back.
func (s *stream) time(found *findings, now uint64, name string) {
	found.checked("times")
	if now < s.last {
		found.add("time goes back", "%s at %d after %d", name, now, s.last)
	}
	s.last = now
}

// lose forgets the state before a loss of events.
func (s *stream) lose() { *s = stream{running: unknown} }

// swap checks that the task that is switched out is the task that was switched in.
func (s *stream) swap(found *findings, now uint64, prev, next int64) {
	found.checked("switches")
	if s.running != unknown && s.running != prev {
		found.add("switch of another task", "from %d at %d, the last one was to %d", prev, now, s.running)
	}
	s.running = next
}
