package perf

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/record"
)

// header reads what the header of a file leads to.
func (r *Recording) header(f *File, head []byte) {
	entry := int64(min(r.order.u64(head[16:]), 1<<20))
	attrs, data := r.section(head[24:]), r.section(head[40:])
	f.from, f.to = min(data.at, f.Size), min(data.at+data.size, f.Size)
	switch {
	case data.size == 0: // of a recorder that was killed (perf.md 0.8)
		f.to = f.Size
	case data.at+data.size > f.Size:
		r.damage.Note(f.Path, f.Size, data.at+data.size-f.Size,
			fmt.Errorf("%d bytes of records: %w", data.size, ErrTruncated))
	}
	if entry < leastAttr+16 {
		r.damage.Note(f.Path, 16, attrs.size, fmt.Errorf("an attribute of %d bytes: %w", entry, ErrCorrupt))
		return
	}
	list := r.bytes(f, attrs, "attributes")
	for ; int64(len(list)) >= entry && len(r.attrs) < maxAttrs; list = list[entry:] {
		r.addAttr(r.order.attr(list[:entry-16]), r.idsOf(f, r.section(list[entry-16:])))
	}
	if len(head) >= wholeFile && data.size > 0 {
		r.features(f, head[72:], data.at+data.size)
	}
}

// idsOf reads the ids of an attribute.
func (r *Recording) idsOf(f *File, s section) (ids []uint64) {
	b := r.bytes(f, s, "ids of an attribute")
	for ; len(b) >= 8; b = b[8:] {
		ids = append(ids, r.order.u64(b))
	}
	return ids
}

// addAttr adds an attribute, whose ids may come later.
func (r *Recording) addAttr(a Attr, ids []uint64) *Event {
	e := &Event{
		Kind: SampleKind, Attr: &a, IDs: ids, ID: attrBase + uint32(len(r.attrs)), Index: len(r.attrs),
		order: r.order, plan: planOf(&a),
	}
	e.Name = fmt.Sprintf("%d:%#x", a.Type, a.Config)
	if e.IsTracepoint() && a.Config < attrBase {
		e.ID = uint32(a.Config)
	}
	for _, id := range ids {
		r.byID.add(id, e)
	}
	if a.Flags&UseClockID != 0 {
		r.clocks.id, r.clocks.chosen = a.ClockID, true
	}
	r.attrs = append(r.attrs, e)
	return e
}

// features reads the sections of the bits that are set. Their places follow the records.
func (r *Recording) features(f *File, words []byte, at int64) {
	set := r.order.u64(words)
	if r.order.big && set&(1<<featHost) == 0 && set>>32&(1<<featHost) != 0 { // words of 4 bytes
		set = set<<32 | set>>32
	}
	r.info.Features = set
	for n := range mostFeatures {
		if set>>n&1 == 0 {
			continue
		}
		place := r.bytes(f, section{at, 16}, "the place of a feature")
		if len(place) < 16 {
			return
		}
		at += 16
		s := r.section(place)
		switch {
		case n == featTracing:
			r.openTracing(f, r.bytes(f, s, "tracing data"))
		case readFeatures>>n&1 != 0 && s.size > 0:
			r.feature(n, r.bytes(f, s, "a feature"))
		}
	}
}

// readFeatures are those that Info has.
const readFeatures = 1<<featBuildID | 1<<featHost | 1<<featRelease | 1<<featVersion | 1<<featArch | 1<<featCPUs | 1<<featCPUDesc | 1<<featCommandLine |
	1<<featEventDesc | 1<<featGroups | 1<<featSampleTime | 1<<featClockData

// openTracing reads the descriptions of tracepoints.
func (r *Recording) openTracing(f *File, data []byte) {
	t, err := ftrace.OpenTracing(data, f.Path, r.info.Release,
		ftrace.WithMemory(cmp.Or(r.config.memory, record.DefaultMemory)))
	if err != nil {
		r.damage.Note(f.Path, 0, int64(len(data)), fmt.Errorf("tracing data: %w", err))
		return
	}
	r.tracing = t
	names := map[uint64]string{}
	for _, x := range t.Formats() {
		names[uint64(x.ID)] = x.System + ":" + x.Name
	}
	for _, e := range r.attrs {
		if n := names[e.Attr.Config]; e.Attr.Type == Tracepoint && n != "" {
			e.Name = n
		}
	}
}

// preamble reads the records of a pipe up to the first sample: attributes, features, names.
func (r *Recording) preamble(f *File) {
	lease := r.memory.Lease()
	defer lease.End()
	s := r.newSource(f, lease)
	defer s.close()
	for {
		w := &s.windows[fromFile]
		w.keep = w.at
		x, err := s.outer()
		if err != nil || x.kind == SampleKind || x.kind == Compressed || x.kind == Compressed2 {
			return // the stream of the file tells of damage
		}
		r.describe(f, x)
	}
}

// describe takes what a record says of the recording.
func (r *Recording) describe(f *File, x raw) {
	b := x.body
	switch {
	case x.kind == HeaderAttr && len(b) >= leastAttr:
		a := r.order.attr(b)
		size := int(a.Size)
		if size < leastAttr || size > len(b) {
			r.damage.Note(f.Path, x.place, 0, fmt.Errorf("an attribute of %d bytes: %w", size, ErrCorrupt))
			return
		}
		var ids []uint64
		for b = b[size:]; len(b) >= 8; b = b[8:] {
			ids = append(ids, r.order.u64(b))
		}
		if len(r.attrs) < maxAttrs {
			r.addAttr(a, ids)
		}
	case x.kind == HeaderFeature && len(b) >= 8:
		if n := r.order.u64(b); n < mostFeatures {
			r.info.Features |= 1 << n
			if readFeatures>>n&1 != 0 {
				r.feature(int(n), b[8:])
			}
		}
	case x.kind == TracingData:
		r.openTracing(f, r.bytes(f, section{x.place + headerSize + int64(len(b)), int64(r.order.u32(b))},
			"tracing data"))
	case x.kind == EventUpdate && len(b) > 16 && r.order.u64(b) == 2:
		if e := r.byID.find(r.order.u64(b[8:])); e != nil {
			e.Name = strings.TrimRight(string(b[16:]), "\x00")
		}
	}
}
