// Package process follows the processes that run on the processors of an LTTng trace, and their
// modes: the columns of LTTV's textDump. The rules were found from its output
// (shared/data/lttng/oracle). They reproduce every line of it.
package process

import (
	"github.com/tracec/tracec/runtime/lttng"
	"github.com/tracec/tracec/runtime/record"
)

// State is the state of a whole trace. It is for one goroutine.
type State struct {
	running   []*Process // by processor
	idle      []*Process // pid 0, one for each processor
	processes processes
	first     int32    // Marker.Index of the trace's first
	actions   []action // by Marker.Index, from first on
	late      map[*lttng.Marker]*action
	titles    *Titles // may be nil
	Names
}

// maxCPU limits the processors, because the number comes from the name of a file.
const maxCPU = 1 << 16

// New returns the state before the first event.
func New(tr *lttng.Trace) *State {
	markers := tr.Markers()
	s := &State{actions: make([]action, len(markers))}
	if len(markers) > 0 {
		s.first = markers[0].Index
	}
	cpus := 1
	for _, f := range tr.Files() {
		cpus = max(cpus, min(f.CPU, maxCPU-1)+1)
	}
	for range cpus {
		p := newProcess(0)
		s.idle = append(s.idle, p)
		s.running = append(s.running, p)
	}
	for i, m := range markers {
		s.actions[i] = actionOf(m)
	}
	return s
}

// NewProcesses is like [New], but only follows which processes run. Events must be in the order of
// time only for each processor. The names of processes are taken from titles at the end.
func NewProcesses(tr *lttng.Trace, titles *Titles) *State {
	s := New(tr)
	s.titles = titles
	for i, a := range s.actions {
		if !runs(a.kind) {
			s.actions[i] = action{}
		}
	}
	return s
}

// Running returns the process on a processor. Before the first event of the scheduler it is the
// idle process, as in LTTV's columns. For these events, [lttng.Recording.MergeTasks] reports an
// unknown thread.
func (s *State) Running(cpu int32) *Process { return s.running[s.cpu(cpu)] }

func (s *State) cpu(cpu int32) int {
	if uint(cpu) < uint(len(s.running)) {
		return int(cpu)
	}
	return s.grown(cpu)
}

// grown is cpu for a new processor.
func (s *State) grown(cpu int32) int {
	for int(cpu) >= len(s.running) && cpu < maxCPU { // the processor has appeared in a followed trace
		p := newProcess(0)
		s.idle, s.running = append(s.idle, p), append(s.running, p)
	}
	return min(max(int(cpu), 0), len(s.running)-1)
}

// action returns the action of a marker. Markers that join a followed trace later are unknown to
// New.
func (s *State) action(m *lttng.Marker) *action {
	if i := int(m.Index - s.first); i < len(s.actions) {
		return &s.actions[i]
	}
	if a := s.late[m]; a != nil {
		return a
	}
	a := actionOf(m)
	if s.late == nil {
		s.late = map[*lttng.Marker]*action{}
	}
	s.late[m] = &a
	return &a
}

// Apply applies an event. The columns of an event show the state after it.
func (s *State) Apply(r *record.Record, m *lttng.Marker) {
	if m == nil {
		return
	}
	a := s.action(m)
	if a.kind == nothing {
		return
	}
	cpu := s.cpu(r.CPU)
	p := s.running[cpu]
	switch a.kind {
	case push:
		if a.mode == Syscall && p.PID == 0 { // the idle process makes no system calls: an unknown process runs
			return
		}
		p.push(a.mode)
	case pop:
		p.pop(a.mode)
	case schedule:
		s.schedule(cpu, int32(a.fields[0].Uint(r.Data)), int32(a.fields[1].Uint(r.Data)))
	default:
		s.rare(a, cpu, p, r)
	}
}

// schedule switches a processor to another process.
func (s *State) schedule(cpu int, prev, next int32) {
	if p := s.running[cpu]; p.PID == 0 && prev == 0 && p.Mode() == Unknown { // the idle process is in the kernel
		p.set(Syscall)
	}
	s.running[cpu] = s.find(cpu, next)
}

// find returns a process. It is created on first use.
func (s *State) find(cpu int, pid int32) *Process {
	if pid == 0 {
		return s.idle[cpu]
	}
	if p := s.processes.get(pid); p != nil {
		return p
	}
	p := newProcess(pid)
	s.processes.put(p)
	return p
}

// rare handles rare events.
func (s *State) rare(a *action, cpu int, p *Process, r *record.Record) {
	f := a.fields
	if s.titles != nil {
		s.titles.note(a, r.Time, p.PID, r.Data)
	}
	switch data := r.Data; a.kind {
	case fork:
		child := newProcess(int32(f[1].Uint(data)))
		child.Name, child.Brand, child.PPID = p.Name, p.Brand, int32(f[0].Uint(data))
		child.TGID = int32(f[2].Uint(data))
		child.stack = append(child.stack[:0], User, Syscall)
		if child.PID != 0 {
			s.processes.put(child)
		}
	case exec:
		p.Name = f[0].Text(data)
	case brand:
		p.Brand = f[0].Text(data)
	case free:
		s.free(int32(f[0].Uint(data)))
	case dump:
		s.dumped(f, data)
	case dumpEnd:
		s.dumpEnded()
	case enterFunction:
		p.enter(f[0].Uint(data))
	case leaveFunction:
		p.leave()
	default:
		s.name(a, data)
	}
}

// free removes a process that has ended, unless a processor still runs it.
func (s *State) free(pid int32) {
	for _, p := range s.running {
		if p.PID == pid {
			return
		}
	}
	s.processes.remove(pid)
}

// dumped adds a process that the dump of the state at the start of a trace describes. Pid 0 stands
// for one process on every processor.
func (s *State) dumped(f []*lttng.Reader, data []byte) {
	pid := int32(f[0].Uint(data))
	list := s.idle
	if pid != 0 {
		list = []*Process{s.find(0, pid)}
	}
	for _, p := range list {
		p.PPID, p.Name, p.kernel, p.TGID = int32(f[1].Uint(data)), f[2].Text(data), f[3].Uint(data) == 1,
			int32(f[4].Uint(data))
	}
}

// dumpEnded sets the modes of processes whose mode is unknown. Threads of the kernel are in the
// kernel. Others are assumed to be in a system call.
func (s *State) dumpEnded() {
	for _, p := range s.idle {
		p.settle()
	}
	s.processes.each((*Process).settle)
}
