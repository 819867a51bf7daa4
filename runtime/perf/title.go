package perf

import (
	"fmt"
	"strings"
)

// The names of perf for hardware and software events, by their config.
var (
	hardwareTitles = strings.Fields(`cycles instructions cache-references cache-misses branches branch-misses
		bus-cycles stalled-cycles-frontend stalled-cycles-backend ref-cycles`)
	softwareTitles = strings.Fields(`cpu-clock task-clock page-faults context-switches cpu-migrations minor-faults
		major-faults alignment-faults emulation-faults dummy bpf-output cgroup-switches`)
)

// cacheTitles are the caches of events of type Cache, and their operations that can be counted.
var cacheTitles = []struct{ name, operations string }{
	{"L1-dcache", "load store prefetch"}, {"L1-icache", "load prefetch"}, {"LLC", "load store prefetch"},
	{"dTLB", "load store prefetch"}, {"iTLB", "load"}, {"branch", "load"}, {"node", "load store prefetch"},
}

// cacheOperations are the operations by number, with the names of all accesses.
var cacheOperations = []struct{ one, all string }{
	{"load", "loads"}, {"store", "stores"}, {"prefetch", "prefetches"},
}

// title returns perf's name for an event without a name in the recording. perf has no name for
// types that exist on single machines only, and for unknown configs, and the names of tracepoints
// are recorded. For these, title returns numbers.
func (a *Attr) title(big bool) string {
	name := ""
	switch {
	case a.Type == Hardware && a.Config < uint64(len(hardwareTitles)):
		name = hardwareTitles[a.Config]
	case a.Type == Software && a.Config < uint64(len(softwareTitles)):
		name = softwareTitles[a.Config]
	case a.Type == Cache:
		name = cacheTitle(a.Config)
	case a.Type == RawPMU:
		name = fmt.Sprintf("raw %#x", a.Config)
	case a.Type == Breakpoint:
		name = fmt.Sprintf("mem:%#x:", a.Config1) + letters("rwx", uint64(a.BPType))
	}
	if name == "" {
		return fmt.Sprintf("%d:%#x", a.Type, a.Config)
	}
	if m := a.modifiers(big); m != "" {
		name += ":" + m
	}
	return name
}

// cacheTitle returns the name of an event of a cache, or "" if it has no name. The config has the
// numbers of the cache, of the operation and of its result, in a byte each.
func cacheTitle(config uint64) string {
	cache, operation, result := config&0xff, config>>8&0xff, config>>16
	if cache >= uint64(len(cacheTitles)) || operation >= uint64(len(cacheOperations)) || result > 1 {
		return ""
	}
	c, o := cacheTitles[cache], cacheOperations[operation]
	switch {
	case !strings.Contains(c.operations, o.one):
		return ""
	case result == 1:
		return c.name + "-" + o.one + "-misses"
	}
	return c.name + "-" + o.all
}

// modifiers returns the letters after the name of an event. They are the modes in which it counts
// if some are excluded, its precision, and the machines on which it counts if they are not the
// default.
func (a *Attr) modifiers(big bool) string {
	const (
		kernelUserHypervisor = 1<<5 | 1<<4 | 1<<6
		hostAtBit, guest     = 19, Flags(1 << 20)
	)
	modes, precise := a.Flags&kernelUserHypervisor, a.Flags.Precise(big)
	text := ""
	if modes != 0 {
		counted := ^a.Flags
		text = letters("kuh", uint64(counted>>5&1|counted>>4&1<<1|counted>>6&1<<2))
	}
	text += strings.Repeat("p", precise)
	excludesGuest := a.Flags&guest != 0
	if usual := modes == 0 && precise == 0; a.Flags>>hostAtBit&1 != 0 || excludesGuest != usual {
		text += letters("HG", uint64(^a.Flags>>hostAtBit&3))
	}
	return text
}

// letters returns the letters whose bits are set, from the lowest bit.
func letters(all string, bits uint64) string {
	var b strings.Builder
	for i := range len(all) {
		if bits>>i&1 != 0 {
			b.WriteByte(all[i])
		}
	}
	return b.String()
}
