package aix

import (
	"cmp"
	"fmt"
	"slices"
)

// The directory of a log file has the place of each buffer. Bytes that were lost or added in one
// buffer move all later buffers. The size of the file then differs from the directory by the same
// number. shift finds the first buffer that has moved. Without it, every later buffer would lose
// its first entry.

// moved describes the move of all buffers from an offset on.
type moved struct {
	from, by int64 // bytes
}

// of returns the actual place of an extent. An extent that ends at from changes its size.
func (m moved) of(e Extent) Extent {
	switch {
	case m.by == 0 || e.Size <= 0:
	case e.Offset >= m.from:
		e.Offset += m.by
	case e.Offset+e.Size == m.from && e.Size+m.by >= 0:
		e.Size += m.by
	}
	return e
}

// shift looks for a move that explains the size of the file: some buffer does not begin with
// entries at its place in the directory, but does at that place plus the difference in file size.
func (l *logReader) shift() moved {
	list := slices.DeleteFunc(append([]Extent{l.info.Initial}, l.info.Buffers...), func(e Extent) bool {
		return e.Size <= 0 || e.Offset < l.head
	})
	slices.SortFunc(list, func(a, b Extent) int { return cmp.Compare(a.Offset, b.Offset) })
	end := l.head
	for _, e := range list {
		if e.Offset != end {
			return moved{} // with a damaged directory, or a file with gaps, sizes prove nothing
		}
		end += e.Size
	}
	by := l.src.size - end
	if by == 0 || len(list) < 2 {
		return moved{}
	}
	for _, e := range list[1:] {
		at := e.Offset + by
		switch {
		case e.Offset < l.src.size && l.begins(e.Offset, e.Size):
		case at >= l.head && at < l.src.size && l.begins(at, e.Size):
			l.bad(at, 0, fmt.Sprintf("no begin of a buffer, but the directory has one at %d", e.Offset), ErrCorrupt)
			return moved{e.Offset, by}
		}
	}
	if l.continues(end) {
		l.bad(end, 0, fmt.Sprintf("the end of the last buffer at %d", l.src.size), ErrCorrupt)
		return moved{end, by}
	}
	return moved{}
}

// continues reports whether entries that begin before off end exactly at the end of the file, after
// off.
func (l *logReader) continues(off int64) bool {
	const window = 512
	begin := max(l.head, off-window)
	if off >= l.src.size || l.src.size-off > window {
		return false
	}
	b := make([]byte, l.src.size-begin)
	if n, err := l.src.read(b, begin); n < len(b) {
		l.bad(begin+int64(n), 0, "entries", orTruncated(err))
		return false
	}
	for len(b) > int(l.src.size-off) {
		if c := l.form.follow(b, true); c.end && c.entries > 1 && !c.strange {
			return true
		}
		b = b[1:]
	}
	return false
}

// begins reports whether a buffer of the given size may begin at off.
func (l *logReader) begins(off, size int64) bool { return l.entries(off, min(off+size, l.src.size)) }
