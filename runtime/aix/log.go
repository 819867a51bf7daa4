package aix

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"unsafe"

	"github.com/tracec/tracec/runtime/internal/damage"
)

// The size of a log file's head without its directory, and the size of an entry of the directory
// (aix.md 2.6).
const (
	logHead32, logEntry32 = 36, 8
	logHead64, logEntry64 = 48, 16
)

// maxBuffers limits the directory. A log file of 4 GB with the smallest buffers has fewer.
const maxBuffers = 1 << 18

// directorySize returns an upper bound for the memory for the directory of a log file: extents,
// regions, and the data for sorting them.
func directorySize(src *source, kind Kind) int64 {
	entry := int64(logEntry32)
	if kind.Is64() {
		entry = logEntry64
	}
	return min(src.size/entry, maxBuffers) * int64(unsafe.Sizeof(Extent{})+4*unsafe.Sizeof(region{}))
}

// logReader reads the head of a log file.
type logReader struct {
	src      *source
	info     *LogInfo
	form     form
	head     int64     // size of head and directory
	damages  []*Damage // invalid entries of the directory, damage.Max at most
	more     int64     // number of further invalid entries
	overlaps int
}

// parseLog reads head and directory, and accepts the valid entries.
func parseLog(src *source, kind Kind, form form) *logReader {
	l := &logReader{src: src, info: &LogInfo{}, form: form}
	size, entry := int64(logHead32), int64(logEntry32)
	if kind.Is64() {
		size, entry = logHead64, logEntry64
	}
	l.head = size
	b := make([]byte, size)
	if n, err := src.read(b, 0); n < len(b) {
		l.bad(int64(n), 0, fmt.Sprintf("the %d bytes of a head", size), orTruncated(err))
		return l
	}
	count := int64(binary.BigEndian.Uint32(b[4:]))
	l.info.Current = binary.BigEndian.Uint32(b[8:])
	l.info.Mode = Mode(binary.BigEndian.Uint32(b[12:]))
	l.info.Wraps = binary.BigEndian.Uint32(b[16:])
	l.info.Initial = extent(b[size-entry:], kind)
	if fits := min((src.size-size)/entry, maxBuffers); count > fits {
		l.bad(4, 0, fmt.Sprintf("the number of buffers, not %d, in a file with room for %d", count, fits), ErrCorrupt)
		count = 0 // the end of the directory is unknown
	}
	if count > 0 && int64(l.info.Current) >= count {
		l.bad(8, 0, fmt.Sprintf("the current buffer, not %d of %d", l.info.Current, count), ErrCorrupt)
	}
	dir := make([]byte, count*entry)
	if n, err := src.read(dir, size); n < len(dir) {
		l.bad(size+int64(n), 0, "the directory", orTruncated(err))
		dir = dir[:int64(n)/entry*entry]
	}
	lowest := l.src.size
	if e := l.info.Initial; l.plausible(e) {
		lowest = e.Offset
	}
	for n := size + entry; len(dir) > 0; n += entry {
		if n > lowest {
			l.bad(4, 0, fmt.Sprintf("the number of buffers, not %d, with data from %d on", count, lowest), ErrCorrupt)
			break
		}
		e := extent(dir, kind)
		l.info.Buffers = append(l.info.Buffers, e)
		dir = dir[entry:]
		if l.plausible(e) {
			lowest = min(lowest, e.Offset)
		}
	}
	l.head += int64(len(l.info.Buffers)) * entry
	return l
}

// orTruncated returns the error of a read that returned too little: the error of the system, or
// ErrTruncated.
func orTruncated(err error) error {
	if err == nil || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return ErrTruncated
	}
	return err
}

// plausible reports whether an extent lies in the file, after the head.
func (l *logReader) plausible(e Extent) bool {
	return e.Size > 0 && e.Offset >= l.head && e.Offset < l.src.size && e.Size <= l.src.size-e.Offset
}

// extent reads offset and size. An impossible size is -1.
func extent(b []byte, kind Kind) Extent {
	if !kind.Is64() {
		return Extent{int64(binary.BigEndian.Uint32(b)), int64(binary.BigEndian.Uint32(b[4:]))}
	}
	off, size := binary.BigEndian.Uint64(b), binary.BigEndian.Uint64(b[8:])
	if off > math.MaxInt64/2 || size > math.MaxInt64/2 {
		return Extent{-1, -1}
	}
	return Extent{int64(off), int64(size)}
}

func (l *logReader) bad(off, skipped int64, want string, err error) {
	if len(l.damages) == damage.Max {
		l.more++
		return
	}
	d := l.src.fail(off, want, err)
	d.Skipped = skipped
	l.damages = append(l.damages, d)
}

