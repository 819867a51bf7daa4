package perf

import (
	"bytes"
	"cmp"
	"fmt"

	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/record"
)

// header reads the parts to which the header of a file leads.
func (r *Recording) header(f *File, head []byte) {
	entry := int64(min(r.order.u64(head[16:]), 1<<20))
	attrs, data := r.section(head[24:]), r.section(head[40:])
	r.info.Storage.Offset, r.info.Storage.Size = data.at, data.size
	f.from, f.to = min(data.at, f.Size), min(data.at+data.size, f.Size)
	ended := data.size > 0 || r.endedEmpty(f, head, data.at)
	switch {
	case !ended:
		f.to = f.Size
		r.damage.Note(f.Path, dataSizeAt, 0, fmt.Errorf("the recorder did not write its end: features are missing, "+
			"and records are read up to the end of the file: %w", ErrTruncated))
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
	if len(head) >= wholeFile && ended {
		r.features(f, head[72:], data.at+data.size)
	}
}

// dataSizeAt is the offset of the size of all records. The recorder writes this size when it ends.
const dataSizeAt = 48

// endedEmpty reports whether a file without records is complete. A recorder that was killed has
// left records, or nothing after the header, although it has marked features (perf.md 0.8).
func (r *Recording) endedEmpty(f *File, head []byte, at int64) bool {
	if len(head) < wholeFile {
		return f.Size <= at
	}
	n := len(r.order.featuresOf(head[72:]))
	table := make([]byte, placeSize*n)
	if n == 0 || f.Size < at+int64(len(table)) {
		return n == 0 && f.Size <= at
	}
	if _, err := f.src.ReadAt(table, at); err != nil {
		return false
	}
	for ; len(table) > 0; table = table[placeSize:] {
		if s := r.section(table); s.at < at || s.at+s.size > f.Size {
			return false
		}
	}
	return true
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
	e.Name = a.title(r.order.big)
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

// features reads the sections of the bits that are set. Their places come after the records.
func (r *Recording) features(f *File, words []byte, at int64) {
	set := r.order.featuresOf(words)
	list := make([]Section, len(set))
	table := r.bytes(f, section{at, placeSize * int64(len(set))}, "places of features")
	for i, n := range set {
		list[i] = Section{Feature: n, Damaged: true}
		if len(table) >= placeSize {
			s := r.section(table)
			list[i] = Section{Feature: n, Offset: s.at, Size: s.size}
			table = table[placeSize:]
		}
	}
	for i := range list { // tracing data come before the release, but depend on it
		if list[i].Feature == FeatureRelease {
			r.readSection(f, &list[i])
		}
	}
	for i := range list {
		if list[i].Feature != FeatureRelease {
			r.readSection(f, &list[i])
		}
	}
	r.info.Sections = list
	r.nameBPF(f)
}

// readSection reads a section of a file.
func (r *Recording) readSection(f *File, x *Section) {
	s := section{x.Offset, x.Size}
	switch {
	case x.Damaged: // its place is unknown
	case x.Feature == FeatureTracing:
		x.Damaged = !r.openTracing(f, s)
	case x.Feature.Known():
		data := r.bytes(f, s, "section "+x.Feature.String())
		x.Damaged = !r.feature(f, x.Feature, s.at, data, int64(len(data)) == s.size)
	}
}

// placeSize is the size of an offset and a size.
const placeSize = 16

// featureRecord reads a section that is a record of a pipe.
func (r *Recording) featureRecord(f *File, x raw) {
	if len(x.body) < 8 {
		n := len(x.body)
		r.damage.Note(f.Path, x.place, int64(n), fmt.Errorf("a feature of %d bytes: %w", n, ErrCorrupt))
		return
	}
	number, data := r.order.u64(x.body), bytes.Clone(x.body[8:])
	n := Feature(min(number, mostFeatures))
	switch {
	case len(data) == 0 && !n.isMark():
		return // the end of the features is an empty one, after all features that the writer knows
	case n == mostFeatures:
		r.damage.Note(f.Path, x.place, int64(len(data)), fmt.Errorf("feature %d: %w", number, ErrUnsupported))
		return
	}
	s := Section{Feature: n, Offset: x.place + headerSize + 8, Size: int64(len(data))}
	if n.Known() && n != FeatureTracing {
		s.Damaged = !r.feature(f, n, s.Offset, data, true)
	}
	if old := r.info.section(n); old != nil {
		*old = s
		return
	}
	r.info.Sections = append(r.info.Sections, s)
}

// openTracing reads the descriptions of tracepoints. It reports whether they are intact.
func (r *Recording) openTracing(f *File, s section) bool {
	data := r.bytes(f, s, "section TRACING_DATA")
	t, err := ftrace.OpenTracing(data, f.Path, r.info.Release,
		ftrace.WithMemory(cmp.Or(r.config.memory, record.DefaultMemory)))
	if err != nil {
		r.damage.Note(f.Path, s.at, int64(len(data)), fmt.Errorf("tracing data: %w", err))
		return false
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
	return int64(len(data)) == s.size
}
