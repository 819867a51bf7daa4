package perf

import (
	"fmt"
	"slices"
)

// The modes of a processor, in the low bits of misc.
const (
	modeMask   = 7
	ModeKernel = 1
	ModeUser   = 2
)

const (
	ofTheKernel = -1
	removed     = 1 // of KSYMBOL
)

// mostMaps limits the mappings of all processes.
const mostMaps = 1 << 20

// process returns a process; nil if there are too many.
func (n *Names) process(pid int32) *process {
	if n.last != nil && n.lastPID == pid {
		return n.last
	}
	p := n.processes[pid]
	if p == nil {
		if len(n.processes) == mostThreads {
			return nil
		}
		p = &process{}
		n.processes[pid] = p
	}
	n.lastPID, n.last = pid, p
	return p
}

// process is a process, or the kernel.
type process struct{ space *space }

// sample gives a sample the mappings of its time.
func (n *Names) sample(x *Entry) {
	x.Maps = Maps{kernel: n.kernel.space.share()}
	if at := x.Event.plan.tid; at >= 0 {
		if p := n.process(int32(n.order.u32(x.Body[at:]))); p != nil {
			x.Maps.process = p.space.share()
		}
	}
	n.now, n.mode = x.Maps, x.Misc&modeMask
}

// follow takes what a record says of mappings.
func (n *Names) follow(x *Entry) {
	b, o := x.Body, n.order
	switch x.Event.Kind {
	case Mmap, Mmap2:
		n.mmap(x)
	case Ksymbol:
		if len(b) > 16 {
			n.ksymbol(b)
		}
	case BuildID:
		n.rec.modules.addBuild(o, x.Misc, b)
	case Fork:
		if len(b) < 16 {
			return
		}
		if child, parent := int32(o.u32(b)), int32(o.u32(b[4:])); child != parent {
			s := n.process(parent).shared()
			n.replace(n.process(child), s)
		}
	}
}

// shared returns the mappings of a process for another one.
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
		n.count -= len(p.space.list)
	}
	p.space = s
}

// own returns mappings of a process that may be changed; nil if there are too many.
func (n *Names) own(p *process) *space {
	switch s := p.space; {
	case s == nil:
		p.space = &space{}
	case s.shared:
		if s.forked && n.count+len(s.list) > mostMaps {
			return nil
		}
		n.replace(p, &space{list: slices.Clone(s.list)})
		n.count += len(s.list)
	}
	return p.space
}

// add adds a mapping to a process. It notes damage if there are too many.
func (n *Names) add(p *process, m Mapping) {
	var s *space
	if p != nil && m.Module != nil && n.count < mostMaps {
		s = n.own(p)
	}
	if s == nil {
		if !n.full {
			n.full = true
			n.rec.damage.Note("", 0, 0, fmt.Errorf("mappings of processes: %w", ErrLimit))
		}
		return
	}
	before := len(s.list)
	s.list = s.list.add(m)
	n.count += len(s.list) - before
}

// mmap adds a mapping.
func (n *Names) mmap(x *Entry) {
	const hasBuildID = 0x4000
	b, o := x.Body, n.order
	name := 32
	if x.Event.Kind == Mmap2 {
		name = 64
	}
	if len(b) <= name {
		return
	}
	addr, size := o.u64(b[8:]), o.u64(b[16:])
	m := Mapping{Start: addr, End: addr + size, Offset: o.u64(b[24:])}
	if m.End < m.Start {
		m.End = 1<<64 - 1
	}
	build := ""
	if x.Event.Kind == Mmap2 && x.Misc&hasBuildID != 0 {
		build = buildText(b[36:56], b[32])
	}
	pid, file := int32(o.u32(b)), terminated(b[name:])
	if pid == ofTheKernel || x.Misc&modeMask == ModeKernel {
		m.Module = n.rec.modules.kernelModule(file, build, m.Offset)
		n.add(&n.kernel, m)
		return
	}
	m.Module = n.rec.modules.module(file, build)
	n.add(n.process(pid), m)
}

// ksymbol adds or removes code that the kernel has made, such as a BPF program.
func (n *Names) ksymbol(b []byte) {
	o := n.order
	start, size, flags := o.u64(b), uint64(o.u32(b[8:])), o.u16(b[14:])
	if flags&removed != 0 {
		if s := n.own(&n.kernel); s != nil {
			before := len(s.list)
			s.list = s.list.remove(start)
			n.count -= before - len(s.list)
		}
		return
	}
	m := Mapping{Start: start, End: start + size, Module: n.rec.modules.generated(terminated(b[16:]))}
	n.add(&n.kernel, m)
}

// Mapping returns where an address of a process, or of the kernel, is mapped from.
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
