package perf

import "fmt"

// Computer is the part of Info about processors, memory and counters.
type Computer struct {
	CPUID  string
	Memory uint64 // in KiB

	// Lists of processors that share a socket, a die and a core, such as 0-3,8.
	Sockets, Dies, Cores []string
	// Processors are the places of the processors. It is nil if they were not recorded.
	Processors []Processor
	Nodes      []Node
	Caches     []CPUCache
	MemoryMap  MemoryMap
	LineSize   uint32 // of caches, in bytes
	Machine    ELFMachine
	Schedule   Schedule

	PMUs    []PMU
	CPUCaps []Capability
	PMUCaps []PMUCaps
	Hybrid  []HybridPMU
}

// Processor is the place of a processor. Dies are 0 before perf 5.3.
type Processor struct{ Core, Die, Socket int32 }

// Node is a NUMA node. Sizes are in KiB.
type Node struct {
	Number      uint32
	Total, Free uint64
	CPUs        string // such as 0-3
}

// CPUCache is a cache that processors share.
type CPUCache struct {
	Level, Line, Sets, Ways uint32
	Type, Size, CPUs        string // such as Unified, 512K, 0-1
}

// MemoryMap lists the blocks of memory.
type MemoryMap struct {
	Block uint64 // size of a block in bytes
	Nodes []MemoryNode
}

// MemoryNode has the blocks of a NUMA node: bit n % 64 of word n / 64 is block n.
type MemoryNode struct {
	Number, Bits uint64
	Blocks       []uint64
}

// PMU is a source of events. Number is the type of attributes.
type PMU struct {
	Number uint32
	Name   string
}

// Capability is a property of a PMU.
type Capability struct{ Name, Value string }

// PMUCaps are the capabilities of one PMU.
type PMUCaps struct {
	PMU  string
	List []Capability
}

// HybridPMU is the PMU of one kind of processors in a machine with several kinds.
type HybridPMU struct{ PMU, CPUs string }

// ELFMachine has e_machine and e_flags of the ELF header of perf.
type ELFMachine struct{ Number, Flags uint32 }

// Schedule has the scheduler's domains.
type Schedule struct {
	Version uint32 // of /proc/schedstat
	Most    uint32 // maximum number of domains of a processor
	CPUs    []CPUDomains
}

// CPUDomains are the domains of a processor.
type CPUDomains struct {
	CPU  uint32
	List []Domain
}

// Domain is a domain of the scheduler. Its processors are a mask in hexadecimal and a list.
type Domain struct {
	Number           uint32
	Name, Mask, CPUs string
}

// readFeature reads the contents of a section about hardware. cpus is the number of processors.
func (h *Computer) readFeature(n Feature, c *cursor, cpus int) {
	switch n {
	case FeatureCPUID:
		h.CPUID = c.text()
	case FeatureMemory:
		h.Memory = c.u64()
	case FeatureTopology:
		h.topology(c, cpus)
	case FeatureNodes:
		h.Nodes = list(c, 24, func() Node { return Node{c.u32(), c.u64(), c.u64(), c.text()} })
	case FeaturePMUs:
		h.PMUs = list(c, 8, func() PMU { return PMU{c.u32(), c.text()} })
	case FeatureCaches:
		if c.version(uint64(c.u32()), 1) {
			h.Caches = list(c, 28, func() CPUCache {
				return CPUCache{c.u32(), c.u32(), c.u32(), c.u32(), c.text(), c.text(), c.text()}
			})
		}
	case FeatureMemoryMap:
		h.MemoryMap = c.memoryMap()
	case FeatureCPUCaps:
		h.CPUCaps = c.capabilities()
	case FeaturePMUCaps:
		h.PMUCaps = list(c, 8, func() PMUCaps {
			caps := c.capabilities()
			return PMUCaps{PMU: c.text(), List: caps}
		})
	case FeatureHybrid:
		h.Hybrid = list(c, 8, func() HybridPMU { return HybridPMU{c.text(), c.text()} })
	case FeatureDomains:
		h.Schedule = c.schedule(cpus)
	case FeatureMachine:
		h.Machine = ELFMachine{c.u32(), c.u32()}
	case FeatureLineSize:
		h.LineSize = c.u32()
	}
}

// topology reads section CPU_TOPOLOGY. Several versions of perf have added a part at its end, and
// pipes pad it.
func (h *Computer) topology(c *cursor, cpus int) {
	const pad = 8
	h.Sockets, h.Cores = c.texts(), c.texts()
	if h.Processors, h.Dies = nil, nil; len(c.b) < pad || cpus <= 0 {
		return
	}
	if cpus > len(c.b)/8 {
		c.take(-1)
		return
	}
	places := make([]Processor, cpus)
	for i := range places {
		places[i].Core, places[i].Socket = int32(c.u32()), int32(c.u32())
	}
	h.Processors = places
	if len(c.b) < pad {
		return
	}
	dies := c.texts()
	for i := range places {
		places[i].Die = int32(c.u32())
	}
	if !c.short {
		h.Dies = dies
	}
}

// mostBlocks limits the blocks of a node. On today's machines, blocks have 128 MiB or more.
const mostBlocks = 1 << 20

func (c *cursor) memoryMap() (m MemoryMap) {
	if !c.version(c.u64(), 1) {
		return m
	}
	m.Block = c.u64()
	n := c.u64()
	if n > uint64(len(c.b)/24) {
		c.take(-1)
		return m
	}
	for range n {
		x := MemoryNode{Number: c.u64()}
		c.u64() // the number of bits, which the bitmap repeats
		x.Bits = c.u64()
		if x.Bits > mostBlocks {
			c.err = fmt.Errorf("a node of %d blocks: %w", x.Bits, ErrLimit)
			return m
		}
		words := (x.Bits + 63) / 64
		if words > uint64(len(c.b)/8) {
			c.take(-1)
			return m
		}
		for range words {
			x.Blocks = append(x.Blocks, c.u64())
		}
		m.Nodes = append(m.Nodes, x)
	}
	return m
}

func (c *cursor) capabilities() []Capability {
	return list(c, 8, func() Capability { return Capability{c.text(), c.text()} })
}

// schedule reads section CPU_DOMAIN_INFO. It lists the processors that were online.
func (c *cursor) schedule(cpus int) (s Schedule) {
	const leastCPU = 8
	s.Version, s.Most = c.u32(), c.u32()
	for len(s.CPUs) < cpus && len(c.b) >= leastCPU && !c.short {
		x := CPUDomains{CPU: c.u32()}
		x.List = list(c, 16, func() Domain { return Domain{c.u32(), c.text(), c.text(), c.text()} })
		s.CPUs = append(s.CPUs, x)
	}
	return s
}
