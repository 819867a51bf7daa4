package perf

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/tracec/tracec/runtime/perf"
)

// computer prints a section about processors, memory or counters.
func (h *header) computer(f perf.Feature) {
	c := &h.rec.Info().Computer
	switch f {
	case perf.FeatureCPUID:
		h.line("cpuid : %s", c.CPUID)
	case perf.FeatureMemory:
		h.line("total memory : %d kB", c.Memory)
	case perf.FeatureTopology:
		h.topology(c)
	case perf.FeatureNodes:
		for _, n := range c.Nodes {
			h.line("node%d meminfo  : total = %d kB, free = %d kB", n.Number, n.Total, n.Free)
			h.line("node%d cpu list : %s", n.Number, n.CPUs)
		}
	case perf.FeaturePMUs:
		h.pmus(c.PMUs)
	case perf.FeatureCaches:
		h.line("CPU cache info:")
		for _, x := range c.Caches {
			h.line(" L%d %-15s %8s [%s]", x.Level, x.Type, x.Size, x.CPUs)
		}
	case perf.FeatureMemoryMap:
		h.memory(&c.MemoryMap)
	case perf.FeatureCPUCaps:
		h.capabilities("cpu", c.CPUCaps)
	case perf.FeaturePMUCaps:
		for _, p := range c.PMUCaps {
			h.capabilities(p.PMU, p.List)
		}
	case perf.FeatureHybrid:
		h.line("hybrid cpu system:")
		for _, p := range c.Hybrid {
			h.line("%s cpu list : %s", p.PMU, p.CPUs)
		}
	case perf.FeatureDomains:
		h.schedule(&c.Schedule)
	case perf.FeatureMachine:
		h.line("e_machine : %d", c.Machine.Number)
		h.line("  e_flags : %d", c.Machine.Flags)
	case perf.FeatureLineSize:
		h.line("cacheline size: %d", c.LineSize)
	}
}

func (h *header) topology(c *perf.Computer) {
	for _, x := range []struct {
		name string
		list []string
	}{{"sockets", c.Sockets}, {"dies   ", c.Dies}, {"threads", c.Cores}} {
		for _, cpus := range x.list {
			h.line("sibling %s : %s", x.name, cpus)
		}
	}
	switch dies := len(c.Dies) > 0; {
	case c.Processors == nil && dies:
		h.line("Core ID, Die ID and Socket ID information is not available")
	case c.Processors == nil:
		h.line("Core ID and Socket ID information is not available")
	case dies:
		for i, p := range c.Processors {
			h.line("CPU %d: Core ID %d, Die ID %d, Socket ID %d", i, p.Core, p.Die, p.Socket)
		}
	default:
		for i, p := range c.Processors {
			h.line("CPU %d: Core ID %d, Socket ID %d", i, p.Core, p.Socket)
		}
	}
}

func (h *header) pmus(list []perf.PMU) {
	if len(list) == 0 {
		h.line("pmu mappings: not available")
		return
	}
	names := make([]string, 0, len(list))
	for _, p := range list {
		names = append(names, fmt.Sprintf("%s = %d", p.Name, p.Number))
	}
	h.line("pmu mappings: %s", strings.Join(names, ", "))
}

func (h *header) capabilities(pmu string, list []perf.Capability) {
	if len(list) == 0 {
		h.line("%s pmu capabilities: not available", pmu)
		return
	}
	texts := make([]string, 0, len(list))
	for _, c := range list {
		texts = append(texts, c.Name+"="+c.Value)
	}
	h.line("%s pmu capabilities: %s", pmu, strings.Join(texts, ", "))
}

func (h *header) memory(m *perf.MemoryMap) {
	h.line("memory nodes (nr %d, block size 0x%x):", len(m.Nodes), m.Block)
	for i := range m.Nodes {
		n := &m.Nodes[i]
		count := 0
		for _, word := range n.Blocks {
			count += bits.OnesCount64(word)
		}
		h.line(" %3d [%s]: %s", n.Number, sizeText(uint64(count)*m.Block), blocksText(n))
	}
}

// sizeText returns a size in the largest unit that gives at least 2.
func sizeText(n uint64) string {
	unit := 0
	for ; n/1024 > 1 && unit < 3; unit++ {
		n /= 1024
	}
	return fmt.Sprintf("%d%c", n, "BKMG"[unit])
}

// blocksText returns the blocks of a node as ranges, such as 0-23,32-199.
func blocksText(n *perf.MemoryNode) string {
	var out []byte
	has := func(i uint64) bool { return i < n.Bits && n.Blocks[i/64]>>(i%64)&1 != 0 }
	for i := uint64(0); i < n.Bits; i++ {
		if !has(i) {
			continue
		}
		first := i
		for has(i + 1) {
			i++
		}
		if len(out) > 0 {
			out = append(out, ',')
		}
		if out = fmt.Appendf(out, "%d", first); i > first {
			out = fmt.Appendf(out, "-%d", i)
		}
	}
	return string(out)
}

func (h *header) schedule(s *perf.Schedule) {
	h.line("schedstat version\t: %d", s.Version)
	h.line("Maximum sched domains\t: %d", s.Most)
	for _, c := range s.CPUs {
		h.line("cpu\t\t: %d", c.CPU)
		h.line("nr_domains\t: %d", len(c.List))
		for _, d := range c.List {
			h.line("Domain\t\t: %d", d.Number)
			h.line("Domain name      : %s", d.Name)
			h.line("Domain cpu map   : %s", d.Mask)
			h.line("Domain cpu list  : %s", d.CPUs)
		}
	}
}
