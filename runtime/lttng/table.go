package lttng

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unsafe"
)

// table finds the marker of an id.
type table struct {
	byID   []*Marker
	byName map[string]*Marker
	quick  []kind // by id, as far as prepare has filled it; empty while markers change
}

// kind is the data of a marker that quick needs. Kinds are adjacent in memory: the few frequent
// ones of hundreds of markers stay in the first-level cache.
type kind struct {
	marker *Marker // nil if quick does not read events of this id
	index  uint32  // Marker.Index
	size   uint16  // of a payload
	pad    uint16  // alignment of the payload - 1
}

// maxMarkers limits the markers of a table. Ids have 16 bits.
const maxMarkers = 1 << 16

// table returns the table of a channel. It is created on first use.
func (tr *Trace) table(channel string) *table {
	if !tr.info.Dialect.perChannel() {
		channel = ""
	}
	t := tr.tables[channel]
	if t == nil {
		t = &table{byName: map[string]*Marker{}}
		tr.tables[channel] = t
	}
	return t
}

func (t *table) marker(name string) *Marker {
	m := t.byName[name]
	if m == nil {
		m = &Marker{Name: name, payload: payloadForm{fixed: -1, align: 1}}
		t.byName[name] = m
	}
	return m
}

func (t *table) put(id uint16, m *Marker) {
	if n := int(id) + 1; n > len(t.byID) {
		t.byID = append(t.byID, make([]*Marker, n-len(t.byID))...)
	}
	t.byID[id] = m
}

// prepare lists the kinds of a table whose markers are known, unless they are already listed or
// memory is short.
func (tr *Trace) prepare(t *table) {
	if !tr.files[0].isPacked() || len(t.quick) == len(t.byID) {
		return
	}
	if n := len(t.byID); n > cap(t.quick) {
		if tr.rec.memory.Take(int64(n-cap(t.quick))*int64(unsafe.Sizeof(kind{}))) != nil {
			return
		}
		t.quick = make([]kind, 0, n)
	}
	for _, m := range t.byID {
		var k kind
		if m != nil && m.payload.fixed >= 0 && m.payload.fixed <= math.MaxUint16 {
			k = kind{m, uint32(m.Index), uint16(m.payload.fixed), uint16(m.payload.align - 1)}
		}
		t.quick = append(t.quick, k)
	}
}

// identify sets the id of a marker and the sizes of its types.
func (tr *Trace) identify(t *table, m *Marker, id uint16, s sizes) {
	m.ID, m.Int, m.Long, m.Pointer, m.SizeT, m.Alignment = id, s.int, s.long, s.pointer, s.sizeT, s.alignment
	m.state.identified = true
	t.put(id, m)
	if m.state.formatted {
		tr.setFormat(m, m.Format)
	}
}

// formatBytes returns an upper bound for the memory of the fields of a format: a field has at least
// two bytes of text.
func formatBytes(format string) int64 {
	return int64(unsafe.Sizeof(Marker{})) + int64(len(format)) + int64(strings.Count(format,
		"%"))*int64(unsafe.Sizeof(Field{}))
}

// setFormat sets the format of a marker and lays out its fields.
func (tr *Trace) setFormat(m *Marker, format string) {
	m.Format, m.state.formatted = format, true
	if !m.state.identified { // the sizes come later, and the layout with them
		return
	}
	m.payload.packed = tr.info.Dialect.heartbeats() && m.ID >= firstCompact && m.ID <= lastCompact
	s := sizes{m.Int, m.Long, m.Pointer, m.SizeT, m.FieldAlignment()}
	if err := tr.rec.memory.Take(formatBytes(format)); err != nil {
		m.state.broken = err
		m.finish()
		return
	}
	m.Fields, m.state.broken = layOut(format, s, tr.info.Dialect.natural())
	m.finish()
}

// setFields sets the fields of a marker from an XML description, or the reason why they are
// unknown.
func (tr *Trace) setFields(m *Marker, d definition) {
	m.state.formatted, m.Format, m.Fields, m.state.broken = true, declare(d.fields), d.fields, d.err
	if err := tr.rec.memory.Take(int64(unsafe.Sizeof(Marker{})) + fieldBytes(m.Fields) + int64(len(m.Format))); err != nil {
		m.Fields, m.state.broken = nil, err
	}
	m.finish()
}

// fieldBytes returns the memory of fields.
func fieldBytes(fields []Field) (n int64) {
	for i := range fields {
		n += int64(unsafe.Sizeof(Field{})) + int64(len(fields[i].Name)+len(fields[i].Source)) + fieldBytes(fields[i].Fields)
	}
	return n
}

// finish computes properties of the fields that the walk needs.
func (m *Marker) finish() {
	m.payload.fixed, m.payload.align, m.payload.compact, m.state.laid = 0, 1, false, true
	for i := range m.Fields {
		f := &m.Fields[i]
		m.payload.compact = m.payload.compact || f.Compact
		m.payload.align = max(m.payload.align, f.Align)
		if !f.Fixed() {
			m.payload.fixed = -1
		}
		if m.payload.fixed >= 0 {
			m.payload.fixed = alignUp(m.payload.fixed, f.Align) + f.Size
		}
	}
	if m.state.broken != nil {
		m.payload.fixed = -1
	}
	// only the first field can be in the word, and a string cannot
	if m.payload.compact && (!m.Fields[0].Compact || m.Fields[0].Kind != Integer) {
		m.payload.compact = false
	}
}

func alignUp(n, align int) int {
	if align <= 1 {
		return n
	}
	return (n + align - 1) &^ (align - 1)
}

// list lists the markers of the tables.
func (tr *Trace) list() {
	for _, t := range tr.tables {
		for _, m := range t.byID {
			if m != nil {
				m.trace = tr
				tr.markers = append(tr.markers, m)
			}
		}
	}
	slices.SortFunc(tr.markers, func(a, b *Marker) int { // also by name: damage can give two markers the same id
		return cmp.Or(cmp.Compare(a.Channel, b.Channel), cmp.Compare(a.ID, b.ID), cmp.Compare(a.Name, b.Name))
	})
	tr.markers = slices.Compact(tr.markers) // a marker that got another id is in the table twice
}

// number lists the markers of all traces and sets their indexes.
func (r *Recording) number() {
	for _, tr := range r.traces {
		r.markers = append(r.markers, tr.markers...)
	}
	for i, m := range r.markers {
		m.Index = int32(i)
	}
	for _, tr := range r.traces {
		for _, t := range tr.tables {
			tr.prepare(t)
		}
	}
}

// FieldAlignment returns the largest alignment of the marker's fields, or 0 if they are packed.
// Fields of compact events are always packed (lttng.md 4.2).
func (m *Marker) FieldAlignment() int {
	if m.payload.packed {
		return 0
	}
	return m.Alignment
}
