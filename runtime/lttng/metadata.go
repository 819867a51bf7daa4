package lttng

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/tracec/tracec/runtime/record"
)

// Ids of the core markers (lttng.md 5.1).
const (
	coreID          = 0
	coreFormat      = 1
	coreHeartbeat32 = 2 // 1.0 only
	coreHeartbeat64 = 3
)

// Ids of compact events in 1.0.
const (
	firstCompact = 8
	lastCompact  = 127
)

// maxChannels limits the channels that metadata describe before they have a file.
const maxChannels = 1 << 12

// maxFormat limits a format as grammar/lttng does, in bytes.
const maxFormat = 64 << 10

// perChannel reports whether each channel has its own ids.
func (d Dialect) perChannel() bool { return d >= V23 && d != Seed }

// facilities reports whether events belong to facilities (lttng.md 5.2).
func (d Dialect) facilities() bool { return d == V07 || d == V08 }

// readMetadata reads the descriptions of all processors, before any data: an event can precede its
// description.
func (tr *Trace) readMetadata() {
	for _, f := range tr.files { // from here on tables are only read, because streams may run in parallel
		tr.table(f.Channel)
	}
	if tr.info.Dialect.facilities() {
		tr.readFacilities()
	} else {
		tr.defineCore()
		for _, f := range tr.files {
			if f.isMetadata() {
				tr.readDescriptions(tr.newStream(f))
			}
		}
	}
	tr.list()
}

// defineCore defines the markers that describe the others. Usually the trace defines them again.
func (tr *Trace) defineCore() {
	word := tr.info.WordSize
	s := sizes{int: 4, long: word, pointer: word, sizeT: word, alignment: tr.info.Alignment}
	channel := tr.info.Dialect.coreChannel()
	t := tr.table(channel)
	for id, c := range tr.info.Dialect.core() {
		m := t.marker(c.name)
		m.Channel, m.payload.beats = channel, id == coreHeartbeat64
		tr.identify(t, m, uint16(id), s)
		tr.setFormat(m, c.format)
		m.state.formatted = false // the trace may write it differently
	}
}

// coreChannel returns the channel of the core markers.
func (d Dialect) coreChannel() string {
	if d.perChannel() {
		return "metadata"
	}
	return ""
}

// core returns the core markers by their ids.
func (d Dialect) core() []definition {
	prefix, id := "", "id"
	if d.perChannel() {
		prefix, id = "channel %s ", "event_id"
	}
	core := []definition{
		coreID: {name: "core_marker_id", format: prefix + "name %s " + id +
			" %hu int #1u%zu long #1u%zu pointer #1u%zu size_t #1u%zu alignment #1u%u"},
		coreFormat:      {name: "core_marker_format", format: prefix + "name %s format %s"},
		coreHeartbeat32: {name: "core_heartbeat_32", format: " "},
		coreHeartbeat64: {name: "core_heartbeat_64", format: "timestamp #8u%llu"},
	}
	if !d.heartbeats() {
		return core[:2]
	}
	return core
}

// heartbeats reports whether ids 2 and 3 are heartbeats.
func (d Dialect) heartbeats() bool { return d == V10 || d == Seed }

// readDescriptions reads the core events of one metadata file.
func (tr *Trace) readDescriptions(s *Stream) {
	if tr.rec.watch != nil {
		tr.rec.metadata = append(tr.rec.metadata, s)
		s.grow.live = tr.rec.live
	}
	tr.describeMarkers(s)
}

// describeMarkers reads the core events that are present.
func (tr *Trace) describeMarkers(s *Stream) {
	for {
		batch, err := s.Next()
		if err == record.ErrPending {
			return
		}
		for i, e := range batch.Entries {
			if e.Marker == nil || e.Marker.Name != "core_marker_id" && e.Marker.Name != "core_marker_format" {
				continue
			}
			if err := tr.describeMarker(e.Marker, batch.Records[i].Data); err != nil {
				tr.rec.damage.Note(s.file.Path, e.Offset, 0, err)
			}
		}
		if err != nil {
			if !errors.Is(err, io.EOF) {
				tr.rec.note(s.file.Path, err)
			}
			s.Close()
			return
		}
	}
}

