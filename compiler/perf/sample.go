// Package perf lowers the records of perf.data to IR: the samples of each attribute, whose fields
// depend on what it asked the kernel for, and the types of side-band records (perf.md 3 and 4).
// Tracepoints are lowered by compiler/ftrace, from the formats in the recording.
package perf

import (
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/compiler/sequence"
	"github.com/tracec/tracec/runtime/perf"
)

// Compile returns an event. Its data is the record without the header.
func Compile(e *perf.Event, bigEndian bool) (*ir.Event, error) {
	l := &lowerer{}
	if e.Attr != nil {
		l.sample(e.Attr)
	} else {
		l.record(e)
	}
	ev := &ir.Event{Name: e.Name, ID: e.ID, Fields: append([]*ir.Field{{Name: "data", CType: "char[]", Kind: ir.Tail, Elem: 1}}, l.fields...), Slots: sequence.Slots}
	sequence.Decode(ev, bigEndian)
	if err := ir.CheckEvent(ev); err != nil {
		return &ir.Event{Name: e.Name, ID: e.ID, Fields: ev.Fields[:1], Why: err.Error()}, err
	}
	return ev, nil
}

// lowerer collects fields. All are sequential.
type lowerer struct{ fields []*ir.Field }

func (l *lowerer) add(f *ir.Field) *ir.Field {
	l.fields = append(l.fields, f)
	return f
}

func number(name string, size int) *ir.Field {
	return &ir.Field{Name: name, Kind: ir.Int, Offset: ir.Sequential, Size: size}
}

func address(name string) *ir.Field {
	f := number(name, 8)
	f.Hex = true
	return f
}

func pid(name string) *ir.Field {
	f := number(name, 4)
	f.Signed = true
	return f
}

// sample adds the fields of a sample in their order.
func (l *lowerer) sample(a *perf.Attr) {
	t := a.SampleType
	for _, f := range []struct {
		bit    perf.SampleType
		fields []*ir.Field
	}{
		{perf.HasIdentifier, []*ir.Field{number("identifier", 8)}},
		{perf.HasIP, []*ir.Field{address("ip")}},
		{perf.HasTID, []*ir.Field{pid("pid"), pid("tid")}},
		{perf.HasTime, []*ir.Field{number("time", 8)}},
		{perf.HasAddr, []*ir.Field{address("addr")}},
		{perf.HasID, []*ir.Field{number("id", 8)}},
		{perf.HasStreamID, []*ir.Field{number("stream_id", 8)}},
		{perf.HasCPU, []*ir.Field{number("cpu", 4), number("cpu_reserved", 4)}},
		{perf.HasPeriod, []*ir.Field{number("period", 8)}},
	} {
		if t&f.bit != 0 {
			l.fields = append(l.fields, f.fields...)
		}
	}
	if t&perf.HasRead != 0 {
		l.read(a.ReadFormat)
	}
	if t&perf.HasCallchain != 0 {
		l.add(list("callchain", address("")))
	}
	if t&perf.HasRaw != 0 {
		l.add(&ir.Field{Name: "raw", Kind: ir.Counted, Offset: ir.Sequential, Size: 4, Elem: 1})
	}
	if t&perf.HasBranches != 0 {
		l.branches(a)
	}
	l.machine(a)
	for _, f := range []struct {
		bit  perf.SampleType
		name string
	}{{perf.HasPhysAddr, "phys_addr"}, {perf.HasCgroup, "cgroup"}, {perf.HasDataPageSize, "data_page_size"}, {perf.HasCodePageSize, "code_page_size"}} {
		if t&f.bit != 0 {
			l.add(address(f.name)).Hex = f.bit == perf.HasPhysAddr
		}
	}
	if t&perf.HasAux != 0 {
		l.add(&ir.Field{Name: "aux", Kind: ir.Counted, Offset: ir.Sequential, Size: 8, Elem: 1})
	}
}

