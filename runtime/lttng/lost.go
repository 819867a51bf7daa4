package lttng

import "github.com/tracec/tracec/runtime/record"

// losses follows what the headers of one file count: events_lost is a running total that the tracer
// writes when it closes a sub-buffer (lttng.md 3.3). An event is lost when it has no room in its
// sub-buffer and the next one has not been read yet; the sub-buffer is closed when another event
// finds that it has been. So what a header counts beyond the one before was lost between the last
// event of its sub-buffer and the first of the next: in trace-698650events_3029lost-8CPU the
// sub-buffer that counts 3029 has an event every microsecond, then none for 1.5 milliseconds, up to
// its end.
type losses struct {
	before uint32 // the total that all but the last header account for
	total  uint32 // that of the last header
	wrong  bool   // totals went back: since then their differences are no numbers of events
}

// enter takes the header of the next sub-buffer and returns what was lost between the one before
// and this one. A total is believed when it lies between those before and after it.
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

// pending returns what was lost after the last event of the last sub-buffer.
func (l *losses) pending() int64 {
	switch {
	case l.total == l.before:
		return 0
	case l.wrong:
		return record.LostUnknown
	}
	return int64(l.total - l.before)
}

// eventsLost returns the total of lost events. That of a sub-buffer which was never closed has not
// been written.
func (h *header) eventsLost() (total uint32, ok bool) { return h.lost, h.eventsMeasured && !h.open }

// hasEvents reports whether something is in the sub-buffer, as far as the header says.
func (h *header) hasEvents() bool { return h.open || h.used > int64(h.size) }

// state is what is to be known of the sub-buffers before one to go on there.
func (l *losses) state() uint64 {
	if l.wrong {
		return uint64(l.total) | 1<<32
	}
	return uint64(l.total)
}

func lossesOf(state uint64) losses {
	return losses{before: uint32(state), total: uint32(state), wrong: state>>32 != 0}
}
