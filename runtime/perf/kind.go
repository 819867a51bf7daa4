package perf

// Kind is the type of a record. Types below 64 come from the kernel, the others from perf.
type Kind uint32

// The types of records (perf.md 3 and 5).
const (
	Mmap              Kind = 1
	Lost              Kind = 2
	Comm              Kind = 3
	Exit              Kind = 4
	Throttle          Kind = 5
	Unthrottle        Kind = 6
	Fork              Kind = 7
	Read              Kind = 8
	SampleKind        Kind = 9
	Mmap2             Kind = 10
	Aux               Kind = 11
	ItraceStart       Kind = 12
	LostSamples       Kind = 13
	Switch            Kind = 14
	SwitchCPUWide     Kind = 15
	Namespaces        Kind = 16
	Ksymbol           Kind = 17
	BPFEvent          Kind = 18
	Cgroup            Kind = 19
	TextPoke          Kind = 20
	AuxOutputHWID     Kind = 21
	CallchainDeferred Kind = 22

	HeaderAttr      Kind = 64
	HeaderEventType Kind = 65
	TracingData     Kind = 66
	BuildID         Kind = 67
	FinishedRound   Kind = 68
	IDIndex         Kind = 69
	AuxtraceInfo    Kind = 70
	Auxtrace        Kind = 71
	AuxtraceError   Kind = 72
	ThreadMap       Kind = 73
	CPUMap          Kind = 74
	StatConfig      Kind = 75
	Stat            Kind = 76
	StatRound       Kind = 77
	EventUpdate     Kind = 78
	TimeConv        Kind = 79
	HeaderFeature   Kind = 80
	Compressed      Kind = 81
	FinishedInit    Kind = 82
	Compressed2     Kind = 83
	BPFMetadata     Kind = 84
)

// ofPerf is the first type of perf's own records.
const ofPerf Kind = 64

// names are the names of the types in perf's own texts, without PERF_RECORD_.
var names = map[Kind]string{
	Mmap: "MMAP", Lost: "LOST", Comm: "COMM", Exit: "EXIT", Throttle: "THROTTLE", Unthrottle: "UNTHROTTLE",
	Fork: "FORK",
	Read: "READ", SampleKind: "SAMPLE", Mmap2: "MMAP2", Aux: "AUX", ItraceStart: "ITRACE_START",
	LostSamples: "LOST_SAMPLES",
	Switch:      "SWITCH", SwitchCPUWide: "SWITCH_CPU_WIDE", Namespaces: "NAMESPACES", Ksymbol: "KSYMBOL",
	BPFEvent: "BPF_EVENT",
	Cgroup:   "CGROUP", TextPoke: "TEXT_POKE", AuxOutputHWID: "AUX_OUTPUT_HW_ID",
	CallchainDeferred: "CALLCHAIN_DEFERRED",
	HeaderAttr:        "ATTR", HeaderEventType: "EVENT_TYPE", TracingData: "TRACING_DATA", BuildID: "BUILD_ID",
	FinishedRound: "FINISHED_ROUND", IDIndex: "ID_INDEX", AuxtraceInfo: "AUXTRACE_INFO", Auxtrace: "AUXTRACE",
	AuxtraceError: "AUXTRACE_ERROR", ThreadMap: "THREAD_MAP", CPUMap: "CPU_MAP", StatConfig: "STAT_CONFIG",
	Stat:      "STAT",
	StatRound: "STAT_ROUND", EventUpdate: "EVENT_UPDATE", TimeConv: "TIME_CONV", HeaderFeature: "FEATURE",
	Compressed:   "COMPRESSED",
	FinishedInit: "FINISHED_INIT", Compressed2: "COMPRESSED2", BPFMetadata: "BPF_METADATA",
}

// String returns the name of a type as perf writes it, without PERF_RECORD_. It returns "" if the
// type has no name.
func (k Kind) String() string { return names[k] }
