package lttng

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/bits"
)

// Events of facility core. Its id is 0 (lttng.md 5.2).
const (
	coreLoad      = 0
	coreFull      = 3 // a heartbeat with the whole time stamp
	coreStateLoad = 4 // a facility that was loaded before the trace began
)

// maxEvents is the maximum number of events of a facility: their ids have 8 bits.
const maxEvents = 256

// definition describes one event of a facility: the format of a marker with the same layout, or its
// fields if XML describes it.
type definition struct {
	name, format string
	fields       []Field
	err          error // reason why its fields are unknown
}

// builtIn are the facilities that need no description. Only one event of kernel is known. The gaps
// before it are unknown events.
var builtIn = map[string][]definition{
	"core": {
		coreLoad: {name: "facility_load", format: "name %s checksum #4u%u id #4u%u int_size #4u%u long_size #4u%u pointer_size #4u%u size_t_size #4u%u alignment #4u%u"},
		1:        {name: "facility_unload", format: "id #4u%u"},
		2:        {name: "time_heartbeat", format: " "},
		coreFull: {name: "time_heartbeat_full", format: "timestamp #8u%llu"},
		coreStateLoad: {name: "state_dump_facility_load",
			format: "name %s checksum #4u%u id #4u%u int_size #4u%u long_size #4u%u pointer_size #4u%u size_t_size #4u%u alignment #4u%u"},
	},
	"user_generic": {
		{name: "string", format: "data %s"},
		{name: "string_pointer", format: "string %s pointer %p"},
		{name: "slow_printf", format: "string %s"},
		{name: "function_entry", format: "this_fn %p call_site %p"},
		{name: "function_exit", format: "this_fn %p call_site %p"},
		{name: "thread_brand", format: "name %s"},
	},
	"kernel": {9: {name: "sched_schedule", format: "prev_pid #4d%d next_pid #4d%d prev_state %ld"}},
}

// userGenericSum is the checksum of the built-in user_generic.
const userGenericSum = 0xB1865E44

// facility is a facility of a trace.
type facility struct {
	id       uint8
	name     string
	checksum uint32
	sizes    sizes
}

// readFacilities defines the events of 0.x. Facility core lists the other facilities and their ids.
func (tr *Trace) readFacilities() {
	word := tr.info.WordSize
	core := facility{name: "core", sizes: sizes{int: 4, long: word, pointer: word, sizeT: word,
		alignment: tr.info.Alignment}}
	tr.defineFacility(core, builtIn["core"])
	defs := &descriptions{trace: tr}
	loaded := map[uint8]facility{0: core}
	for _, f := range tr.files {
		if f.isMetadata() {
			tr.readLoads(tr.newStream(f), loaded, defs)
		}
	}
}

// readLoads reads the loads of one file. Unloads are ignored: an id keeps its facility.
func (tr *Trace) readLoads(s *Stream, loaded map[uint8]facility, defs *descriptions) {
	defer s.Close()
	for {
		batch, err := s.Next()
		for i, e := range batch.Entries {
			if e.Marker == nil || e.Marker.ID != coreLoad && e.Marker.ID != coreStateLoad {
				continue
			}
			if err := tr.load(e.Marker, batch.Records[i].Data, loaded, defs); err != nil {
				tr.rec.damage.Note(s.file.Path, e.Offset, 0, err)
			}
		}
		if err != nil {
			if !errors.Is(err, io.EOF) {
				tr.rec.note(s.file.Path, err)
			}
			return
		}
	}
}

