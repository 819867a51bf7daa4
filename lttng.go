package tracec

import (
	"errors"
	"slices"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/internal/programs"
	"github.com/tracec/tracec/runtime/lttng"
	"github.com/tracec/tracec/runtime/lttng/process"
	"github.com/tracec/tracec/runtime/record"
)

// lttngSource reads traces of LTTng.
type lttngSource struct {
	rec     *lttng.Recording
	markers *programs.Markers
	types   programs.Table[Type] // by Marker.Index
	none    *Type
	traces  map[*lttng.Trace]int // places in Traces: the traces of a set can be from different machines
	threads bool                 // follow names of threads
	naming  process.Threads
	records record.Options
	dumped  map[*lttng.Trace]*process.Names // nil until a field has such names
	chosen  *record.Options                 // the selection to apply above the container; nil selects all
}

func newLTTng(rec *lttng.Recording, o *options) *lttngSource {
	s := &lttngSource{
		rec: rec, naming: process.Of(rec), threads: o.threads, records: o.records,
		markers: programs.NewMarkers(rec.HoldFor, nil),
		none:    unknown("", "unknown"), traces: map[*lttng.Trace]int{},
	}
	for i, tr := range rec.Traces() {
		s.traces[tr] = i
	}
	return s
}

func (s *lttngSource) open(o record.Options, chosen *chooser) walker {
	s.naming, s.chosen = process.Of(s.rec), nil
	if s.threads && o.After == nil && s.rec.Scheduled() { // skipped events also carry names of threads
		own := o
		s.chosen, o = &own, record.Options{Until: o.Until, LostSince: o.Since, IDs: s.running(o.IDs),
			Workers: o.Workers, Context: o.Context}
	}
	return newWalk(s, s.rec.MergeTasks(o), chosen, s.typeOf, asked(s.threads, s.naming))
}

// running adds the events that carry names of threads to the selected ids. A nil list selects all.
func (s *lttngSource) running(ids []uint32) []uint32 {
	if ids == nil {
		return nil
	}
	return process.RunningKinds(slices.Clone(ids), s.rec)
}

func (s *lttngSource) prepare(ev *Event) {
	printers := make([]*programs.Printer, len(s.traces))
	for tr, i := range s.traces {
		printers[i] = programs.MarkerPrinter(tr, nil)
	}
	ev.use(markerText, printers...)
}

func (s *lttngSource) entries() entries { return &list[lttng.Entry]{} }

func (s *lttngSource) successive() bool { return false }

// markerText appends the fields, or the length of data that are not understood.
func markerText(e *Event, dst []byte) ([]byte, bool) {
	return e.printer().AppendMarker(dst, e.Type.program, e.Data), true
}

func (s *lttngSource) typeOf(r *record.Record, x *lttng.Entry) *Type {
	m := x.Marker
	if s.threads {
		s.naming.Follow(r, x)
	}
	if t := leaves(s.chosen, r); t != nil {
		return t
	}
	if m == nil {
		return s.none
	}
	return s.markerType(m)
}

func (s *lttngSource) typeFor(r *record.Record, entry any) *Type {
	return s.typeOf(r, entry.(*lttng.Entry))
}

func (s *lttngSource) markerType(m *lttng.Marker) *Type {
	return s.types.At(uint32(m.Index), func() *Type {
		p := s.markers.Program(m)
		err := s.nameValues(m, p.Event)
		t := newType(p)
		t.Err = errors.Join(t.Err, err)
		t.machine = s.traces[m.Trace()]
		return t
	})
}

// nameValues gives the values of an event the names that its trace dumps for them: system calls,
// soft interrupts, probes. The error says why some are missing.
func (s *lttngSource) nameValues(m *lttng.Marker, ev *ir.Event) (err error) {
	for _, d := range ev.Leaves() {
		kind := process.NoteOf(m, d.Path)
		if kind == "" {
			continue
		}
		if s.dumped == nil {
			s.dumped, err = process.Dumped(s.rec, s.records)
		}
		var rows []ir.Row
		for number, name := range s.dumped[m.Trace()].Each(kind) {
			rows = append(rows, ir.Row{Value: d.Type().Extend(number), Text: name})
		}
		if len(rows) > 0 {
			fn := "ValueName"
			if d.Type().Signed {
				fn = "SignedName"
			}
			d.Enum = &ir.Enum{Func: fn, Table: &ir.Table{Rows: rows}}
		}
	}
	return err
}

func (s *lttngSource) names(yield func(system, name, alias string) bool) {
	for _, m := range s.rec.Markers() {
		if !yield(m.Channel, m.Name, "") {
			return
		}
	}
}

func (s *lttngSource) described(match func(system, name, alias string) bool, yield func(*Type) bool) {
	for _, m := range s.rec.Markers() {
		if match(m.Channel, m.Name, "") && !yield(s.markerType(m)) {
			return
		}
	}
}

// ids returns the selected ids. open adds the events that record the running process.
func (s *lttngSource) ids(c *chooser) (ids, after []uint32) {
	ids = []uint32{}
	for _, m := range s.rec.Markers() {
		if c.named(m.Channel, m.Name, "") {
			ids = append(ids, uint32(m.Index))
		}
	}
	markers := s.rec.Markers()
	ids = c.narrowed(ids, func(id uint32) *Type { return s.markerType(markers[id]) })
	if c.named("", s.none.Name, "") {
		ids = append(ids, lttng.NoMarker)
	}
	return ids, nil
}

func (s *lttngSource) kinds() (labels, exits bool) { return false, false }

func (s *lttngSource) commOf(r *record.Record, entry any) string {
	return s.naming.Thread(r, entry.(*lttng.Entry)).Comm
}
