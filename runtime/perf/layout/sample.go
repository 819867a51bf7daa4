package layout

import (
	"fmt"

	"github.com/tracec/tracec/runtime/bind"
	"github.com/tracec/tracec/runtime/perf"
)

// sample adds the fields of a sample in their order (perf.md 4.1).
func (l *fields) sample(a *perf.Attr) {
	t := a.SampleType
	for _, f := range []struct {
		bit    perf.SampleType
		values []Value
	}{
		{perf.HasIdentifier, []Value{number("identifier", 8)}},
		{perf.HasIP, []Value{address("ip")}},
		{perf.HasTID, []Value{id("pid"), id("tid")}},
		{perf.HasTime, []Value{number("time", 8)}},
		{perf.HasAddr, []Value{address("addr")}},
		{perf.HasID, []Value{number("id", 8)}},
		{perf.HasStreamID, []Value{number("stream_id", 8)}},
		{perf.HasCPU, []Value{number("cpu", 4), number("cpu_reserved", 4)}},
		{perf.HasPeriod, []Value{number("period", 8)}},
	} {
		if t&f.bit != 0 {
			l.add(f.values...)
		}
	}
	if t&perf.HasRead != 0 {
		l.read(a.ReadFormat)
	}
	if t&perf.HasCallchain != 0 {
		l.add(list("callchain", address("")))
	}
	if t&perf.HasRaw != 0 {
		l.add(counted("raw", 4))
	}
	if t&perf.HasBranches != 0 {
		l.branches(a)
	}
	l.machine(a)
	l.memory(t)
	if t&perf.HasAux != 0 {
		l.add(counted("aux", 8))
	}
}

// read adds the values of counters (perf.md 2).
func (l *fields) read(format uint64) {
	var times []Value
	if format&perf.ReadEnabled != 0 {
		times = append(times, number("time_enabled", 8))
	}
	if format&perf.ReadRunning != 0 {
		times = append(times, number("time_running", 8))
	}
	values := []Value{number("value", 8)}
	if format&perf.ReadID != 0 {
		values = append(values, number("id", 8))
	}
	if format&perf.ReadLost != 0 {
		values = append(values, number("lost", 8))
	}
	if format&perf.ReadGroup == 0 {
		members := append([]Value{values[0]}, times...)
		l.add(structure("read", append(members, values[1:]...)...))
		return
	}
	l.add(number("read_nr", 8))
	n := l.refer()
	l.add(times...)
	l.add(listOf("read", n, structure("", values...)))
}

// branches adds the branch stack.
func (l *fields) branches(a *perf.Attr) {
	l.add(number("branch_nr", 8))
	n := l.refer()
	if a.BranchType&perf.BranchIndex != 0 {
		l.add(number("branch_hw_idx", 8))
	}
	l.add(listOf("branches", n, structure("", address("from"), address("to"), address("flags"))))
	if a.BranchType&perf.BranchCounters != 0 {
		l.add(listOf("branch_counters", n, number("", 8)))
	}
}

// machine adds registers, the stack, weights and the source of data.
func (l *fields) machine(a *perf.Attr) {
	t := a.SampleType
	if t&perf.HasRegsUser != 0 {
		l.registers("user", a.RegsUser)
	}
	if t&perf.HasStackUser != 0 {
		l.add(number("stack_size", 8))
		size := l.refer()
		stack := Value{Field: bind.Field{Name: "bytes", Kind: bind.Counted, From: size}}
		l.add(when("stack", size, structure("", stack, number("dyn_size", 8))))
	}
	switch {
	case t&perf.HasWeightStruct != 0 && l.big:
		l.add(number("weight3", 2), number("weight2", 2), number("weight", 4))
	case t&perf.HasWeightStruct != 0:
		l.add(number("weight", 4), number("weight2", 2), number("weight3", 2))
	case t&perf.HasWeight != 0:
		l.add(number("weight", 8))
	}
	if t&perf.HasDataSource != 0 {
		l.add(address("data_src"))
	}
	if t&perf.HasTransaction != 0 {
		l.add(address("transaction"))
	}
	if t&perf.HasRegsIntr != 0 {
		l.registers("intr", a.RegsIntr)
	}
}

// registers adds a number for each register of a mask. A thread may have none. Their names are the
// bits of the mask, because these mean other registers on each architecture.
func (l *fields) registers(name string, mask uint64) {
	l.add(number(name+"_abi", 8))
	var regs []Value
	for bit := range 64 {
		if mask>>bit&1 != 0 {
			regs = append(regs, address(fmt.Sprintf("r%02d", bit)))
		}
	}
	if regs != nil {
		l.add(when(name+"_regs", l.refer(), structure("", regs...)))
	}
}

func (l *fields) memory(t perf.SampleType) {
	for _, f := range []struct {
		bit   perf.SampleType
		value Value
	}{
		{perf.HasPhysAddr, address("phys_addr")}, {perf.HasCgroup, number("cgroup", 8)},
		{perf.HasDataPageSize, number("data_page_size", 8)}, {perf.HasCodePageSize, number("code_page_size", 8)},
	} {
		if t&f.bit != 0 {
			l.add(f.value)
		}
	}
}
