package perf

import "strconv"

// dataSource appends the place where an access to memory found its data, as perf decodes data_src
// (perf.md 4.4). Versions before 6.2 name the level differently.
func dataSource(dst []byte, src uint64, old bool) []byte {
	bits := func(at, n int) uint64 { return src >> at & (1<<n - 1) }
	dst = append(append(dst, "|OP "...), operation(bits(0, 5))...)
	dst = append(dst, "|LVL "...)
	if old {
		dst = oldLevel(dst, bits)
	} else {
		dst = level(dst, bits)
	}
	dst = append(dst, "|SNP "...)
	if snoop := bits(19, 5) | bits(38, 2)<<5; snoop != 0 {
		dst = names(dst, snoop, snoops)
	} else {
		dst = append(dst, "N/A"...)
	}
	dst = translation(append(dst, "|TLB "...), bits(26, 7))
	dst = append(append(dst, "|LCK "...), locked(bits(24, 2))...)
	return blocked(append(dst, "|BLK "...), bits(40, 3))
}

var (
	operations = []string{"N/A", "LOAD", "STORE", "PFETCH", "EXEC"}
	snoops     = []string{"N/A", "None", "Hit", "Miss", "HitM", "Fwd", "Peer"}
	buffers    = []string{"N/A", "HIT", "MISS", "L1", "L2", "Walker", "Fault"}
	levels     = []string{
		"N/A", "HIT", "MISS", "L1", "LFB/MAB", "L2", "L3", "Local RAM", "Remote RAM (1 hop)", "Remote RAM (2 hops)",
		"Remote Cache (1 hop)", "Remote Cache (2 hops)", "I/O", "Uncached",
	}
	levelNumbers = []string{
		1: "L1", 2: "L2", 3: "L3", 4: "L4", 5: "L2 MHB", 6: "Memory-side Cache", 8: "Uncached", 9: "CXL", 10: "I/O",
		11: "Any cache", 12: "LFB/MAB", 13: "RAM", 14: "PMEM", 15: "N/A",
	}
	hops = []string{1: "core, same node", 2: "node, same socket", 3: "socket, same board", 4: "board", 7: ""}
)

// The bits of levels and of the translation of addresses.
const (
	levelNA  = 1
	hit      = 2
	miss     = 4
	noNumber = 15
)

// operation returns the first operation of a set.
func operation(set uint64) string {
	for i, name := range operations {
		if set>>i&1 != 0 {
			return name
		}
	}
	return "No"
}

// names appends the names of a set.
func names(dst []byte, set uint64, of []string) []byte {
	for i, at := 0, len(dst); set != 0; i, set = i+1, set>>1 {
		if set&1 == 0 {
			continue
		}
		if len(dst) > at {
			dst = append(dst, " or "...)
		}
		dst = append(dst, of[i]...)
	}
	return dst
}

// level appends the level of memory. The number of the level takes precedence over the set of
// levels.
func level(dst []byte, bits func(at, n int) uint64) []byte {
	set, number := bits(5, 14), bits(33, 4)
	found := " "
	if set&hit != 0 {
		found = " hit"
	} else if set&miss != 0 {
		found = " miss"
	}
	set &^= levelNA | hit | miss
	switch {
	case number != 0 && number != noNumber:
		if bits(37, 1) != 0 {
			dst = append(dst, "Remote "...)
		}
		dst = hop(dst, bits(43, 3))
		if levelNumbers[number] == "" {
			dst = strconv.AppendUint(append(dst, "Unknown level "...), number, 10)
		}
		return append(append(dst, levelNumbers[number]...), found...)
	case set != 0:
		return append(names(dst, set, levels), found...)
	}
	return append(dst, "N/A"...)
}

// oldLevel appends the level of memory as perf 6.1 does.
func oldLevel(dst []byte, bits func(at, n int) uint64) []byte {
	at, set, number := len(dst), bits(5, 14), bits(33, 4)
	if bits(37, 1) != 0 {
		dst = append(dst, "Remote "...)
	}
	several := false
	if hops := bits(43, 3); hops != 0 {
		dst = hop(dst, hops)
	} else {
		before := len(dst)
		dst = names(dst, set&^(hit|miss), levels)
		several = len(dst) > before
	}
	if number != 0 {
		if several {
			dst = append(dst, " or "...)
		}
		if number <= 8 {
			dst = strconv.AppendUint(append(dst, 'L'), number, 10)
		} else {
			dst = append(dst, levelNumbers[number]...)
		}
	}
	if len(dst) == at {
		dst = append(dst, "N/A"...)
	}
	return found(dst, set)
}

// hop appends the distance of the memory.
func hop(dst []byte, n uint64) []byte {
	if n == 0 {
		return dst
	}
	name := hops[n]
	if name == "" {
		name = "(null)" // as perf prints it
	}
	return append(append(dst, name...), ' ')
}

// translation appends the place where the address was translated.
func translation(dst []byte, set uint64) []byte {
	if set&^(hit|miss) == 0 {
		dst = append(dst, "N/A"...)
	}
	return found(names(dst, set&^(hit|miss), buffers), set)
}

func found(dst []byte, set uint64) []byte {
	if set&hit != 0 {
		dst = append(dst, " hit"...)
	}
	if set&miss != 0 {
		dst = append(dst, " miss"...)
	}
	return dst
}

func locked(set uint64) string {
	switch {
	case set&1 != 0:
		return "N/A"
	case set&2 != 0:
		return "Yes"
	}
	return "No"
}

// blocked appends the reason why a load had to wait.
func blocked(dst []byte, set uint64) []byte {
	if set&1 != 0 || set == 0 {
		return append(dst, " N/A"...)
	}
	if set&2 != 0 {
		dst = append(dst, " Data"...)
	}
	if set&4 != 0 {
		dst = append(dst, " Addr"...)
	}
	return dst
}
