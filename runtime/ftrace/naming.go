package ftrace

import "github.com/tracec/tracec/runtime/record"

// Names implements record.Names for a recording. Threads have the names that the kernel had saved
// when the recording ended. As in trace-cmd, thread 0 is "<idle>". Processes are known if
// saved_tgids is recorded. Symbols are the kernel's.
type Names struct {
	rec   *Recording
	named [256]named // threads by a part of their id
}

// named is a thread and its properties.
type named struct {
	task  int32
	known bool // the other fields are valid
	record.Thread
}

var _ record.Names[record.None] = (*Names)(nil)

// Names returns the names of the recording.
func (r *Recording) Names() *Names { return &Names{rec: r} }

// Follow implements record.Names. It does nothing.
func (n *Names) Follow(*record.Record, *record.None) {}

// Thread implements record.Names.
func (n *Names) Thread(r *record.Record, _ *record.None) record.Thread {
	if r.Task < 0 {
		return record.Unknown
	}
	slot := &n.named[uint32(r.Task)%uint32(len(n.named))]
	if slot.task != r.Task || !slot.known || n.rec.grow.grows() {
		*slot = named{r.Task, true, record.Thread{Comm: n.rec.Comm(r.Task), Process: -1}}
		if slot.Comm == unknownComm {
			slot.Comm = ""
		}
		if tgid, ok := n.rec.TGID(r.Task); ok {
			slot.Process = int32(tgid)
		}
	}
	return slot.Thread
}

// Symbol implements record.Names.
func (n *Names) Symbol(_ *record.Record, addr uint64) (name string, offset uint64, ok bool) {
	name, start, _, _, ok := n.rec.Symbols().Lookup(addr)
	if !ok {
		return "", 0, false
	}
	return name, addr - start, true
}

// Library returns the file that a process had mapped at an address, and the distance of the address
// from the start of that mapping, in bytes. It returns false if the map is not recorded: trace-cmd
// records maps only on request.
func (r *Recording) Library(process int32, addr uint64) (file string, offset uint64, ok bool) {
	for i := range r.info.ProcMaps {
		m := &r.info.ProcMaps[i]
		if m.PID != int(process) {
			continue
		}
		for _, l := range m.Libraries {
			if l.Start <= addr && addr < l.End {
				return l.Name, addr - l.Start, true
			}
		}
	}
	return "", 0, false
}
