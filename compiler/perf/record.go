package perf

import (
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/runtime/perf"
)

// record adds the fields of a type of record (perf.md 3), without its trailer. Types of perf itself have
// their bytes alone.
func (l *lowerer) record(e *perf.Event) {
	switch e.Kind {
	case perf.Mmap:
		l.add(pid("pid"))
		l.add(pid("tid"))
		l.mapping()
		l.add(text("filename"))
	case perf.Mmap2:
		l.add(pid("pid"))
		l.add(pid("tid"))
		l.mapping()
		// The device, the inode and its generation, or a build id, by a bit of the header.
		l.add(&ir.Field{Name: "file_id", Kind: ir.Array, Offset: ir.Sequential, Size: 24, Elem: 1})
		l.add(number("prot", 4))
		l.add(number("flags", 4)).Hex = true
		l.add(text("filename"))
	case perf.Lost:
		l.add(number("id", 8))
		l.add(number("lost", 8))
	case perf.Comm:
		l.add(pid("pid"))
		l.add(pid("tid"))
		l.add(text("comm"))
	case perf.Exit, perf.Fork:
		for _, name := range []string{"pid", "ppid", "tid", "ptid"} {
			l.add(pid(name))
		}
		l.add(number("time", 8))
	case perf.Throttle, perf.Unthrottle:
		l.add(number("time", 8))
		l.add(number("id", 8))
		l.add(number("stream_id", 8))
	case perf.Aux:
		l.add(number("aux_offset", 8))
		l.add(number("aux_size", 8))
		l.add(number("flags", 8)).Hex = true
	case perf.ItraceStart:
		l.add(pid("pid"))
		l.add(pid("tid"))
	case perf.LostSamples:
		l.add(number("lost", 8))
	case perf.SwitchCPUWide:
		l.add(pid("next_prev_pid"))
		l.add(pid("next_prev_tid"))
	case perf.Namespaces:
		l.add(pid("pid"))
		l.add(pid("tid"))
		l.add(list("namespaces", structure("", number("dev", 8), number("inode", 8))))
	case perf.Ksymbol:
		l.add(address("addr"))
		l.add(number("len", 4))
		l.add(number("type", 2))
		l.add(number("flags", 2)).Hex = true
		l.add(text("name"))
	case perf.BPFEvent:
		l.add(number("type", 2))
		l.add(number("flags", 2)).Hex = true
		l.add(number("id", 4))
		l.add(&ir.Field{Name: "tag", Kind: ir.Array, Offset: ir.Sequential, Size: 8, Elem: 1})
	case perf.Cgroup:
		l.add(number("id", 8))
		l.add(text("path"))
	case perf.AuxOutputHWID:
		l.add(number("hw_id", 8))
	case perf.CallchainDeferred:
		l.add(number("cookie", 8))
		l.add(list("callchain", address("")))
	}
}

func (l *lowerer) mapping() {
	l.add(address("addr"))
	l.add(address("len"))
	l.add(address("pgoff"))
}

func text(name string) *ir.Field {
	return &ir.Field{Name: name, Kind: ir.Terminated, Offset: ir.Sequential, Elem: 1, Text: true, PadAfter: 8}
}