// load handles one event that announces a facility.
func (tr *Trace) load(core *Marker, data []byte, loaded map[uint8]facility, defs *descriptions) error {
	c := cursor{data: data, order: tr.order(), core: core}
	f := facility{name: c.text(), checksum: uint32(c.number())}
	id := c.number()
	f.sizes = sizes{int(c.number()), int(c.number()), int(c.number()), int(c.number()), int(c.number())}
	if c.bad || f.name == "" || id >= maxEvents {
		return fmt.Errorf("the load of a facility: %w", ErrCorrupt)
	}
	f.id = uint8(id)
	if f.id == 0 && f.name == "core" {
		return nil // core is known, and its sizes are in use while this is read
	}
	if err := f.sizes.check("facility " + f.name); err != nil {
		return err
	}
	switch before, ok := loaded[f.id]; {
	case ok && before == f: // once for every processor, and when the trace began
		return nil
	case ok:
		return fmt.Errorf("facility %s has the id %d of facility %s: %w", f.name, id, before.name, ErrMarker)
	}
	loaded[f.id] = f
	events, err := defs.of(f)
	if len(events) == 0 && err == nil {
		err = fmt.Errorf("facility %s has no description: its events show bytes only: %w", f.name, ErrMarker)
	}
	if f.name == "user_generic" && f.checksum != userGenericSum && !defs.described(f.name) {
		err = fmt.Errorf("facility %s has the checksum %#x, the description at hand is of %#x: %w", f.name, f.checksum,
			uint32(userGenericSum), ErrMarker)
	}
	return errors.Join(err, tr.defineFacility(f, events))
}

// check rejects sizes that no C type has.
func (s sizes) check(who string) error {
	for _, n := range []int{s.int, s.long, s.pointer, s.sizeT} {
		if n != 1 && n != 2 && n != 4 && n != 8 {
			return fmt.Errorf("%s has types of %d bytes: %w", who, n, ErrMarker)
		}
	}
	if s.alignment < 0 || s.alignment > 8 || s.alignment&(s.alignment-1) != 0 {
		return fmt.Errorf("%s has an alignment of %d: %w", who, s.alignment, ErrMarker)
	}
	return nil
}

// defineFacility makes the markers of a facility. The name of the facility is their channel.
func (tr *Trace) defineFacility(f facility, events []definition) error {
	t := tr.table("")
	var bad []error
	for i, d := range events {
		if d.name == "" {
			continue
		}
		m := &Marker{Channel: f.name, Name: d.name, payload: payloadForm{beats: f.id == 0 && i == coreFull}}
		tr.identify(t, m, uint16(f.id)<<8|uint16(i), f.sizes)
		if d.fields != nil || d.err != nil {
			tr.setFields(m, d)
			continue // these errors are reported with their line
		}
		tr.setFormat(m, d.format)
		m.padStrings(tr.stringPad(f.sizes))
		bad = append(bad, markerError(m))
	}
	if f.name == "compact" {
		tr.compactFacility = compactFacility{f.id, uint(bits.Len(uint(max(len(events), 1) - 1)))}
	}
	return errors.Join(bad...)
}

// stringPad returns the alignment after a string: the size of a pointer, in traces that align
// (lttng.md 5.2).
func (tr *Trace) stringPad(s sizes) int {
	if tr.info.Alignment == 0 || s.alignment == 0 {
		return 0
	}
	return s.pointer
}

func (m *Marker) padStrings(n int) {
	for i := range m.Fields {
		if m.Fields[i].Kind == String {
			m.Fields[i].PadAfter = n
		}
	}
}

// compactFacility is the facility whose events are in compact channels. Its size determines the
// size of their ids: in 0.8 the header does not (lttng.md 4.2).
type compactFacility struct {
	id     uint8
	idBits uint
}

// compactShift returns where the data bits of a compact word begin.
func (tr *Trace) compactShift(h *header) uint {
	if h.dialect.facilities() {
		return h.short.bits + tr.compactFacility.idBits
	}
	return h.short.shift
}

// compactID returns the id of a compact event in a table.
func (tr *Trace) compactID(id uint32) uint32 {
	if tr.info.Dialect.facilities() {
		return uint32(tr.compactFacility.id)<<8 | id
	}
	return id
}

// isName reports whether s can be the name of a field, an event or a facility.
func isName(s string) bool {
	return s != "" && len(s) <= 128 && !bytes.ContainsFunc([]byte(s), func(c rune) bool {
		return c <= ' ' || c > '~' || c == '%' || c == '#'
	})
}
