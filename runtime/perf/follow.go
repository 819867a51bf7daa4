package perf

import (
	"encoding/hex"
	"slices"
)

// The modes of a processor, in the low bits of misc.
const (
	modeMask   = 7
	ModeKernel = 1
	ModeUser   = 2
)

// ofTheKernel is the process id of the kernel's mappings.
const ofTheKernel = -1

// process returns a process, or nil if there is no memory for it.
func (n *Names) process(pid int32) *process {
	if p := n.knownProcesses[uint32(pid)%knownThreads]; p != nil && p.pid == pid {
		return p
	}
	p := n.processes[pid]
	if p == nil {
		if !n.take(0, processSize) {
			return nil
		}
		p = &process{pid: pid}
		n.processes[pid] = p
	}
	n.knownProcesses[uint32(pid)%knownThreads] = p
	return p
}

// process is a process, or the kernel.
type process struct {
	space *space
	pid   int32
}

// sample sets the mappings of a sample to those at its time.
func (n *Names) sample(x *Entry) {
	n.now = Maps{kernel: n.kernel.space.share()}
	if x.Event.plan.tid >= 0 {
		if p := n.process(x.process); p != nil {
			n.now.process = p.space.share()
		}
	}
	x.Maps, n.mode = n.now, x.Misc&modeMask
}

// follow reads a side-band record.
func (n *Names) follow(x *Entry) {
	switch x.Event.Kind {
	case Comm:
		if pid, tid, name, ok := x.Command(); ok {
			n.set(tid, thread{string(name), pid})
		}
	case Fork:
		if t, ok := x.Task(); ok {
			n.fork(t)
		}
	case Mmap, Mmap2:
		n.mmap(x)
	case Ksymbol:
		n.ksymbol(x)
	case BuildID:
		if n.behind {
			return
		}
		if err := n.rec.modules.addBuild(n.rec.order, x.Misc, x.Body); err != nil {
			n.full = err
		}
	}
}

// fork gives a thread the name and the mappings of its parent.
func (n *Names) fork(t Task) {
	if t.Process != t.Parent {
		s := n.process(t.Parent).shared()
		n.replace(n.process(t.Process), s)
	}
	n.set(t.Thread, thread{n.threads[t.ParentThread].comm, t.Process})
}

// shared returns the mappings of a process for use by another process.
func (p *process) shared() *space {
	if p == nil || p.space == nil {
		return nil
	}
	p.space.forked = true
	return p.space.share()
}

// replace gives a process other mappings.
func (n *Names) replace(p *process, s *space) {
	if p == nil {
		return
	}
	if p.space != nil && !p.space.forked {
		n.take(p.space.size(), 0)
	}
	p.space = s
}

// own returns the mappings of a process in a form that may be changed. It returns nil if there is
// no memory for a copy.
func (n *Names) own(p *process) *space {
	switch s := p.space; {
	case s == nil:
		p.space = &space{}
	case s.shared:
		less := s.size()
		if s.forked { // the other process keeps the space
			less = 0
		}
		if !n.take(less, s.size()) {
			return nil
		}
		p.space = &space{list: slices.Clone(s.list)}
	}
	return p.space
}

// add adds a mapping to a process if there is memory for it.
func (n *Names) add(p *process, m Mapping) {
	const most = 2 * mappingSize // the mapping may split another one
	if m.Module == nil && n.full == nil {
		n.full = ErrLimit
	}
	if p == nil || m.Module == nil {
		return
	}
	s := n.own(p)
	if s == nil || !n.take(0, most) {
		return
	}
	before := s.size()
	s.list = s.list.add(m)
	n.take(before+most, s.size())
}

// mmap adds a mapping.
func (n *Names) mmap(x *Entry) {
	r, ok := x.Mapped()
	if !ok {
		return
	}
	m := Mapping{Start: r.Start, End: r.Start + r.Size, Offset: r.Offset}
	if m.End < m.Start {
		m.End = 1<<64 - 1
	}
	file, build := string(r.File), hex.EncodeToString(r.BuildID)
	if r.Process == ofTheKernel || x.Misc&modeMask == ModeKernel {
		m.Module = n.rec.modules.kernelModule(file, build, m.Offset)
		n.add(&n.kernel, m)
		return
	}
	m.Module = n.rec.modules.module(file, build)
	n.add(n.process(r.Process), m)
}

// ksymbol adds or removes code that the kernel has generated.
func (n *Names) ksymbol(x *Entry) {
	g, ok := x.Generated()
	if !ok {
		return
	}
	if g.Removed {
		if s := n.own(&n.kernel); s != nil {
			before := s.size()
			s.list = s.list.remove(g.Start)
			n.take(before, s.size())
		}
		return
	}
	end := g.Start + uint64(g.Size)
	n.add(&n.kernel, Mapping{Start: g.Start, End: end, Module: n.rec.modules.generated(string(g.Name))})
}

// Mapping returns the mapping of an address of a process, or of the kernel.
func (n *Names) Mapping(pid int32, mode uint16, addr uint64) (*Mapping, bool) {
	m := Maps{kernel: n.kernel.space}
	if p := n.processes[pid]; p != nil {
		m.process = p.space
	}
	if pid == ofTheKernel {
		mode = ModeKernel
	}
	return m.Find(mode, addr)
}
