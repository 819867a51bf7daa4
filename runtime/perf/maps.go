package perf

import (
	"path"
	"slices"
	"strings"
)

// Mapping is a part of a file in the memory of a process, or of the kernel.
type Mapping struct {
	Start, End uint64
	Offset     uint64 // in the file, of Start
	File       string // as recorded: a path, [vdso], //anon, or [kernel.kallsyms]
}

// maps are the mappings of a process, by address. Later ones cut those below them.
type maps []Mapping

// find returns the mapping of an address.
func (m maps) find(addr uint64) (*Mapping, bool) {
	i, found := slices.BinarySearchFunc(m, addr, func(x Mapping, a uint64) int {
		switch {
		case x.End <= a:
			return -1
		case x.Start > a:
			return 1
		}
		return 0
	})
	if !found {
		return nil, false
	}
	return &m[i], true
}

// add puts a mapping in place of what was there.
func (m maps) add(x Mapping) maps {
	if x.End <= x.Start {
		return m
	}
	from, _ := slices.BinarySearchFunc(m, x.Start, func(y Mapping, a uint64) int {
		if y.End <= a {
			return -1
		}
		return 1
	})
	to := from
	var rest []Mapping
	for ; to < len(m) && m[to].Start < x.End; to++ {
		if y := m[to]; y.Start < x.Start {
			y.End = x.Start
			rest = append(rest, y)
		}
	}
	rest = append(rest, x)
	if to > from {
		if y := m[to-1]; y.End > x.End {
			y.Offset += x.End - y.Start
			y.Start = x.End
			rest = append(rest, y)
		}
	}
	return slices.Replace(m, from, to, rest...)
}

// The modes of a processor, in the low bits of misc.
const (
	modeMask   = 7
	ModeKernel = 1
	ModeUser   = 2
)

const (
	mapsExec    = 0x2000 // of COMM: the process has another program now
	kernelFile  = "[kernel.kallsyms]"
	mostMaps    = 1 << 20
	ofTheKernel = -1
)

// follow takes what a record says of mappings.
func (n *Names) follow(x *Entry) {
	b, o := x.Body, n.order
	switch x.Event.Kind {
	case Mmap, Mmap2:
		name := 32
		if x.Event.Kind == Mmap2 {
			name = 64
		}
		if len(b) <= name {
			return
		}
		addr, size := o.u64(b[8:]), o.u64(b[16:])
		m := Mapping{Start: addr, End: addr + size, Offset: o.u64(b[24:]), File: terminated(b[name:])}
		if m.End < m.Start {
			m.End = 1<<64 - 1
		}
		process := int32(o.u32(b))
		if process == ofTheKernel || x.Misc&modeMask == ModeKernel {
			process = ofTheKernel
			m.File = kernelName(m.File)
		}
		if n.count < mostMaps {
			n.count++
			n.maps[process] = n.maps[process].add(m)
		}
	case Comm:
		if len(b) > 8 && x.Misc&mapsExec != 0 {
			delete(n.maps, int32(o.u32(b)))
		}
	case Fork:
		if len(b) >= 16 {
			if child, parent := int32(o.u32(b)), int32(o.u32(b[4:])); child != parent {
				n.maps[child] = slices.Clone(n.maps[parent])
			}
		}
	}
}

// kernelName is the file of a mapping of the kernel as perf names it: [kernel.kallsyms], or a module in
// brackets.
func kernelName(file string) string {
	if strings.HasPrefix(file, kernelFile) {
		return kernelFile
	}
	if base, ok := strings.CutSuffix(path.Base(file), ".ko"); ok {
		return "[" + strings.ReplaceAll(base, "-", "_") + "]"
	}
	return file
}

// Mapping returns where an address of a process, or of the kernel, is mapped from.
func (n *Names) Mapping(process int32, mode uint16, addr uint64) (*Mapping, bool) {
	if mode&modeMask == ModeKernel {
		process = ofTheKernel
	}
	return n.maps[process].find(addr)
}
