package uftrace

// Info is the file info (uftrace.md 1.2), as recorded.
type Info struct {
	// Missing is set if the file does not exist because the recorder was killed. Byte order and
	// word size are then guessed.
	Missing    bool
	Version    uint32 // 3 or 4
	HeaderSize uint16
	BigEndian  bool
	WordSize   int // size of a word of the program in bytes: 4 or 8
	Features   Feature
	Fields     InfoField // the groups of lines in the file
	MaxStack   int

	ExeName, BuildID, CmdLine   string
	ExitStatus                  int // a wait status; 65536 if a finish trigger ended the program
	CPUs, CPUDesc, Memory       string
	Kernel, Hostname, Distro    string
	TIDs                        []int32
	SysTime, UsrTime, CtxSwitch string
	MaxRSS, PageFaults, IOps    string
	Load                        string
	ArgSpec, RetSpec            string
	ArgAuto, RetAuto, EnumAuto  string
	AutoArgs                    bool
	RecordDate, Elapsed         string // Elapsed as written: 0.016434676 sec
	PatternType                 string // regex, glob, simple
	Recorder                    string // uftrace_version: v0.13 ( x86_64 … )
	UTCOffset                   int64  // seconds
	SysCtl                      string
}

// Feature is a bit of the feature mask.
type Feature uint64

// The features that readers need.
const (
	FeatPLTHook Feature = 1 << iota
	FeatTaskSession
	FeatKernel
	FeatArgument
	FeatRetval
	FeatSymRelAddr
	FeatMaxStack
	FeatEvent
	FeatPerfEvent
	FeatAutoArgs
	FeatDebugInfo
	FeatEstimateReturn
	FeatSymSize
	FeatCallsite
)

// InfoField is a bit of the info mask: a group of lines.
type InfoField uint64
