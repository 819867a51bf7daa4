package program

import (
	"cmp"
	"debug/dwarf"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/tracec/tracec/runtime/internal/memory"
)

// dwarfInfo is the debugging information of a file. Its units are read when an address in them is
// looked up.
type dwarfInfo struct {
	data   *dwarf.Data
	memory *memory.Budget
	ranges []unitRange // by low
	units  map[dwarf.Offset]*unit
}

// unitRange is a part of the code of a unit.
type unitRange struct {
	low, high uint64
	unit      dwarf.Offset // of its first entry
}

// rangeSize is the memory of a unitRange.
const rangeSize = 24

// mostRanges limits the ranges of all units. In a hostile file, all units may refer to one list.
const mostRanges = 1 << 22

var errRanges = errors.New("debugging information with too many ranges of addresses")

// dwarfSections are the sections that lines and inlined functions need. Only the first four exist
// since DWARF 2.
var dwarfSections = []string{".debug_abbrev", ".debug_info", ".debug_line", ".debug_str", ".debug_ranges",
	".debug_line_str", ".debug_str_offsets", ".debug_addr", ".debug_rnglists"}

// dwarf reads the debugging information of a file. It returns nil if there is none.
func (f *File) dwarf() (*dwarfInfo, error) {
	if !f.hasDwarf() {
		return nil, nil
	}
	parts, taken := make([][]byte, len(dwarfSections)), int64(0)
	release := func(err error) (*dwarfInfo, error) {
		f.memory.Give(taken)
		return nil, fmt.Errorf("debugging information: %w", err)
	}
	for i, name := range dwarfSections {
		s := f.elf.Section(name)
		if s == nil {
			continue
		}
		var err error
		if parts[i], err = f.read(s); err != nil {
			return release(err)
		}
		taken += int64(len(parts[i]))
	}
	d, err := dwarf.New(parts[0], nil, nil, parts[1], parts[2], nil, parts[4], parts[3])
	for i := 5; i < len(parts) && err == nil; i++ {
		if parts[i] != nil {
			err = d.AddSection(dwarfSections[i], parts[i])
		}
	}
	if err != nil {
		return release(err)
	}
	info := &dwarfInfo{data: d, memory: f.memory, units: map[dwarf.Offset]*unit{}}
	if err := info.addUnits(parts[1], f.elf.ByteOrder); err != nil {
		return release(err)
	}
	return info, nil
}

// hasDwarf reports whether the file itself has debugging information, and not only a reference to
// it.
func (f *File) hasDwarf() bool {
	s := f.elf.Section(".debug_info")
	return s != nil && f.elf.Section(".debug_abbrev") != nil && f.elf.Section(".debug_line") != nil && s.Size > 0
}

// addUnits finds the code of all units.
func (d *dwarfInfo) addUnits(info []byte, o binary.ByteOrder) error {
	r := d.data.Reader()
	for at := uint64(0); ; {
		first, next, ok := unitAt(info, at, o)
		if !ok {
			break
		}
		at = next
		r.Seek(dwarf.Offset(first))
		e, err := r.Next()
		if err != nil {
			return err
		}
		if e == nil || e.Tag != dwarf.TagCompileUnit && e.Tag != dwarf.TagSkeletonUnit {
			continue
		}
		list, err := d.data.Ranges(e)
		if err != nil {
			return err
		}
		if len(d.ranges)+len(list) > mostRanges {
			return errRanges
		}
		if err := d.memory.Take(int64(len(list)) * rangeSize); err != nil {
			return err
		}
		for _, x := range list {
			if x[0] < x[1] {
				d.ranges = append(d.ranges, unitRange{x[0], x[1], e.Offset})
			}
		}
	}
	slices.SortFunc(d.ranges, func(a, b unitRange) int { return cmp.Compare(a.low, b.low) })
	return nil
}

// unitAt returns the place of the first entry of a unit, and the begin of the next unit: sections
// 7.5.1 of DWARF 4 and of DWARF 5.
func unitAt(info []byte, at uint64, o binary.ByteOrder) (first, next uint64, ok bool) {
	const skeleton, splitCompile, typeUnit, splitType = 4, 5, 2, 6
	if uint64(len(info))-at < 12 {
		return 0, 0, false
	}
	size, length, offset := uint64(4), uint64(o.Uint32(info[at:])), uint64(4)
	if length == 1<<32-1 {
		size, length, offset = 12, o.Uint64(info[at+4:]), 8
	}
	head := at + size
	if length < 11 || length > uint64(len(info))-min(head, uint64(len(info))) {
		return 0, 0, false
	}
	first = head + 2 + offset + 1
	if o.Uint16(info[head:]) >= 5 {
		first++
		switch info[head+2] {
		case skeleton, splitCompile:
			first += 8
		case typeUnit, splitType:
			first += 8 + offset
		}
	}
	return first, head + length, first < head+length
}

// mostEnclosed limits the number of earlier ranges that are tried after the one that begins last.
// Ranges of units do not overlap in files of a linker, except for code that it has removed.
const mostEnclosed = 8

// find returns the lines of an address.
func (d *dwarfInfo) find(addr uint64) ([]Line, error) {
	i, _ := slices.BinarySearchFunc(d.ranges, addr, func(r unitRange, a uint64) int {
		if r.low <= a {
			return -1
		}
		return 1
	})
	for least := max(0, i-mostEnclosed); i > least; i-- {
		r := &d.ranges[i-1]
		if addr >= r.high {
			continue
		}
		u := d.units[r.unit]
		if u == nil {
			var err error
			if u, err = d.unit(r.unit); err != nil {
				d.units[r.unit] = &unit{}
				return nil, fmt.Errorf("debugging information at %#x: %w", r.unit, err)
			}
			d.units[r.unit] = u
		}
		if list := u.find(addr); list != nil {
			return list, nil
		}
	}
	return nil, nil
}