// list is a list behind its length of 8 bytes.
func list(name string, element *ir.Field) *ir.Field {
	return &ir.Field{Name: name, Kind: ir.List, Offset: ir.Sequential, Size: 8, Fields: []*ir.Field{element}}
}

func structure(name string, members ...*ir.Field) *ir.Field {
	return &ir.Field{Name: name, Kind: ir.Struct, Offset: ir.Sequential, Fields: members}
}

// The bits of read_format and of branch_sample_type that change a layout.
const (
	readEnabled, readRunning, readID, readGroup, readLost = 1, 2, 4, 8, 16

	branchIndex, branchCounters = 1 << 17, 1 << 19
)

// read adds the values of counters.
func (l *lowerer) read(format uint64) {
	times := func() (list []*ir.Field) {
		if format&readEnabled != 0 {
			list = append(list, number("time_enabled", 8))
		}
		if format&readRunning != 0 {
			list = append(list, number("time_running", 8))
		}
		return list
	}()
	value := []*ir.Field{number("value", 8)}
	if format&readID != 0 {
		value = append(value, number("id", 8))
	}
	if format&readLost != 0 {
		value = append(value, number("lost", 8))
	}
	if format&readGroup == 0 {
		members := append([]*ir.Field{value[0]}, times...)
		l.add(structure("read", append(members, value[1:]...)...))
		return
	}
	n := number("read_nr", 8)
	l.fields = append(append(append(l.fields, n), times...), &ir.Field{
		Name: "read", Kind: ir.List, Offset: ir.Sequential, From: n, Fields: []*ir.Field{structure("", value...)},
	})
}

// branches adds the branch stack.
func (l *lowerer) branches(a *perf.Attr) {
	n := l.add(number("branch_nr", 8))
	if a.BranchType&branchIndex != 0 {
		l.add(number("branch_hw_idx", 8))
	}
	l.add(&ir.Field{
		Name: "branches", Kind: ir.List, Offset: ir.Sequential, From: n,
		Fields: []*ir.Field{structure("", address("from"), address("to"), address("flags"))},
	})
	if a.BranchType&branchCounters != 0 {
		l.add(&ir.Field{Name: "branch_counters", Kind: ir.List, Offset: ir.Sequential, From: n, Fields: []*ir.Field{number("", 8)}})
	}
}

// machine adds registers, the stack, weights and where data came from.
func (l *lowerer) machine(a *perf.Attr) {
	t := a.SampleType
	if t&perf.HasRegsUser != 0 {
		l.registers("user", a.RegsUser)
	}
	if t&perf.HasStackUser != 0 {
		size := l.add(number("stack_size", 8))
		l.add(when("stack", size, structure("", &ir.Field{Name: "bytes", Kind: ir.Counted, Offset: ir.Sequential, From: size, Elem: 1}, number("dyn_size", 8))))
	}
	switch {
	case t&perf.HasWeightStruct != 0:
		l.fields = append(l.fields, number("weight", 4), number("weight2", 2), number("weight3", 2))
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

// registers adds one number for each register of a mask, unless the thread has none.
func (l *lowerer) registers(name string, mask uint64) {
	abi := l.add(number(name+"_abi", 8))
	var regs []*ir.Field
	for bit := range 64 {
		if mask>>bit&1 != 0 {
			regs = append(regs, address("r"+string(rune('0'+bit/10))+string(rune('0'+bit%10))))
		}
	}
	if regs != nil {
		l.add(when(name+"_regs", abi, structure("", regs...)))
	}
}

// when is a part that is there if a number before it is not 0.
func when(name string, n, part *ir.Field) *ir.Field {
	part.Name, part.Optional, part.When = "value", true, []ir.Range{{Low: 1, High: 1<<64 - 1}}
	return &ir.Field{Name: name, Kind: ir.Variant, Offset: ir.Sequential, From: n, Optional: true, Fields: []*ir.Field{part}}
}
