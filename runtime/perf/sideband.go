package perf

import "bytes"

// A SideBand reads records of the kernel that another recorder than perf keeps, as uftrace does.
// One attribute says how they are laid out. It is safe for concurrent use.
type SideBand struct {
	order  order
	events [ofPerf]Event
}

// NewSideBand returns a reader of the records of an attribute.
func NewSideBand(a Attr, bigEndian bool) *SideBand {
	s := &SideBand{order: order{bigEndian}}
	for k := range s.events {
		e := &s.events[k]
		e.Kind, e.order, e.plan = Kind(k), s.order, planOf(&a)
		e.plan.about = about[e.Kind]
	}
	return s
}

// Split reads the first record of b into x, whose Body is a part of b. The Event of a type that the
// kernel does not write is nil. It returns the size of the record: 0 if b ends before it does, -1
// if a size is recorded that no record has.
func (s *SideBand) Split(b []byte, x *Entry) (size int) {
	if len(b) < headerSize {
		return 0
	}
	switch size = int(s.order.u16(b[6:])); {
	case size < headerSize:
		return -1
	case size > len(b):
		return 0
	}
	x.Event, x.Misc, x.Body = nil, s.order.u16(b[4:]), b[headerSize:size:size]
	if k := Kind(s.order.u32(b)); k < ofPerf {
		x.Event = &s.events[k]
	}
	return size
}

// The bits of Entry.Misc of some types of records.
const (
	CommExec        = 0x2000 // COMM: the process has another program now
	SwitchOut       = 0x2000 // SWITCH: the thread left the processor
	SwitchPreempted = 0x4000 // SWITCH: though it could have gone on
)

// trailer reports whether a trailer follows the first size bytes of the record.
func (x *Entry) trailer(size int) bool {
	return x.Event.plan.trailer > 0 && len(x.Body) >= size+x.Event.plan.trailer
}

// RecordedTime returns the time in the trailer of a side-band record.
func (x *Entry) RecordedTime() (time uint64, ok bool) {
	if x.Event.plan.trailerTime == 0 || !x.trailer(0) {
		return 0, false
	}
	return x.Event.order.u64(x.Body[len(x.Body)-x.Event.plan.trailerTime:]), true
}

// A Task is what a record of type FORK or EXIT tells.
type Task struct {
	Process, Parent      int32
	Thread, ParentThread int32
	Time                 uint64
}

// taskSize is the size of the part of the record that a Task has.
const taskSize = 24

// Task returns what a record of type FORK or EXIT tells. It returns false if it is too short, or of
// another type.
func (x *Entry) Task() (t Task, ok bool) {
	if k := x.Event.Kind; k != Fork && k != Exit || len(x.Body) < taskSize {
		return t, false
	}
	o, b := x.Event.order, x.Body
	return Task{
		Process: int32(o.u32(b)), Parent: int32(o.u32(b[4:])), Thread: int32(o.u32(b[8:])),
		ParentThread: int32(o.u32(b[12:])), Time: o.u64(b[16:]),
	}, true
}

// Command returns what a record of type COMM tells: the name that a thread has from now on, which
// is a part of Body. It returns false if the record is too short, or of another type.
func (x *Entry) Command() (process, thread int32, name []byte, ok bool) {
	const size = 8
	if x.Event.Kind != Comm || !x.trailer(size) {
		return 0, 0, nil, false
	}
	o, b := x.Event.order, x.Body
	name = b[size : len(b)-x.Event.plan.trailer]
	if i := bytes.IndexByte(name, 0); i >= 0 {
		name = name[:i]
	}
	return int32(o.u32(b)), int32(o.u32(b[4:])), name[:len(name):len(name)], true
}

// LostRecords returns how many records the kernel lost before a record of type LOST. It returns
// false if the record is too short, or of another type.
func (x *Entry) LostRecords() (n uint64, ok bool) {
	if x.Event.Kind != Lost || len(x.Body) < 16 {
		return 0, false
	}
	return x.Event.order.u64(x.Body[8:]), true
}
