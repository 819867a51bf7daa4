package perf

import "math"

// planSide finds the parts of a side-band record that the walk needs. An attribute describes the
// trailer. Samples and perf's own records have no trailer.
func (e *Event) planSide(p plan) {
	e.plan = plan{tid: -1, cpu: -1}
	if e.Kind < ofPerf && e.Kind != SampleKind {
		e.plan = p
		e.plan.about, e.plan.tid, e.plan.cpu = about[e.Kind], -1, -1
	}
}

// inTrailer returns the end of a side-band record, from a part of its trailer on. It returns nil if
// the trailer does not have that part.
func (e *Event) inTrailer(body []byte, part int) []byte {
	if part == 0 || e.Attr != nil || len(body) < e.plan.trailer {
		return nil
	}
	return body[len(body)-part:]
}

// recordedTime returns the time in the trailer of a side-band record.
func (e *Event) recordedTime(body []byte) (time uint64, ok bool) {
	if b := e.inTrailer(body, e.plan.trailerTime); b != nil {
		return e.order.u64(b), true
	}
	return 0, false
}

// RecordedTime returns the time in the trailer of a side-band record.
func (x *Entry) RecordedTime() (time uint64, ok bool) { return x.Event.recordedTime(x.Body) }

// RecordedID returns the id of an event in the trailer of a side-band record.
func (x *Entry) RecordedID() (id uint64, ok bool) {
	if b := x.Event.inTrailer(x.Body, x.Event.plan.trailerID); b != nil {
		return x.Event.order.u64(b), true
	}
	return 0, false
}

// Recorder returns the thread that ran when the kernel wrote a side-band record, and its process.
// Both are 0 in the records for processes that perf finds when it begins, and -1 if they were not
// recorded.
func (x *Entry) Recorder() (process, thread int32) {
	if b := x.Event.inTrailer(x.Body, x.Event.plan.trailerTID); b != nil {
		return x.Event.order.i32(b), x.Event.order.i32(b[4:])
	}
	return -1, -1
}

// sideCPU returns the processor of a side-band record, or -1 if it was not recorded.
func (x *Entry) sideCPU() int32 {
	if b := x.Event.inTrailer(x.Body, x.Event.plan.trailerCPU); b != nil {
		return x.Event.order.i32(b)
	}
	return -1
}

// sideTask returns the thread that a side-band record is about, or else its Recorder. It also
// returns the thread's process.
func (x *Entry) sideTask() (process, thread int32) {
	e, b := x.Event, x.Body
	if at := e.plan.about; at > 0 && len(b) >= at+4 {
		return e.order.i32(b), e.order.i32(b[at:])
	}
	return x.Recorder()
}

// lost returns the number of records that the kernel lost before this one. The sums for each
// attribute that perf adds at the end have no time and are not counted again (perf.md 3).
func (x *Entry) lost() int64 {
	n, ok := x.LostRecords()
	if !ok {
		if n, ok = x.LostSamples(); ok {
			if t, _ := x.RecordedTime(); t == 0 {
				return 0
			}
		}
	}
	return int64(min(n, math.MaxInt64))
}