// describeMarker reads one core event: an id, or a format.
func (tr *Trace) describeMarker(core *Marker, data []byte) error {
	c := cursor{data: data, order: tr.order(), core: core}
	var channel string
	if tr.info.Dialect.perChannel() {
		channel = c.text()
	}
	name := c.text()
	t := tr.tables[channel]
	if t == nil && tr.rec.watch != nil && len(tr.tables) < maxChannels { // its file may appear
		t = tr.table(channel)
	}
	switch {
	case c.bad || name == "":
		return fmt.Errorf("the name of a marker: %w", ErrCorrupt)
	case t == nil: // no file has events of the marker
		return nil
	case len(t.byName) > maxMarkers:
		return fmt.Errorf("more than %d markers: %w", maxMarkers, ErrMarker)
	}
	t.quick = t.quick[:0]
	if core.Name == "core_marker_format" {
		return tr.describeFormat(t, channel, name, c)
	}
	id := uint16(c.number())
	s := sizes{int(c.number()), int(c.number()), int(c.number()), int(c.number()), int(c.number())}
	if c.bad {
		return fmt.Errorf("the id of marker %s: %w", name, ErrCorrupt)
	}
	if err := s.check("marker " + name); err != nil {
		return err
	}
	m := t.marker(name)
	m.Channel = channel
	if m == core { // it is core itself: its sizes are in use while this is read
		t.put(id, m)
		return nil
	}
	tr.identify(t, m, id, s)
	return markerError(m)
}

func (tr *Trace) describeFormat(t *table, channel, name string, c cursor) error {
	format := c.text()
	switch {
	case c.bad:
		return fmt.Errorf("the format of marker %s: %w", name, ErrCorrupt)
	case len(format) > maxFormat:
		return fmt.Errorf("the format of marker %s has %d bytes: %w", name, len(format), ErrMarker)
	}
	m := t.marker(name)
	m.Channel = channel
	switch {
	case m.state.formatted && m.Format == format:
		return nil
	case m.state.formatted:
		return fmt.Errorf("marker %s has the format %q and another, %q: %w", name, m.Format, format, ErrMarker)
	}
	tr.setFormat(m, format)
	return markerError(m)
}

func markerError(m *Marker) error {
	if m.state.broken == nil {
		return nil
	}
	return fmt.Errorf("marker %s: %w: %w", m.Name, m.state.broken, ErrMarker)
}

func (tr *Trace) order() binary.ByteOrder {
	if tr.info.BigEndian {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

// cursor reads the fields of a core event one after the other.
type cursor struct {
	data  []byte
	pos   int
	field int
	order binary.ByteOrder
	core  *Marker
	bad   bool
}

func (c *cursor) next() (f Field, ok bool) {
	if c.field >= len(c.core.Fields) {
		c.bad = true
		return f, false
	}
	f = c.core.Fields[c.field]
	c.field++
	c.pos = alignUp(c.pos, f.Align)
	return f, true
}

func (c *cursor) text() string {
	f, ok := c.next()
	if !ok || f.Kind != String || c.pos > len(c.data) {
		c.bad = true
		return ""
	}
	n := bytes.IndexByte(c.data[c.pos:], 0)
	if n < 0 {
		c.bad = true
		return ""
	}
	s := string(c.data[c.pos : c.pos+n])
	c.pos = alignUp(c.pos+n+1, f.PadAfter)
	return s
}

func (c *cursor) number() uint64 {
	f, ok := c.next()
	if !ok || f.Kind != Integer || c.pos+f.Size > len(c.data) {
		c.bad = true
		return 0
	}
	b := c.data[c.pos : c.pos+f.Size]
	c.pos += f.Size
	return load(b, f.Size, c.order)
}
