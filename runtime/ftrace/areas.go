package ftrace

import (
	"cmp"
	"fmt"
	"slices"
)

// An area is the data of one CPU. Several areas lie in one file.
type area struct {
	buf   *Buffer
	cpu   *CPU
	chain bool // it is where the recorder puts the data after, or before, its neighbour
}

// separate makes sure that no byte of a file belongs to two CPUs. The recorder writes the data of
// one CPU after the other, so an overlap is damage. Decoding it would show events twice, and a
// small file could require any amount of memory.
func (r *Recording) separate() {
	files := map[*source][]area{}
	for _, b := range r.buffers {
		for i := range b.CPUs {
			if c := &b.CPUs[i]; c.avail > 0 {
				files[c.src] = append(files[c.src], area{buf: b, cpu: c, chain: b.chained(i)})
			}
		}
	}
	for _, src := range r.sources {
		r.separateAreas(files[src])
	}
}

// chained reports whether the data of CPU i lie where the recorder puts them. The data of a CPU
// begin on the page after the data of the previous CPU in the table. If the data do not follow a
// neighbour, they may follow the CPU beyond it, with the size of the neighbour between them. Then
// the neighbour's offset is wrong.
func (b *Buffer) chained(i int) bool {
	return b.follows(i-1, i, 0) || b.follows(i, i+1, 0) || b.follows(i-2, i, i-1) || b.follows(i, i+2, i+1)
}

// follows reports whether the data of CPU y come after the data of CPU x. If between is not 0,
// there is room for the data of CPU between.
func (b *Buffer) follows(x, y, between int) bool {
	if x < 0 || y >= len(b.CPUs) {
		return false
	}
	a, c, pages := &b.CPUs[x], &b.CPUs[y], int64(1)
	end := a.Offset + a.Size
	if between != 0 {
		end += b.CPUs[between].Size
		pages = 2
	}
	gap := c.Offset - end
	return a.src == c.src && a.Size > 0 && c.Size > 0 && gap >= 0 && gap < pages*int64(b.PageSize)
}

func (r *Recording) separateAreas(list []area) {
	slices.SortStableFunc(list, func(a, b area) int { return cmp.Compare(a.cpu.Offset, b.cpu.Offset) })
	last := -1 // the last CPU whose data were kept
	for i := range list {
		a := &list[i]
		if last >= 0 {
			before := &list[last]
			over := before.cpu.Offset + before.cpu.avail - a.cpu.Offset
			switch {
			case over <= 0:
			case a.cpu.Offset == before.cpu.Offset && (before.chain || !a.chain), before.chain && !a.chain:
				r.overlap(a, before, a.cpu.avail)
				a.cpu.avail = 0
				continue
			default:
				r.overlap(before, a, over)
				before.cpu.avail -= over
			}
			before.cpu.limit = min(before.cpu.limit, a.cpu.Offset)
		}
		last = i
	}
}

// overlap reports that lost bytes of one CPU belong to another CPU.
func (r *Recording) overlap(a, other *area, lost int64) {
	r.damage.Add(&Damage{
		File: a.cpu.src.name, Offset: a.cpu.Offset, Part: a.buf.part(a.cpu.ID), Skipped: lost,
		Want: fmt.Sprintf("%d bytes of CPU data apart from those of CPU %d of %s at %d", a.cpu.Size, other.cpu.ID,
			other.buf.describe(), other.cpu.Offset),
		Err: fmt.Errorf("%w: they overlap", ErrCorrupt),
	}, 2)
}
