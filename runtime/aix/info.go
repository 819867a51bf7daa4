package aix

// Kind is the form of a file.
type Kind uint8

// The kinds, with the magic number of each.
const (
	KindUnknown Kind = iota
	Stream32         // bare events of a 32-bit kernel, without a head
	Stream64         // EFDF1114, then bare events of a 64-bit kernel
	LogOld           // EFDF1111, log file of AIX before 4.1, laid out as Log32
	Log32            // EFDF1112, log file of a 32-bit kernel
	Log64            // EFDF1113, log file of a 64-bit kernel
)

// The magic numbers (aix.md 2.6, from sys/trchdr.h).
const (
	MagicLogOld   = 0xEFDF1111
	MagicLog32    = 0xEFDF1112
	MagicLog64    = 0xEFDF1113
	MagicStream64 = 0xEFDF1114
)

func (k Kind) String() string {
	switch k {
	case Stream32:
		return "32-bit stream"
	case Stream64:
		return "64-bit stream"
	case LogOld:
		return "32-bit log file of AIX before 4.1"
	case Log32:
		return "32-bit log file"
	case Log64:
		return "64-bit log file"
	}
	return "unknown"
}

// Magic returns the number that files of the kind begin with, or 0 if the kind has no number.
func (k Kind) Magic() uint32 {
	switch k {
	case Stream64:
		return MagicStream64
	case LogOld:
		return MagicLogOld
	case Log32:
		return MagicLog32
	case Log64:
		return MagicLog64
	}
	return 0
}

// Is64 reports whether a 64-bit kernel recorded the file.
func (k Kind) Is64() bool { return k == Stream64 || k == Log64 }

// IsLog reports whether the file has a directory of trace buffers.
func (k Kind) IsLog() bool { return k >= LogOld }

// Mode is the way in which a log file was written.
type Mode uint32

// The bits of a Mode (aix.md 2.6).
const (
	ModeNoWrap     Mode = 1
	ModeStopOnWrap Mode = 2
	ModeMultiCPU   Mode = 4 // base file of trace -C
	ModePerCPU     Mode = 8 // file of one processor
)

// Extent is a part of a file, in bytes.
type Extent struct{ Offset, Size int64 }

// LogInfo is the head of a log file as recorded.
type LogInfo struct {
	Mode    Mode
	Current uint32 // position of the last written buffer
	Wraps   uint32 // number of times that the file was full and began again
	Initial Extent // the first data that the trace command wrote
	Buffers []Extent
}

// Order returns the positions in Buffers from the oldest buffer to the newest. If the file has
// wrapped, it begins after the current buffer, otherwise with the first one. Empty buffers are left
// out.
func (l *LogInfo) Order() []int {
	start, n := 0, len(l.Buffers)
	if l.Wraps != 0 && uint64(l.Current) < uint64(n) {
		start = (int(l.Current) + 1) % n
	}
	var order []int
	for i := range n {
		if at := (start + i) % n; l.Buffers[at].Size != 0 {
			order = append(order, at)
		}
	}
	return order
}

// File is one file of a recording.
type File struct {
	Name string
	Kind Kind
	CPU  int      // number of the processor whose events it has; -1 for events of several processors
	Size int64    // in bytes; -1 for a pipe
	Log  *LogInfo // nil for streams
}

// Info is the description of a recording.
type Info struct {
	Files    []File // the base file first, then the files of processors by number
	Kind     Kind   // kind of the base file
	Clock    Clock
	HasClock bool // Clock is from the recording or from WithClock; otherwise it is {1, 1, ClockTimeBase}
}

// Name returns the name of the base file.
func (i *Info) Name() string { return i.Files[0].Name }

// WordSize returns 8 for the recording of a 64-bit kernel, otherwise 4.
func (i *Info) WordSize() int {
	if i.Kind.Is64() {
		return 8
	}
	return 4
}

// TracedCPUs returns the number of processors with a file of their own, or 0 if the recording is
// not such a set.
func (i *Info) TracedCPUs() int {
	n := 0
	for _, f := range i.Files {
		if f.CPU >= 0 {
			n++
		}
	}
	return n
}
