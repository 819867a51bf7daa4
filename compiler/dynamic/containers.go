package dynamic

import (
	"fmt"

	"github.com/tracec/tracec/compiler/ftrace/recorded"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/compiler/pattern"
	"github.com/tracec/tracec/compiler/programs"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/lttng"
	"github.com/tracec/tracec/runtime/record"
)

// unknown is the type of events that nothing describes.
func unknown(system, format string, args ...any) *Type {
	name := fmt.Sprintf(format, args...)
	return &Type{System: system, Name: name, Label: name, Err: errorString("nothing describes it")}
}

// ftraceSource reads recordings of ftrace.
type ftraceSource struct {
	rec     *ftrace.Recording
	formats *programs.Formats
	target  ir.Target
	types   programs.Table[Type] // by id
}

func newFtrace(rec *ftrace.Recording) *ftraceSource {
	t := recorded.Target(rec.Info())
	return &ftraceSource{rec: rec, formats: programs.NewFormats(rec.Formats(), t), target: t}
}

func (s *ftraceSource) open(o record.Options, chosen pattern.List) walker {
	return newWalk(s.rec.Merge(ftrace.StreamOptions{Options: o}), chosen, s.typeOf)
}

func (s *ftraceSource) prepare(ev *Event) {
	ev.use(plainText, programs.NewPrinter(recorded.Env(s.rec, s.target)))
}

func (s *ftraceSource) entries() entries { return nil }

func (s *ftraceSource) successive() bool { return false }

func (s *ftraceSource) typeOf(r *record.Record, _ *record.None) *Type {
	if i := uint64(r.ID); i < uint64(len(s.types)) && s.types[i] != nil {
		return s.types[i]
	}
	return s.newType(r.ID)
}

func (s *ftraceSource) newType(id uint32) *Type {
	if id > programs.MaxID {
		return unknown("", "%d", id)
	}
	return s.types.At(id, func() *Type {
		if p := s.formats.Program(id); p != nil {
			return newType(p)
		}
		return unknown("", "%d", id)
	})
}

// lttngSource reads traces of LTTng.
type lttngSource struct {
	rec     *lttng.Recording
	markers *programs.Markers
	types   programs.Table[Type] // by Marker.Index
	none    *Type
	traces  map[*lttng.Trace]int // places in Traces: those of a set can be from different machines
}

func newLTTng(rec *lttng.Recording) *lttngSource {
	s := &lttngSource{rec: rec, markers: programs.NewMarkers(nil), none: unknown("", "unknown"), traces: map[*lttng.Trace]int{}}
	for i, tr := range rec.Traces() {
		s.traces[tr] = i
	}
	return s
}

func (s *lttngSource) open(o record.Options, chosen pattern.List) walker {
	return newWalk(s.rec.MergeTasks(o), chosen, s.typeOf)
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

// markerText appends the fields, or how long data are that are not understood.
func markerText(e *Event, dst []byte) ([]byte, bool) {
	return e.printer().AppendMarker(dst, e.Type.program, e.Data), true
}

func (s *lttngSource) typeOf(_ *record.Record, x *lttng.Entry) *Type {
	m := x.Marker
	if m == nil {
		return s.none
	}
	return s.types.At(uint32(m.Index), func() *Type {
		t := newType(s.markers.Program(m))
		t.machine = s.traces[m.Trace()]
		return t
	})
}
