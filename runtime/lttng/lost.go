package lttng

import "github.com/tracec/tracec/runtime/record"

// losses tracks the lost events of one file. events_lost is a running total that the tracer writes
// when it closes a sub-buffer (lttng.md 3.3). An event is lost if it has no room in its sub-buffer
// and the next one has not been read yet. The sub-buffer is closed when another event finds that
// the next one has been read. So the increase of a total was lost between the last event of its
// sub-buffer and the first event of the next one. Example: in trace-698650events_3029lost-8CPU the
// sub-buffer that counts 3029 has an event every microsecond, then a gap of 1.5 milliseconds up to
// its end.
type losses struct {
	before uint32 // the total up to the previous header
	total  uint32 // of the last header
	wrong  bool   // totals have decreased: their differences are no longer numbers of events
}

// enter processes the header of the next sub-buffer and returns the events lost between the
// previous one and this one. A total is valid if it lies between the totals before and after it.
func (l *losses) enter(h *header) (lost int64) {
	total, ok := h.eventsLost()
	if !ok {
		total = l.total
	}
	l.wrong = l.wrong || total < l.total
	lost = l.pending()
	l.before, l.total = l.total, total
	return lost
}

// pending returns the events lost after the last event of the last sub-buffer.
func (l *losses) pending() int64 {
	switch {
	case l.total == l.before:
		return 0
	case l.wrong:
		return record.LostUnknown
	}
	return int64(l.total - l.before)
}

// eventsLost returns the total of lost events. A sub-buffer that was never closed has no total.
func (h *header) eventsLost() (total uint32, ok bool) {
	return h.missed.lost, h.missed.known && !h.open
}

// hasEvents reports whether the header allows for events in the sub-buffer.
func (h *header) hasEvents() bool { return h.open || h.used > int64(h.size) }

// state is the state from earlier sub-buffers that is needed to continue at a later one.
func (l *losses) state() uint64 {
	if l.wrong {
		return uint64(l.total) | 1<<32
	}
	return uint64(l.total)
}

func lossesOf(state uint64) losses {
	return losses{before: uint32(state), total: uint32(state), wrong: state>>32 != 0}
}
