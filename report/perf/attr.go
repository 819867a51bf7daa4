package perf

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tracec/tracec/runtime/perf"
)

// sampleTypes are the names of the bits of sample_type in the order of perf's text.
var sampleTypes = []named{
	{perf.HasIP, "IP"}, {perf.HasTID, "TID"}, {perf.HasTime, "TIME"}, {perf.HasAddr, "ADDR"}, {perf.HasRead, "READ"},
	{perf.HasCallchain, "CALLCHAIN"}, {perf.HasID, "ID"}, {perf.HasCPU, "CPU"}, {perf.HasPeriod, "PERIOD"},
	{perf.HasStreamID, "STREAM_ID"}, {perf.HasRaw, "RAW"}, {perf.HasBranches, "BRANCH_STACK"},
	{perf.HasRegsUser, "REGS_USER"}, {perf.HasStackUser, "STACK_USER"}, {perf.HasIdentifier, "IDENTIFIER"},
	{perf.HasRegsIntr, "REGS_INTR"}, {perf.HasDataSource, "DATA_SRC"}, {perf.HasWeight, "WEIGHT"},
	{perf.HasPhysAddr, "PHYS_ADDR"}, {perf.HasAux, "AUX"}, {perf.HasCgroup, "CGROUP"},
	{perf.HasDataPageSize, "DATA_PAGE_SIZE"}, {perf.HasCodePageSize, "CODE_PAGE_SIZE"},
	{perf.HasWeightStruct, "WEIGHT_STRUCT"},
	{perf.HasTransaction, ""}, // perf has no name for it
}

// branchTypes are the names of the bits of branch_sample_type, from the lowest.
var branchTypes = bitNames(`USER KERNEL HV ANY ANY_CALL ANY_RETURN IND_CALL ABORT_TX IN_TX NO_TX COND CALL_STACK
	IND_JUMP CALL NO_FLAGS NO_CYCLES TYPE_SAVE HW_INDEX PRIV_SAVE COUNTERS`)

func bitNames(names string) (list []named) {
	for i, name := range strings.Fields(names) {
		list = append(list, named{1 << i, name})
	}
	return list
}

// readFormats are the names of the bits of read_format.
var readFormats = []named{
	{perf.ReadEnabled, "TOTAL_TIME_ENABLED"}, {perf.ReadRunning, "TOTAL_TIME_RUNNING"}, {perf.ReadID, "ID"},
	{perf.ReadGroup, "GROUP"}, {perf.ReadLost, "LOST"},
}

type named struct {
	bit  perf.SampleType
	name string
}

// flagNames are the members of the bit field of an attribute (perf.md 2). precise_ip has two bits.
var flagNames = strings.Fields(`disabled inherit pinned exclusive exclude_user exclude_kernel exclude_hv exclude_idle
	mmap comm freq inherit_stat enable_on_exec task watermark precise_ip - mmap_data sample_id_all exclude_host
	exclude_guest exclude_callchain_kernel exclude_callchain_user mmap2 comm_exec use_clockid context_switch
	write_backward namespaces ksymbol bpf_event aux_output cgroup text_poke build_id inherit_thread remove_on_exec
	sigtrap defer_callchain defer_output`)

const preciseBit = 15

// typeNames are the types of events that all machines have.
var typeNames = []string{"hardware", "software", "tracepoint", "hw-cache", "raw", "breakpoint"}

// softwareNames and hardwareNames are the constants PERF_COUNT_SW_ and PERF_COUNT_HW_ of
// include/uapi/linux/perf_event.h.
var (
	softwareNames = strings.Fields(`CPU_CLOCK TASK_CLOCK PAGE_FAULTS CONTEXT_SWITCHES CPU_MIGRATIONS PAGE_FAULTS_MIN
		PAGE_FAULTS_MAJ ALIGNMENT_FAULTS EMULATION_FAULTS DUMMY BPF_OUTPUT CGROUP_SWITCHES`)
	hardwareNames = strings.Fields(`CPU_CYCLES INSTRUCTIONS CACHE_REFERENCES CACHE_MISSES BRANCH_INSTRUCTIONS
		BRANCH_MISSES BUS_CYCLES STALLED_CYCLES_FRONTEND STALLED_CYCLES_BACKEND REF_CPU_CYCLES`)
)