// regions returns the parts of the file in the order in which they are read. The data that the
// trace command wrote first come first, then the buffers from the oldest. Unassigned parts of the
// file are also read, at their place in the file, if head or directory are damaged, or if they
// begin with entries.
func (l *logReader) regions() []region {
	var out []region
	way := l.shift()
	if r, ok := l.region(way.of(l.info.Initial), -1); ok {
		r.initial = true
		out = append(out, r)
	}
	for _, i := range l.info.Order() {
		if r, ok := l.region(way.of(l.info.Buffers[i]), i); ok {
			out = append(out, r)
		}
	}
	return l.rescue(l.disjoint(out))
}

// region checks one extent.
func (l *logReader) region(e Extent, buffer int) (region, bool) {
	if e.Size == 0 {
		return region{}, false
	}
	name := (&region{buffer: int32(buffer), initial: buffer < 0}).String()
	if e.Size < 0 || e.Offset < l.head || e.Offset >= l.src.size {
		want := fmt.Sprintf("%s in the file, not %d bytes at %d", name, e.Size, e.Offset)
		if e.Offset < 0 {
			want = fmt.Sprintf("offset and size of %s", name)
		}
		l.bad(l.place(buffer), 0, want, ErrCorrupt)
		return region{}, false
	}
	if have := l.src.size - e.Offset; e.Size > have {
		l.bad(l.src.size, 0, fmt.Sprintf("%d bytes more of %s", e.Size-have, name), ErrTruncated)
		e.Size = have
	}
	return region{off: e.Offset, end: e.Offset + e.Size, buffer: int32(buffer)}, true
}

// place returns the offset of a buffer's extent in the directory. For -1 it is the offset of the
// initial conditions.
func (l *logReader) place(buffer int) int64 {
	entry := int64(logEntry32)
	if l.form.is64 {
		entry = logEntry64
	}
	directory := l.head - int64(len(l.info.Buffers))*entry
	return directory + int64(buffer)*entry
}

// disjoint removes overlaps, so that no bytes are read twice. If two regions overlap, the second is
// left out if it does not begin with entries. Otherwise the first ends where the second begins.
func (l *logReader) disjoint(list []region) []region {
	var before *region
	for _, i := range byPlace(list) {
		r := &list[i]
		if before == nil || before.end <= r.off {
			before = r
			continue
		}
		l.bad(r.off, 0, fmt.Sprintf("%s after the end of %s, %d", r, before, before.end), ErrCorrupt)
		if l.overlaps++; l.overlaps > damage.Max || !l.entries(r.off, r.end) {
			r.end = r.off
			continue
		}
		before.end = r.off
		before = r
	}
	return slices.DeleteFunc(list, func(r region) bool { return r.off == r.end })
}

func (r *region) String() string {
	if r.initial {
		return "the initial conditions"
	}
	return fmt.Sprintf("buffer %d", r.buffer)
}

// byPlace returns the positions of list in the order of the regions in the file.
func byPlace(list []region) []int {
	at := make([]int, len(list))
	for i := range at {
		at[i] = i
	}
	slices.SortStableFunc(at, func(a, b int) int { return cmp.Compare(list[a].off, list[b].off) })
	return at
}

// rescue adds the unassigned parts, each after the region that precedes it in the file.
func (l *logReader) rescue(list []region) []region {
	behind := make(map[int]region)
	broken := len(l.damages) > 0
	end, last := l.head, -1
	gap := func(to int64) {
		if to-end >= 4 && (broken || l.entries(end, to)) {
			if !broken {
				l.bad(end, 0, fmt.Sprintf("the end of a buffer, not entries in %d bytes that the directory leaves out",
					to-end), ErrCorrupt)
			}
			behind[last] = region{off: end, end: to, buffer: -1}
		}
	}
	for _, i := range byPlace(list) {
		gap(list[i].off)
		end, last = max(end, list[i].end), i
	}
	gap(l.src.size)
	var out []region
	if r, ok := behind[-1]; ok {
		out = append(out, r)
	}
	for i, r := range list {
		out = append(out, r)
		if r, ok := behind[i]; ok {
			out = append(out, r)
		}
	}
	return out
}

// entries reports whether a part of the file begins with entries.
func (l *logReader) entries(from, to int64) bool {
	b := make([]byte, min(to-from, int64(l.form.margin())))
	n, err := l.src.read(b, from)
	if err != nil && !errors.Is(err, io.EOF) {
		l.bad(from, 0, "entries", err)
		return false
	}
	c := l.form.follow(b[:n], int64(n) == to-from)
	return (c.full || c.end && c.entries > 0) && !c.strange
}
