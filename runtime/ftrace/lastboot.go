package ftrace

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/tracec/tracec/runtime/symbols"
)

// A ring buffer that outlives the kernel has addresses of the boot in which it was recorded. The
// symbols of a recording come from the boot after it. last_boot_info has the old addresses of the
// kernel and its modules (option LAST_BOOT_INFO, or the file of the instance). kallsyms and
// /proc/modules have the current ones.

// A stretch is the old location of a part of the kernel. The current address addr was addr-move
// when the buffer was recorded.
type stretch struct{ from, to, move uint64 }

// maxParts bounds the modules of a boot. Linux has some hundred.
const maxParts = 4096

// A part is the kernel or a module.
type part struct {
	name string // [kernel]
	addr uint64
	size uint64
}

// anyType lists the types of symbols that may begin or end the kernel.
const anyType = "tTwWbBdDrRvV"

// kernelPart is the name of the kernel itself.
const kernelPart = "[kernel]"

// lastBoot reads last_boot_info: lines of an address and a name. It returns nothing if the boot is
// the running one. Kernels before 6.14 record the distance by which the kernel moved.
func lastBoot(text string, kernel uint64) (parts []part, err error) {
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\x00\r\n")
		addr, name, ok := strings.Cut(line, "\t")
		switch {
		case strings.HasPrefix(line, "#"), line == "", strings.HasPrefix(line, "data delta:"):
			continue
		case strings.HasPrefix(line, "text delta:"):
			move, err := strconv.ParseInt(strings.TrimSpace(line[len("text delta:"):]), 10, 64)
			if err != nil {
				return nil, fmt.Errorf("%w: %q", ErrCorrupt, line)
			}
			if move != 0 {
				parts = append(parts, part{name: kernelPart, addr: kernel - uint64(move)})
			}
			continue
		case len(parts) == maxParts:
			return nil, fmt.Errorf("%w: more than %d modules", ErrLimit, maxParts)
		}
		at, err := strconv.ParseUint(addr, 16, 64)
		if !ok || err != nil {
			return nil, fmt.Errorf("%w: %q", ErrCorrupt, line)
		}
		parts = append(parts, part{name: name, addr: at})
	}
	return parts, nil
}

// addLastBoot adds the contents of an instance's file, in the form of the option.
func (r *Recording) addLastBoot(instance, text string) {
	if text != "" {
		r.info.LastBootInfo = append(r.info.LastBootInfo, instance+":"+text)
	}
}

// partsNow returns the current locations of the kernel and its modules. The kernel is from _text to
// _end. Modules are listed in /proc/modules.
func (r *Recording) partsNow(s *Symbols) map[string]part {
	now := map[string]part{}
	if from, ok := s.table.Address("_text", anyType); ok {
		end, ok := s.table.Address("_end", anyType)
		if !ok {
			end = s.lastOfKernel()
		}
		if end > from {
			now[kernelPart] = part{kernelPart, from, end - from}
		}
	}
	for line := range strings.Lines(r.info.Modules) {
		f := strings.Fields(line) // name, size, users, their names, state, address
		if len(f) < 6 || len(now) > maxParts {
			continue
		}
		size, errSize := strconv.ParseUint(f[1], 10, 64)
		addr, errAddr := strconv.ParseUint(strings.TrimPrefix(f[5], "0x"), 16, 64)
		if errSize == nil && errAddr == nil && addr != 0 { // without privileges, addresses are 0
			now[f[0]] = part{f[0], addr, size}
		}
	}
	return now
}

// lastOfKernel is the highest address of a symbol that is not in a module.
func (s *Symbols) lastOfKernel() uint64 {
	y, _ := s.table.Last(func(y symbols.Symbol) bool { return y.Module == "" })
	return y.Addr
}

