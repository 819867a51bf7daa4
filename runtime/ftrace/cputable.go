package ftrace

import (
	"fmt"
	"slices"
)

// In a version 6 file, one word is the number of processors. The table of that many processors
// follows, and then the clock, which has its own size. If the word is wrong, the data determine the
// length of the table (ftrace.md 1.2). Data begin on the first page after the table. The data of
// each processor begin on the first page after the data of the previous one.

// tableEntry is the size of the offset and the size of a processor's data.
const tableEntry = 16

// countCPUs returns the number of processors in the table at c. want is the recorded number.
func (r *Recording) countCPUs(c *cursor, want int64) int64 {
	table := r.chainLength(*c)
	if table == want || table == 0 && want <= maxCPUs && want*tableEntry <= c.left() {
		return want
	}
	if table < want && want <= maxCPUs && r.goesOn(*c, table, want) {
		return want // an entry in the middle is damaged, but not the number
	}
	return table
}

// chainLength counts the entries whose data follow one another as the recorder writes them.
func (r *Recording) chainLength(c cursor) (n int64) {
	table, page := c.off, int64(r.info.PageSize)
	first, next := int64(0), int64(0)
	for c.left() >= tableEntry && n < maxCPUs {
		offset, size := int64(c.u64("offset")), int64(c.u64("size"))
		switch {
		case offset <= 0 || size < 0 || offset%page != 0 || c.err != nil:
			return n
		case n == 0:
			first = offset
			if first < table+tableEntry || first > c.src.size {
				return 0
			}
		case offset != next || table+(n+1)*tableEntry > first:
			return n
		}
		n++
		if next = offset + (size+page-1)/page*page; next < offset {
			return n
		}
	}
	return n
}

// goesOn reports whether an entry leads to data of this file. It checks the entries from the one
// that breaks the chain to the last.
func (r *Recording) goesOn(c cursor, from, to int64) bool {
	page := int64(r.info.PageSize)
	table := c.off
	first := int64(c.u64("offset"))
	if table+to*tableEntry > first && from > 0 {
		return false // the table would run into the data
	}
	for i := from; i < to; i++ {
		c.seek(table+i*tableEntry, "an entry")
		offset, size := int64(c.u64("offset")), int64(c.u64("size"))
		if c.err != nil {
			return false
		}
		if offset > table && offset%page == 0 && size >= 0 && size%page == 0 && offset <= c.src.size {
			return true
		}
	}
	return false
}

// readTable reads the data of the processors of a buffer at c. at is the place of their number.
func (r *Recording) readTable(c *cursor, b *Buffer, want, at int64) {
	n := r.countCPUs(c, want)
	if n != want {
		r.damage.Add(c.src.fail(at, fmt.Sprintf("the %d CPUs of the table at %d", n, c.off),
			fmt.Errorf("%w: a count of %d", ErrCorrupt, want)), c.off)
	}
	b.CPUs = slices.Grow(b.CPUs, int(min(n, 256)))
	for i := range n {
		cpu := r.cpuData(c, int(i))
		if cpu.src = c.src; c.err != nil {
			return
		}
		b.CPUs = append(b.CPUs, cpu)
	}
}
