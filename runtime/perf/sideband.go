package perf

// A SideBand reads records of the kernel that a recorder other than perf stores, such as uftrace.
// One attribute defines their layout. It is safe for concurrent use.
type SideBand struct {
	order  order
	events [ofPerf]Event
}

// NewSideBand returns a reader of the records of an attribute.
func NewSideBand(a Attr, bigEndian bool) *SideBand {
	s := &SideBand{order: order{bigEndian}}
	for k := range s.events {
		e := &s.events[k]
		e.Kind, e.order = Kind(k), s.order
		e.planSide(planOf(&a))
	}
	return s
}

// Split reads the first record of b into x. x.Body is a part of b. If the kernel does not write
// records of the type, x.Event is nil. Split returns the size of the record. It returns 0 if b ends
// before the record does, and -1 if the recorded size is impossible.
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
	CommExec        = 0x2000 // COMM: the process runs another program from now on
	SwitchOut       = 0x2000 // SWITCH: the thread left the processor
	SwitchPreempted = 0x4000 // SWITCH: the thread was still runnable
)

// A Task holds the contents of a record of type FORK or EXIT.
type Task struct {
	Process, Parent      int32
	Thread, ParentThread int32
	Time                 uint64
}

// The sizes of records up to the name. For records without a name, all but the trailer (perf.md 3,
// 5).
const (
	taskSize    = 24 // of FORK and EXIT
	commSize    = 8
	mmapSize    = 32
	mmap2Size   = 64
	ksymbolSize = 16
	buildSize   = 28
)

// Task returns the contents of a record of type FORK or EXIT. It returns false if the record is too
// short, or of another type.
func (x *Entry) Task() (t Task, ok bool) {
	if k := x.Event.Kind; k != Fork && k != Exit || !x.whole(taskSize) {
		return t, false
	}
	o, b := x.Event.order, x.Body
	return Task{
		Process: o.i32(b), Parent: o.i32(b[4:]), Thread: o.i32(b[8:]), ParentThread: o.i32(b[12:]), Time: o.u64(b[16:]),
	}, true
}

// Command returns the contents of a record of type COMM: the new name of a thread, which is a part
// of Body. It returns false if the record is too short, or of another type.
func (x *Entry) Command() (process, thread int32, name []byte, ok bool) {
	if x.Event.Kind != Comm {
		return 0, 0, nil, false
	}
	name, ok = x.text(commSize)
	if !ok {
		return 0, 0, nil, false
	}
	o, b := x.Event.order, x.Body
	return o.i32(b), o.i32(b[4:]), name, true
}

// short reports whether a record is too short for the parts that names need.
func (x *Entry) short() bool {
	const aByte = 1 // of a name
	switch x.Event.Kind {
	case Comm:
		return !x.whole(commSize + aByte)
	case Fork:
		return !x.whole(taskSize)
	case Mmap:
		return !x.whole(mmapSize + aByte)
	case Mmap2:
		return !x.whole(mmap2Size + aByte)
	case Ksymbol:
		return !x.whole(ksymbolSize + aByte)
	case BuildID:
		return len(x.Body) < buildSize+aByte
	}
	return false
}

// whole reports whether a record has size bytes and its trailer.
func (x *Entry) whole(size int) bool { return len(x.Body) >= size+x.Event.plan.trailer }

// text returns the text between the first size bytes of a record and its trailer, up to a zero. It
// returns false if the record is too short.
func (x *Entry) text(size int) (text []byte, ok bool) {
	if !x.whole(size) {
		return nil, false
	}
	text = terminated(x.Body[size : len(x.Body)-x.Event.plan.trailer])
	return text[:len(text):len(text)], true
}

// LostRecords returns the number of records that the kernel lost, from a record of type LOST. It
// returns false if the record is too short, or of another type.
func (x *Entry) LostRecords() (n uint64, ok bool) {
	if x.Event.Kind != Lost || !x.whole(16) {
		return 0, false
	}
	return x.Event.order.u64(x.Body[8:]), true
}

// LostSamples returns the number of samples that the kernel could not write, from a record of type
// LOST_SAMPLES. It returns false if the record is too short, or of another type.
func (x *Entry) LostSamples() (n uint64, ok bool) {
	if x.Event.Kind != LostSamples || !x.whole(8) {
		return 0, false
	}
	return x.Event.order.u64(x.Body), true
}

// A Mapped holds the contents of a record of type MMAP or MMAP2: a process mapped a part of a file.
// The process of the kernel is -1.
type Mapped struct {
	Process, Thread int32
	Start, Size     uint64 // in memory
	Offset          uint64 // in the file
	File            []byte // its path, a part of Body
	// BuildID is a part of Body. If it is nil, MMAP2 has the numbers of the file.
	BuildID           []byte
	Major, Minor      uint32
	Inode, Generation uint64
	Protection, Flags uint32 // of MMAP2, as for mmap(2)
}

// Mapped returns the contents of a record of type MMAP or MMAP2. It returns false if the record is
// too short, or of another type.
func (x *Entry) Mapped() (m Mapped, ok bool) {
	const hasBuildID = 0x4000
	size := mmapSize
	switch x.Event.Kind {
	case Mmap:
	case Mmap2:
		size = mmap2Size
	default:
		return m, false
	}
	if m.File, ok = x.text(size); !ok {
		return m, false
	}
	o, b := x.Event.order, x.Body
	m.Process, m.Thread = o.i32(b), o.i32(b[4:])
	m.Start, m.Size, m.Offset = o.u64(b[8:]), o.u64(b[16:]), o.u64(b[24:])
	if x.Event.Kind == Mmap {
		return m, true
	}
	if x.Misc&hasBuildID != 0 {
		m.BuildID = b[36:][:min(b[32], 20)]
	} else {
		m.Major, m.Minor, m.Inode, m.Generation = o.u32(b[32:]), o.u32(b[36:]), o.u64(b[40:]), o.u64(b[48:])
	}
	m.Protection, m.Flags = o.u32(b[56:]), o.u32(b[60:])
	return m, true
}

// Generated holds the contents of a record of type KSYMBOL: the kernel made or removed code, such
// as a BPF program.
type Generated struct {
	Start   uint64
	Size    uint32
	Type    uint16
	Flags   uint16
	Name    []byte // a part of Body
	Removed bool
}

// Generated returns the contents of a record of type KSYMBOL. It returns false if the record is too
// short, or of another type.
func (x *Entry) Generated() (g Generated, ok bool) {
	const removed = 1
	if x.Event.Kind != Ksymbol {
		return g, false
	}
	if g.Name, ok = x.text(ksymbolSize); !ok {
		return g, false
	}
	o, b := x.Event.order, x.Body
	g.Start, g.Size, g.Type, g.Flags = o.u64(b), o.u32(b[8:]), o.u16(b[12:]), o.u16(b[14:])
	g.Removed = g.Flags&removed != 0
	return g, true
}