// moveSymbols makes s find symbols by the recorded addresses. If other buffers have addresses of
// the current boot, an address that is valid in both boots is ambiguous and has no name.
func (r *Recording) moveSymbols(s *Symbols) {
	var all []stretch
	moved := map[*Buffer]bool{}
	now := r.partsNow(s)
	for i, info := range r.info.LastBootInfo {
		instance, text, _ := strings.Cut(info, ":")
		fail := func(err error) {
			r.damage.Add(&Damage{File: r.info.Name, Part: "LAST_BOOT_INFO", Want: "where the kernel was", Err: err},
				int64(i))
		}
		then, err := lastBoot(text, now[kernelPart].addr)
		switch {
		case err != nil:
			fail(err)
			moved[r.bufferOf(instance)] = true // true: the distance is unknown
			continue
		case len(then) == 0:
			continue
		case now[kernelPart].size == 0 && s.Len() > 0:
			fail(fmt.Errorf("%w: kallsyms has no _text: addresses have no names", ErrCorrupt))
		}
		moved[r.bufferOf(instance)] = true
		for _, p := range then {
			if n := now[p.name]; n.size > 0 {
				all = append(all, stretch{p.addr, end(p.addr, n.size), n.addr - p.addr})
			}
		}
	}
	if len(moved) == 0 {
		return
	}
	if slices.ContainsFunc(r.buffers, func(b *Buffer) bool { return !moved[b] && b.hasData() }) {
		for _, p := range now {
			all = append(all, stretch{p.addr, end(p.addr, p.size), 0})
		}
	}
	s.moved, s.stretches = true, certain(all)
}

// end returns the end of a part, which is at most the end of memory.
func end(addr, size uint64) uint64 {
	if addr > math.MaxUint64-size {
		return math.MaxUint64
	}
	return addr + size
}

// bufferOf finds the buffer of an instance. If the instance was recorded as the top buffer, it
// returns the top buffer.
func (r *Recording) bufferOf(instance string) *Buffer {
	for _, b := range r.buffers {
		if b.Name == instance {
			return b
		}
	}
	if len(r.buffers) == 0 {
		return nil
	}
	return r.buffers[0]
}

// hasData reports whether a buffer has recorded anything.
func (b *Buffer) hasData() bool {
	return slices.ContainsFunc(b.CPUs, func(c CPU) bool { return c.Size > 0 })
}

// certain returns, in order, the places that only one stretch covers, or several stretches that
// move by the same distance.
func certain(all []stretch) (list []stretch) {
	var borders []uint64
	for _, x := range all {
		borders = append(borders, x.from, x.to)
	}
	slices.Sort(borders)
	borders = slices.Compact(borders)
	slices.SortFunc(all, func(a, b stretch) int { return cmp.Compare(a.from, b.from) })
	var open []stretch
	for i := range max(len(borders)-1, 0) {
		from, to := borders[i], borders[i+1]
		open = slices.DeleteFunc(open, func(x stretch) bool { return x.to <= from })
		for len(all) > 0 && all[0].from <= from {
			open, all = append(open, all[0]), all[1:]
		}
		if len(open) == 0 || slices.ContainsFunc(open, func(x stretch) bool { return x.move != open[0].move }) {
			continue
		}
		list = append(list, stretch{from, to, open[0].move})
	}
	return list
}

// place returns the current location of an old address.
func (s *Symbols) place(addr uint64) (now uint64, ok bool) {
	i := sort.Search(len(s.stretches), func(i int) bool { return s.stretches[i].to > addr })
	if i == len(s.stretches) || s.stretches[i].from > addr {
		return 0, false
	}
	return addr + s.stretches[i].move, true
}

// before returns the old location of a current address. It returns false if there are several and
// the right one is unknown.
func (s *Symbols) before(now uint64) (addr uint64, ok bool) {
	for _, x := range s.stretches {
		if now-x.move-x.from < x.to-x.from {
			if ok && addr != now-x.move {
				return 0, false
			}
			addr, ok = now-x.move, true
		}
	}
	return addr, ok
}
