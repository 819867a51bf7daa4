package perf

import "math/bits"

// Attr is the request for an event to the kernel: struct perf_event_attr. If the recorder is older
// than a field, the field is 0. Fields that are newer than this package are skipped (perf.md 2).
type Attr struct {
	Type         uint32
	Size         uint32 // of the structure in the recording
	Config       uint64 // for a tracepoint, the id of its format
	Rate         uint64 // events between samples, or samples a second if Freq is in Flags
	SampleType   SampleType
	ReadFormat   uint64
	Flags        Flags
	WakeupEvents uint32
	BPType       uint32
	Config1      uint64
	Config2      uint64
	BranchType   uint64
	RegsUser     uint64 // mask
	StackUser    uint32 // bytes
	ClockID      int32
	RegsIntr     uint64 // mask
	AuxWatermark uint32
	MaxStack     uint16
	AuxSample    uint32
	SigData      uint64
	Config3      uint64
}

// The types of attributes that all machines have.
const (
	Hardware   = 0
	Software   = 1
	Tracepoint = 2
	Cache      = 3
	RawPMU     = 4
	Breakpoint = 5
)

// SampleType is the set of the fields that samples of an event have.
type SampleType uint64

// The fields of samples, by bit of sample_type.
const (
	HasIP SampleType = 1 << iota
	HasTID
	HasTime
	HasAddr
	HasRead
	HasCallchain
	HasID
	HasCPU
	HasPeriod
	HasStreamID
	HasRaw
	HasBranches
	HasRegsUser
	HasStackUser
	HasWeight
	HasDataSource
	HasIdentifier
	HasTransaction
	HasRegsIntr
	HasPhysAddr
	HasAux
	HasCgroup
	HasDataPageSize
	HasCodePageSize
	HasWeightStruct
)

// Flags is the bit field of an attribute. Bit n is its n-th member, in either byte order.
type Flags uint64

// Flags that readers need.
const (
	Inherit     Flags = 1 << 1
	Freq        Flags = 1 << 10
	SampleIDAll Flags = 1 << 18
	UseClockID  Flags = 1 << 25
)

// Values of a read besides the counter, by bit of ReadFormat.
const (
	ReadEnabled = 1 << 0
	ReadRunning = 1 << 1
	ReadID      = 1 << 2
	ReadGroup   = 1 << 3
	ReadLost    = 1 << 4
)

// Optional parts of branch stacks, by bit of BranchType.
const (
	BranchIndex    = 1 << 17
	BranchCounters = 1 << 19
)

// Precise returns the precision that the recorder requested for the addresses of samples, from 0 to
// 3.
func (f Flags) Precise(big bool) int {
	n := int(f>>15) & 3
	if big { // the two bits are mirrored with the rest
		n = int(bits.Reverse8(uint8(n)) >> 6)
	}
	return n
}

// CountsTime reports whether the event counts nanoseconds. This is so for cpu-clock and task-clock.
func (a *Attr) CountsTime() bool { return a.Type == Software && a.Config <= 1 }

// IsBPFOutput reports whether samples have the output of a BPF program.
func (a *Attr) IsBPFOutput() bool { return a.Type == Software && a.Config == 10 }

// FaultsPages reports whether the event is page-faults, minor-faults or major-faults.
func (a *Attr) FaultsPages() bool {
	return a.Type == Software && (a.Config == 2 || a.Config == 5 || a.Config == 6)
}

// ReadsGroups reports whether samples have the counters of all members of a group.
func (a *Attr) ReadsGroups() bool {
	return a.SampleType&HasRead != 0 && a.ReadFormat&ReadGroup != 0
}

// leastAttr is the size of the first structure, of Linux 2.6.31.
const leastAttr = 64

// attr reads an attribute. b may have fewer or more bytes than this package knows.
func (o order) attr(b []byte) Attr {
	var whole [136]byte
	copy(whole[:], b)
	b = whole[:]
	if size := o.u32(b[4:]); size >= leastAttr && int(size) < len(b) { // the bytes after it belong to another structure
		clear(b[size:])
	}
	return Attr{
		Type: o.u32(b), Size: o.u32(b[4:]), Config: o.u64(b[8:]), Rate: o.u64(b[16:]),
		SampleType: SampleType(o.u64(b[24:])),
		ReadFormat: o.u64(b[32:]), Flags: Flags(o.flags(b[40:])), WakeupEvents: o.u32(b[48:]), BPType: o.u32(b[52:]),
		Config1: o.u64(b[56:]), Config2: o.u64(b[64:]), BranchType: o.u64(b[72:]), RegsUser: o.u64(b[80:]),
		StackUser: o.u32(b[88:]),
		ClockID:   int32(o.u32(b[92:])), RegsIntr: o.u64(b[96:]), AuxWatermark: o.u32(b[104:]),
		MaxStack:  o.u16(b[108:]),
		AuxSample: o.u32(b[112:]), SigData: o.u64(b[120:]), Config3: o.u64(b[128:]),
	}
}
