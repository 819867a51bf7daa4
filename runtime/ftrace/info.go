package ftrace

import "encoding/binary"

// Info holds the properties of a recording.
type Info struct {
	Name         string // of the file, as given to Open
	Version      int    // 6 or 7; 0 for a tracefs snapshot
	ByteOrder    binary.ByteOrder
	WordSize     int // of the kernel's long, in bytes: the size of "commit" in header_page
	RecorderWord int // of the recorder's long, in bytes; 4 for a 32-bit trace-cmd on a 64-bit kernel
	PageSize     int // of the top buffer, in bytes
	FilePageSize int // in the header of the file, in bytes
	CPUs         int // as recorded: some CPUs may be without data

	Compression        string // "" or "none", "zstd", "zlib"
	CompressionVersion string // version of the compressing library

	HeaderPage, HeaderEvent string // texts of the kernel

	Options []Option // all of them in file order, known or not

	// The following fields come from options.

	Date         int64    // ns to add for wall-clock time (option DATE); 0 if not recorded
	Offset       int64    // ns to add (option OFFSET)
	CPUStats     []string // texts of per_cpu/cpuN/stats
	Uname        string
	Hooks        []string
	TraceClock   string // clock of the top buffer; "" if not recorded
	ClockText    string // in version 6: the clocks of the kernel, the clock of the top buffer in brackets
	Recorder     string // version of trace-cmd
	ProcMaps     []ProcMap
	TraceID      uint64
	TimeShift    *TimeShift
	Guests       []Guest
	TSC          *TSC
	LastBootInfo []string
	Modules      string // /proc/modules
	HasBTF       bool   // the file has the kernel's type information
}

// Option is one option as it lies in the file.
type Option struct {
	ID      uint16
	Offset  int64  // of Payload in the file; if the section is packed, of the section
	Payload []byte // in the recording's byte order; do not modify
}

// Option ids, which are also ids of sections (trace-cmd:
// Documentation/trace-cmd/trace-cmd.dat.v7.5.txt; ftrace.md 1.4).
const (
	OptionDone         = 0
	OptionDate         = 1
	OptionCPUStat      = 2
	OptionBuffer       = 3
	OptionTraceClock   = 4
	OptionUname        = 5
	OptionHook         = 6
	OptionOffset       = 7
	OptionCPUCount     = 8
	OptionVersion      = 9
	OptionProcMaps     = 10
	OptionTraceID      = 11
	OptionTimeShift    = 12
	OptionGuest        = 13
	OptionTSC2NSEC     = 14
	OptionStrings      = 15
	OptionHeaderInfo   = 16
	OptionFtraceEvents = 17
	OptionEventFormats = 18
	OptionKallsyms     = 19
	OptionPrintk       = 20
	OptionCmdlines     = 21
	OptionBufferText   = 22
	OptionBTF          = 23
	OptionLastBoot     = 24
	OptionModules      = 25
)

// ProcMap is the memory map of a traced process.
type ProcMap struct {
	PID       int
	Name      string
	Libraries []Mapping
}

// Mapping is one line of a ProcMap: a library at [Start, End).
type Mapping struct {
	Start, End uint64
	Name       string
}

// TimeShift is the difference between the clocks of a guest and its host.
type TimeShift struct {
	Peer        uint64 // trace id of the other recording
	Interpolate bool
	CPUs        [][]TimeSample // by CPU of this recording
}

// TimeSample is one measurement: from Time on, host = (guest × Scaling >> Fraction) + Offset.
type TimeSample struct {
	Time     uint64
	Offset   int64
	Scaling  uint64
	Fraction uint64 // bits
}

// Guest is a virtual machine that was recorded at the same time.
type Guest struct {
	Name    string
	TraceID uint64
	VCPUs   []VCPU
}

// VCPU is the thread of the host that runs a guest's processor. HostPID is -1 for network peers.
type VCPU struct {
	CPU     int
	HostPID int
}

// TSC converts ticks of the time stamp counter: ns = ticks × Mult >> Shift. trace-cmd does not use
// Offset.
type TSC struct {
	Mult, Shift uint32
	Offset      uint64
}