// attrText appends the members of an attribute that are not 0.
type attrText struct {
	out []byte
	sep string // between a name and its value
}

func (t *attrText) add(name, value string) {
	if len(t.out) > 0 {
		t.out = append(t.out, ", "...)
	}
	t.out = append(append(append(t.out, name...), t.sep...), value...)
}

func (t *attrText) number(name string, n uint64) {
	if n != 0 {
		t.add(name, strconv.FormatUint(n, 10))
	}
}

func (t *attrText) hex(name string, n uint64) {
	if n != 0 {
		t.add(name, fmt.Sprintf("%#x", n))
	}
}

func (t *attrText) bits(name string, list []named, set perf.SampleType) {
	var on []string
	for _, b := range list {
		if set&b.bit != 0 && b.name != "" {
			on = append(on, b.name)
		}
		set &^= b.bit
	}
	if set != 0 {
		on = append(on, fmt.Sprintf("%#x", uint64(set)))
	}
	if on != nil {
		t.add(name, strings.Join(on, "|"))
	}
}

// appendAttr appends the members of an attribute as perf prints them. sep separates the name of a
// member from its value.
func appendAttr(dst []byte, e *perf.Event, sep string, big bool, like like) []byte {
	a, t := e.Attr, attrText{sep: sep}
	if a.Type != 0 || like.named {
		t.add("type", strconv.FormatUint(uint64(a.Type), 10)+like.typeName(a))
	}
	t.add("size", strconv.FormatUint(uint64(a.Size), 10))
	if config := like.configName(e); a.Config != 0 || config != "" {
		number := "0"
		if a.Config != 0 {
			number = fmt.Sprintf("%#x", a.Config)
		}
		t.add("config", number+config)
	}
	t.number("{ sample_period, sample_freq }", a.Rate)
	t.bits("sample_type", sampleTypes, a.SampleType)
	t.bits("read_format", readFormats, perf.SampleType(a.ReadFormat))
	for bit, name := range flagNames {
		switch {
		case bit == preciseBit:
			t.number(name, uint64(a.Flags.Precise(big)))
		case name != "-":
			t.number(name, uint64(a.Flags>>bit&1))
		}
	}
	t.number("{ wakeup_events, wakeup_watermark }", uint64(a.WakeupEvents))
	t.number("bp_type", uint64(a.BPType))
	t.hex("{ bp_addr, config1 }", a.Config1)
	t.hex("{ bp_len, config2 }", a.Config2)
	t.bits("branch_sample_type", branchTypes, perf.SampleType(a.BranchType))
	t.hex("sample_regs_user", a.RegsUser)
	t.number("sample_stack_user", uint64(a.StackUser))
	t.number("clockid", uint64(a.ClockID))
	t.hex("sample_regs_intr", a.RegsIntr)
	t.number("aux_watermark", uint64(a.AuxWatermark))
	t.number("sample_max_stack", uint64(a.MaxStack))
	t.number("aux_sample_size", uint64(a.AuxSample))
	t.number("sig_data", a.SigData)
	return append(dst, t.out...)
}

// typeName returns the name of a type in parentheses.
func (l like) typeName(a *perf.Attr) string {
	switch {
	case !l.named || int(a.Type) >= len(typeNames):
		return ""
	case l.constants:
		return " (PERF_TYPE_" + strings.ToUpper(strings.ReplaceAll(typeNames[a.Type], "-", "_")) + ")"
	}
	return " (" + typeNames[a.Type] + ")"
}

// configName returns the name of a configuration in parentheses. For tracepoints, it is the
// recorded name.
func (l like) configName(e *perf.Event) string {
	a := e.Attr
	switch {
	case !l.named:
	case a.Type == perf.Software && a.Config < uint64(len(softwareNames)):
		return " (PERF_COUNT_SW_" + softwareNames[a.Config] + ")"
	case a.Type == perf.Hardware && a.Config < uint64(len(hardwareNames)):
		return " (PERF_COUNT_HW_" + hardwareNames[a.Config] + ")"
	case e.IsTracepoint():
		return " (" + e.Name + ")"
	}
	return ""
}
