package lttng

import (
	"slices"

	"github.com/tracec/tracec/runtime/index"
	"github.com/tracec/tracec/runtime/internal/choice"
	"github.com/tracec/tracec/runtime/record"
)

const (
	// surveyed limits the known sub-buffers, or groups of them, of all files together. They take up
	// to 16 MiB until the cuts are known, and 3 MiB after that.
	surveyed = 1 << 17
	// strayPages is how many pages of a file are searched for unexpected headers.
	strayPages = 1 << 10
)

// survey reads the headers of all sub-buffers of a file. It notes their places, and returns their
// times.
func (k *cutting) survey(r *Recording, opts *record.Options, f *File) []record.Sample {
	chosen := choice.Of(opts)
	kinds := chosen.Kinds()
	k.barren[f] = isBarren(f, kindBits(kinds))
	unwanted := r.index.Unwanted(f.Path, kinds.List(), nil)
	v := surveyor{file: f, choice: chosen, since: opts.Since, until: opts.Until, unwanted: unwanted}
	v.spans = spans{most: max(surveyed/len(k.files)&^1, 64), each: 1}
	v.walk(k.handles[f], r.config.dialect)
	k.marks[f] = v.spans.landmarks()
	all := make([]record.Sample, len(v.spans.list))
	for i, p := range v.spans.list {
		if all[i] = (record.Sample{Time: p.begin, Size: p.used, End: p.end}); k.barren[f] {
			all[i].End = 0 // the parts of the file begin with sub-buffers
		}
	}
	return all
}

// isBarren reports whether no marker of a file has a kind whose bit is set. If kinds is nil, all
// kinds are set.
func isBarren(f *File, kinds []uint64) bool {
	s := Stream{sel: selection{kinds: kinds}}
	return kinds != nil && !slices.ContainsFunc(f.trace.table(f.Channel).byID,
		func(m *Marker) bool { return m != nil && s.sel.wants(uint32(m.Index)) })
}

// surveyor goes over the headers of a file as its stream is expected to. It finds places where
// slices may begin. Streams decide whether they do.
type surveyor struct {
	file         *File
	choice       *choice.Choice
	since, until uint64
	unwanted     *index.Unwanted
	spans        spans
	losses       losses
	lost         int64 // number of events since the last sub-buffer with events
}

// walk goes from header to header. Bytes after the last header found belong to it.
func (v *surveyor) walk(src *handle, as Dialect) {
	var head [maxHeader]byte
	stray, at, size := 0, int64(0), v.file.Size
	for at < size && v.choice.Err() == nil {
		b := head[:min(maxHeader, size-at)]
		if n, _ := src.ReadAt(b, at); n < len(b) {
			return
		}
		h, ok := parseHeader(b, as)
		if !ok || h.kind() != v.file.head.kind() {
			if stray++; stray > strayPages {
				break
			}
			at += pageSize
			continue
		}
		next := v.enter(&h, at)
		if next == pageSize { // the size is uncertain
			stray++
		}
		at += next
	}
	if last := len(v.spans.list) - 1; last >= 0 {
		v.spans.list[last].used += max(size-at, 0)
	}
}

// enter notes a sub-buffer, and returns the expected distance to the next one.
func (v *surveyor) enter(h *header, at int64) (next int64) {
	tr := v.file.trace
	p := span{at: at, begin: tr.Time(h.begin), used: max(h.used, 0), total: v.losses.total}
	v.lost = record.AddLost(v.lost, v.losses.enter(h))
	p.lost = uint32(max(v.lost, 0))
	if h.hasEvents() {
		v.lost = 0
	}
	next = h.block
	if next <= 0 || next%pageSize != 0 || next > maxBlock {
		next = pageSize // as far as it is known
	}
	switch {
	case tr.outside(h, v.since, v.until) || v.unwanted.Has(at):
		p.used = 0
	case h.open:
		p.used = next
	default:
		p.end = tr.Time(h.end)
	}
	p.used = min(p.used, next)
	v.spans.add(p)
	return next
}
